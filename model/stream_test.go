package model_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
)

func askScripted(t *testing.T, r modelserver.Reply) (reply, error) {
	t.Helper()
	s := modelserver.Start(t, r)
	return ask(t.Context(), newClient(t, model.Options{BaseURL: s.URL, Model: "scripted"}), hello)
}

func events(values ...string) modelserver.Reply {
	var b strings.Builder
	for _, v := range values {
		b.WriteString("data: " + v + "\n\n")
	}
	return modelserver.RawStream(b.String())
}

const (
	pieceHi   = `{"choices":[{"index":0,"delta":{"content":"hi"}}]}`
	endStop   = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	allStop   = "data: " + pieceHi + "\n\ndata: " + endStop + "\n\ndata: [DONE]\n\n"
	lastUsage = `{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2}}`
)

// inLines returns the same stream with a line break before each member of its values.
func inLines(stream string) string { return strings.ReplaceAll(stream, ",\"", ",\ndata: \"") }

func TestCompleteRepliesAreFinished(t *testing.T) {
	stop := func(text string) reply { return reply{Text: text, Finish: protocol.FinishStop, Finished: true} }
	tests := []struct {
		name  string
		reply modelserver.Reply
		want  reply
	}{
		{"a plain reply", modelserver.Text("Hello, wörld 你好"), stop("Hello, wörld 你好")},
		{"an empty reply that is finished", modelserver.Pieces(), stop("")},
		{
			"a reply truncated at the token limit is finished and says why", modelserver.Length("hi"),
			reply{Text: "hi", Finish: protocol.FinishLength, Finished: true},
		},
		{
			"reasoning is separate",
			modelserver.Reply{Reasoning: []string{"let me ", "see"}, Pieces: []string{"yes"}, Finish: "stop"},
			reply{Text: "yes", Reasoning: "let me see", Finish: protocol.FinishStop, Finished: true},
		},
		{
			"reasoning under its other name", events(`{"choices":[{"delta":{"reasoning":"hm"}}]}`, endStop),
			reply{Reasoning: "hm", Finish: protocol.FinishStop, Finished: true},
		},
		{
			"usage before the end",
			modelserver.Reply{Pieces: []string{"hi"}, Finish: "stop", Usage: &modelserver.Usage{PromptTokens: 7, CompletionTokens: 2}},
			reply{Text: "hi", Finish: protocol.FinishStop, Finished: true, Usage: &engine.Usage{PromptTokens: 7, CompletionTokens: 2}},
		},
		{
			"the last usage counts", events(`{"choices":[],"usage":{"prompt_tokens":1}}`, pieceHi, endStop, lastUsage),
			reply{Text: "hi", Finish: protocol.FinishStop, Finished: true, Usage: &engine.Usage{PromptTokens: 7, CompletionTokens: 2}},
		},
		{"an empty error", events(`{"error":false,"choices":[{"delta":{"content":"a"}}]}`,
			`{"error":{},"choices":[{"delta":{"content":"b"}}]}`,
			`{"error":[ ],"choices":[{"delta":{"content":"c"}}]}`, `{"error":"","choices":[{"delta":{"content":"d"}}]}`,
			`{"error":0,"choices":[{"delta":{"content":"e"}}]}`, endStop), stop("abcde")},
		{"without DONE", modelserver.Reply{Pieces: []string{"hi"}, Finish: "stop", NoDone: true}, stop("hi")},
		{"text and finish reason in one piece", events(`{"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}`), stop("hi")},
		{"text after the finish reason is not part of the reply", events(pieceHi, endStop, pieceHi), stop("hi")},
		{
			"another choice is not part of the reply",
			events(`{"choices":[{"index":1,"delta":{"content":"no"},"finish_reason":"length"}]}`, pieceHi, endStop), stop("hi"),
		},
		{"a last line without its line break", modelserver.RawStream("data: " + pieceHi + "\n\ndata: " + endStop), stop("hi")},
		{"lines that end in CR LF", modelserver.RawStream(strings.ReplaceAll(allStop, "\n", "\r\n")), stop("hi")},
		{"lines that end in CR", modelserver.RawStream(strings.ReplaceAll(allStop, "\n", "\r")), stop("hi")},
		{"line ends of all kinds", modelserver.RawStream(":\r\n\r:\n\r\ndata: " + pieceHi + "\r\r\ndata: " + endStop + "\r\n\n"), stop("hi")},
		{"data of several lines", modelserver.RawStream(inLines(allStop)), stop("hi")},
		{"data of several lines, some empty", modelserver.RawStream("data:\ndata: {\"choices\":\ndata\ndata: [{\"delta\":\n: hm\nid: 1\ndata:{\"content\":\"hi\"}}]}\n\ndata:\n\n" +
			"data: " + endStop + "\ndata:\n\n"), stop("hi")},
		{"no blank lines between events", modelserver.RawStream(strings.ReplaceAll(allStop, "\n\n", "\n")), stop("hi")},
		{
			"values of other kinds without blank lines",
			modelserver.RawStream("data: {\"ping\":1}\ndata: {\"ping\":2}\ndata: " + pieceHi + "\ndata: {\"ping\":3}\ndata: " + endStop), stop("hi"),
		},
		{
			"a last event of several lines without its end",
			modelserver.RawStream("data: " + pieceHi + "\n\n" + strings.TrimSpace(inLines("data: "+endStop))), stop("hi"),
		},
		{"no blank after the colon", modelserver.RawStream(strings.ReplaceAll(allStop, "data: ", "data:")), stop("hi")},
		{"a byte order mark first", modelserver.RawStream("\uFEFF" + allStop), stop("hi")},
		{"thousands of comment lines", modelserver.RawStream(strings.Repeat(": keep-alive\n\n", 4000) + allStop), stop("hi")},
		{"ids, retry times and named events", modelserver.RawStream("retry: 10\n\nevent: message\nid: 1\n" + allStop), stop("hi")},
		{"null errors", events(`{"error":null,"choices":[{"delta":{"content":"hi"}}]}`, endStop), stop("hi")},
		{"a finish reason null is ignored", events(`{"choices":[{"delta":{"content":"h"},"finish_reason":null}]}`,
			`{"choices":[{"delta":{"content":"i"},"finish_reason":"null"}]}`, endStop), stop("hi")},
		{"another content type", modelserver.Raw("application/octet-stream", allStop), stop("hi")},
		{
			"a server that does not stream", modelserver.Raw("application/json",
				"\n{\n \"choices\": [{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"hi\"},\"finish_reason\":\"stop\"}],\n \"usage\":{\"prompt_tokens\":7,\"completion_tokens\":2}}\n"),
			reply{Text: "hi", Finish: protocol.FinishStop, Finished: true, Usage: &engine.Usage{PromptTokens: 7, CompletionTokens: 2}},
		},
		{
			"content in parts", events(`{"choices":[{"delta":{"content":[{"type":"text","text":"h"},{"type":"image_url","image_url":{"url":"x"}},{"text":"i"}]}}]}`,
				`{"choices":[{"delta":{"content":[]}}]}`,
				`{"choices":[{"delta":{"content":[{"type":"refusal","refusal":"!"}]}}]}`, endStop), stop("hi!"),
		},
		{"content in parts, whole", modelserver.Raw("application/json",
			`{"choices":[{"message":{"content":[{"type":"text","text":"h"},{"type":"text","text":"i"}]},"finish_reason":"stop"}]}`), stop("hi")},
		{"a refusal is text", events(`{"choices":[{"delta":{"refusal":"no"}}]}`, endStop), stop("no")},
		{
			"an unknown finish reason is passed on", events(pieceHi, `{"choices":[{"delta":{},"finish_reason":"content_filter"}]}`),
			reply{Text: "hi", Finish: "content_filter", Finished: true},
		},
		{
			"two different finish reasons are ignored",
			events(pieceHi, `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"},{"index":0,"delta":{},"finish_reason":"length"}]}`),
			reply{Text: "hi", Finished: true},
		},
		{
			"an unknown finish reason is shortened",
			events(pieceHi, `{"choices":[{"delta":{},"finish_reason":"`+strings.Repeat("x", 5000)+`"}]}`),
			reply{Text: "hi", Finish: protocol.FinishReason(strings.Repeat("x", 200) + "…"), Finished: true},
		},
		{
			"other spellings of a finish reason", events(pieceHi, `{"choices":[{"delta":{},"finish_reason":"MAX_TOKENS"}]}`),
			reply{Text: "hi", Finish: protocol.FinishLength, Finished: true},
		},
		{
			"a connection that breaks after the finish reason",
			modelserver.Text("hi").BrokenAfter(len(modelserver.Text("hi").Body(true)) - 3), stop("hi"),
		},
		{
			"a connection that stays open after the finish reason",
			modelserver.Reply{Pieces: []string{"hi"}, Finish: "stop", NoDone: true, Stall: true},
			stop("hi"),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := askScripted(t, tt.reply)
			require.NoError(t, err)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("reply (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUsageNeverChangesAReply(t *testing.T) {
	tests := []struct {
		name, usage string
		want        *engine.Usage
	}{
		{"numbers count", `{"prompt_tokens":7,"completion_tokens":2}`, &engine.Usage{PromptTokens: 7, CompletionTokens: 2}},
		{
			"numbers with a fraction of 0 count", `{"prompt_tokens":7.0,"completion_tokens":2e0}`,
			&engine.Usage{PromptTokens: 7, CompletionTokens: 2},
		},
		{"numbers as texts count", `{"prompt_tokens":"7","completion_tokens":"2"}`, &engine.Usage{PromptTokens: 7, CompletionTokens: 2}},
		{
			"other members may be of any type", `{"prompt_tokens":7,"completion_tokens":2,"prompt_tokens_details":[1]}`,
			&engine.Usage{PromptTokens: 7, CompletionTokens: 2},
		},
		{"a number that cannot be read is absent", `{"prompt_tokens":7.5,"completion_tokens":2}`, &engine.Usage{CompletionTokens: 2}},
		{"negative and huge numbers are ignored", `{"prompt_tokens":-7,"completion_tokens":1e300}`, nil},
		{"words are ignored", `{"prompt_tokens":"many"}`, nil},
		{"an empty object is ignored", `{}`, nil},
		{"a text is ignored", `"7"`, nil},
		{"a list is ignored", `[7,2]`, nil},
		{"null is ignored", `null`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := askScripted(t, events(pieceHi, endStop, `{"choices":[],"usage":`+tt.usage+`}`))
			require.NoError(t, err)
			require.Equal(t, reply{Text: "hi", Finish: protocol.FinishStop, Finished: true, Usage: tt.want}, got)
			got, err = askScripted(t, events(`{"choices":[{"delta":{"content":"hi"}}],"usage":`+tt.usage+`}`, endStop))
			require.NoError(t, err)
			require.Equal(t, reply{Text: "hi", Finish: protocol.FinishStop, Finished: true, Usage: tt.want}, got)
		})
	}
}

func TestAnIncompleteReplyIsNeverFinished(t *testing.T) {
	tests := []struct {
		name  string
		reply modelserver.Reply
		text  string
	}{
		{"DONE without a finish reason", modelserver.Unfinished("hello"), "hello"},
		{"an end without DONE or finish reason", modelserver.Reply{Pieces: []string{"hello"}, NoDone: true}, "hello"},
		{"an end in the middle of a line", modelserver.RawStream("data: " + pieceHi + "\n\ndata: {\"choices\":[{\"index\":0,\"fini"), "hi"},
		{"an end in the middle of a field's name", modelserver.RawStream("data: " + pieceHi + "\n\ndat"), "hi"},
		{
			"an end in the middle of an event of several lines",
			modelserver.RawStream("data: " + pieceHi + "\n\ndata: {\"choices\":[{\"index\":0,\ndata: \"fini"), "hi",
		},
		{"an end between lines of one event", modelserver.RawStream("data: " + pieceHi + "\n\ndata: {\"choices\":[{\"index\":0,\n"), "hi"},
		{"nothing but an opening event", modelserver.Reply{NoDone: true}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := askScripted(t, tt.reply)
			require.NoError(t, err)
			require.Equal(t, reply{Text: tt.text}, got)
		})
	}
}

func TestInvalidResponsesAreErrors(t *testing.T) {
	request := "<<<[TOOL_REQUEST]>>>\ntool_name:「始」x「末」\n<<<[END_TOOL_REQUEST]>>>"
	tests := []struct {
		name  string
		reply modelserver.Reply
		kind  model.Kind
		says  string
		text  string // what came before
	}{
		{"a web page", modelserver.Raw("text/html", "<!DOCTYPE html><pre>"+request+"</pre>"), model.KindResponse, "web page", ""},
		{
			"a web page said to be events", modelserver.RawStream("\n<html>data: " + pieceHi + "\ndata: " + endStop + "\n</html>"),
			model.KindResponse, "web page", "",
		},
		{"plain text", modelserver.Raw("text/plain", request), model.KindResponse, "not an event stream", ""},
		{"nothing at all", modelserver.RawStream(""), model.KindResponse, "empty response", ""},
		{"blank lines alone", modelserver.RawStream("\n\n\n"), model.KindResponse, "empty response", ""},
		{"comments alone", modelserver.RawStream(": hello\n\n"), model.KindResponse, "empty response", ""},
		{"DONE alone", modelserver.RawStream("data: [DONE]\n\n"), model.KindResponse, "without a reply", ""},
		{
			"an error event", modelserver.RawStream("event: error\ndata: {\"error\":{\"message\":\"out of memory\"}}\n\n"), model.KindServer,
			"out of memory", "",
		},
		{"an error event of plain text", modelserver.RawStream("event: error\ndata: out of memory\n\n"), model.KindServer, "out of memory", ""},
		{
			"an error event after some text", modelserver.RawStream("data: " + pieceHi + "\n\nevent: error\ndata: {\"message\":\"gone\"}\n\n"),
			model.KindServer, "gone", "hi",
		},
		{"a truncated error event", modelserver.RawStream("data: " + pieceHi + "\n\nevent: error\n"), model.KindServer, "no reason", "hi"},
		{
			"an error event whose name comes last",
			modelserver.RawStream("data: " + pieceHi + "\n\ndata: {\"message\":\"gone\"}\nevent: error\n\n"), model.KindServer,
			"reports an error: gone", "hi",
		},
		{
			"an error event of plain text whose name comes last", modelserver.RawStream("data: out of memory\nid: 1\nevent: error\n\n"),
			model.KindServer, "reports an error: out of memory", "",
		},
		{
			"an error event whose name comes last, without its end", modelserver.RawStream("data: {\"message\":\"gone\"}\nevent: error"),
			model.KindServer, "reports an error: gone", "",
		},
		{
			"an error event of several lines", modelserver.RawStream("event: error\ndata: {\"message\":\ndata: \"gone\"}\n\n"),
			model.KindServer, "reports an error: gone", "",
		},
		{
			"an error event of several lines of plain text", modelserver.RawStream("event: error\ndata: out of\ndata: memory\n\n"),
			model.KindServer, "reports an error: out of memory", "",
		},
		{"an error event whose lines end in CR", modelserver.RawStream("event: error\rdata: gone\r\r"), model.KindServer, "reports an error: gone", ""},
		{
			"data of several lines that is not JSON", modelserver.RawStream("data: hello\ndata: world\n\n"), model.KindResponse,
			"not part of a reply: \"hello world\"", "",
		},
		{
			"a JSON string of several lines", modelserver.RawStream("data: {\"choices\":[{\"delta\":{\"content\":\"h\ndata: i\"}}]}\n\n"),
			model.KindResponse, "not part of a reply", "",
		},
		{"data that is not JSON, without its end", modelserver.RawStream("data: hello\n"), model.KindResponse, "not part of a reply: \"hello\"", ""},
		{"an event without end", modelserver.RawStream(strings.Repeat("data: "+strings.Repeat("x", 1<<20)+"\n", 5)), model.KindResponse, "one piece", ""},
		{"an error event without end", modelserver.RawStream("event: error\n" +
			strings.Repeat("data: "+strings.Repeat("x", 1<<20)+"\n", 5)), model.KindResponse, "one piece", ""},
		{
			"an error object among the data", events(pieceHi, `{"error":{"message":"overloaded","code":503}}`),
			model.KindServer, "overloaded", "hi",
		},
		{"an error as a string among the data", events(pieceHi, `{"error":"overloaded"}`), model.KindServer, "overloaded", "hi"},
		{
			"an error among the data without a message", events(pieceHi, `{"error":{"message":" ","code":3}}`),
			model.KindServer, `"code":3`, "hi",
		},
		{
			"an error as the whole response", modelserver.Raw("application/json", `{"error":{"message":"overloaded"}}`),
			model.KindServer, "overloaded", "",
		},
		{"a finish reason error", events(pieceHi, `{"choices":[{"delta":{},"finish_reason":"error"}]}`), model.KindServer, "error", "hi"},
		{
			"an object of another kind", modelserver.Raw("application/json", `{"detail":"Not Found"}`), model.KindResponse,
			"without a reply", "",
		},
		{"an array", modelserver.Raw("application/json", `[{}]`), model.KindResponse, "not part of a reply", ""},
		{"broken JSON as the whole response", modelserver.Raw("application/json", `{"choices":[`), model.KindResponse, "broken JSON", ""},
		{"broken JSON in a line", events(pieceHi, `{"choices":[`), model.KindResponse, "not part of a reply", "hi"},
		{
			"content that is neither text nor parts", events(pieceHi, `{"choices":[{"delta":{"content":7}}]}`),
			model.KindResponse, "not part of a reply", "hi",
		},
		{"a native call", events(`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"f"}}]}}]}`,
			`{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}`), model.KindResponse, `native call of "f"`, ""},
		{"a line without end", modelserver.RawStream("data: " + strings.Repeat("x", 5<<20)), model.KindResponse, "one piece", ""},
		{"a connection that breaks before the first byte", modelserver.Text("hello").BrokenAfter(0), model.KindTruncated, "broke off", ""},
		{
			"status 400", modelserver.Failure(400, "context too long"), model.KindStatus,
			"refuses the request (400 Bad Request): context too long", "",
		},
		{"status 401", modelserver.Failure(401, "who are you"), model.KindStatus, "no API key was sent", ""},
		{"status 403", modelserver.Failure(403, "not you"), model.KindStatus, "check the API key", ""},
		{
			"a quota that is used up",
			modelserver.Reply{Status: 429, Raw: `{"error":{"message":"pay","code":"insufficient_quota"}}`},
			model.KindStatus, "quota is used up (429 Too Many Requests): pay; look at the account's plan", "",
		},
		{
			"status 404",
			modelserver.Reply{Status: 404, ContentType: "text/plain", Raw: "404 page not found"},
			model.KindModel, "no model", "",
		},
		{"status 429", modelserver.Failure(429, "slow down"), model.KindStatus, "slow down; try again later", ""},
		{"status 500", modelserver.Failure(500, "boom"), model.KindStatus, "failed (500 Internal Server Error): boom", ""},
		{
			"status 502 with a web page",
			modelserver.Reply{Status: 502, ContentType: "text/html", Raw: "<html>bad</html>"},
			model.KindStatus, "(502 Bad Gateway); its log", "",
		},
		{"status 422 as validators write it", modelserver.Reply{
			Status: 422,
			Raw:    `{"detail":[{"msg":"field required"}]}`,
		}, model.KindStatus, "field required", ""},
		{
			"status 422 with an empty error",
			modelserver.Reply{Status: 422, Raw: `{"error":{},"message":"field required"}`},
			model.KindStatus, "field required", "",
		},
		{"status 304", modelserver.Reply{Status: 304}, model.KindStatus, "304", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := modelserver.Start(t, tt.reply)
			s.SetModels()
			got, err := ask(t.Context(), newClient(t, model.Options{BaseURL: s.URL, Model: "scripted"}), hello)
			e := requireError(t, err)
			require.Equal(t, reply{Text: tt.text}, got)
			require.Equal(t, tt.kind, e.Kind, e)
			require.Contains(t, e.Error(), tt.says)
			require.Contains(t, e.Error(), s.URL)
			if tt.reply.Status != 0 {
				require.Equal(t, tt.reply.Status, e.Status)
			}
			require.Equal(t, "chat", e.Op)
		})
	}
}

// The meaning of a stream depends neither on its line ends nor on its pieces.
func TestStreamsDoNotDependOnPieces(t *testing.T) {
	for _, stream := range []string{allStop, inLines(allStop), "event: ping\ndata: {}\n\n" + allStop} {
		for _, end := range []string{"\n", "\r\n", "\r"} {
			for _, size := range []int{1, 2, 3} {
				s := modelserver.Start(t, modelserver.RawStream(strings.ReplaceAll(stream, "\n", end)))
				client := &http.Client{Transport: drip{http.DefaultTransport, size}}
				got, err := ask(t.Context(), newClient(t, model.Options{BaseURL: s.URL, Model: "m", HTTPClient: client}), hello)
				require.NoError(t, err, "%q", end)
				require.Equal(t, reply{Text: "hi", Finish: protocol.FinishStop, Finished: true}, got, "%q", end)
				client.CloseIdleConnections()
				s.Close()
			}
		}
	}
}

// drip reads at most size bytes of a response with each call.
type drip struct {
	http.RoundTripper
	size int
}

func (d drip) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := d.RoundTripper.RoundTrip(req)
	if err == nil {
		resp.Body = &dripping{resp.Body, d.size}
	}
	return resp, err
}

func (d drip) CloseIdleConnections() { watchClose{RoundTripper: d.RoundTripper}.CloseIdleConnections() }

type dripping struct {
	io.ReadCloser
	size int
}

func (d *dripping) Read(p []byte) (int, error) { return d.ReadCloser.Read(p[:min(len(p), d.size)]) }

// A piece is delivered without waiting for the rest of a line end or of an event.
func TestAPieceIsDeliveredWithItsLine(t *testing.T) {
	for name, body := range map[string]string{
		"an event that is not ended":   "data: " + pieceHi + "\ndata: " + endStop + "\n",
		"a line that ends in CR":       "data: " + pieceHi + "\r\rdata: " + endStop + "\r",
		"a line that ends in CR LF":    "data: " + pieceHi + "\r\n\r\ndata: " + endStop + "\r\n",
		"several lines that are ended": inLines("data: "+pieceHi+"\n\ndata: "+endStop) + "\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, c := piped(t, model.Options{IdleTimeout: 10 * sec}, modelserver.Reply{Raw: body, Stall: true})
				got, err := ask(t.Context(), c, hello)
				require.NoError(t, err)
				require.Equal(t, reply{Text: "hi", Finish: protocol.FinishStop, Finished: true}, got)
			})
		})
	}
	t.Run("an error", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			_, c := piped(t, model.Options{IdleTimeout: 10 * sec, Retries: -1},
				modelserver.Reply{Raw: "data: {\"error\":\"gone\"}\n", Stall: true})
			_, err := ask(t.Context(), c, hello)
			require.Equal(t, model.KindServer, requireError(t, err).Kind)
		})
	})
}
