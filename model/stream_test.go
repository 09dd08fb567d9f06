package model_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
)

// askScripted returns what a client reads of a reply of its server.
func askScripted(t *testing.T, r modelserver.Reply) (reply, error) {
	t.Helper()
	s := modelserver.Start(t, r)
	return ask(t.Context(), newClient(t, model.Options{BaseURL: s.URL, Model: "scripted"}), hello)
}

// events returns a stream with one event for each value.
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
			modelserver.Reply{
				Pieces: []string{"hi"}, Finish: "stop",
				Usage: &modelserver.Usage{PromptTokens: 7, CompletionTokens: 2},
			},
			reply{
				Text: "hi", Finish: protocol.FinishStop, Finished: true,
				Usage: &engine.Usage{PromptTokens: 7, CompletionTokens: 2},
			},
		},
		{
			"the last usage counts", events(`{"choices":[],"usage":{"prompt_tokens":1}}`, pieceHi, endStop, lastUsage),
			reply{
				Text: "hi", Finish: protocol.FinishStop, Finished: true,
				Usage: &engine.Usage{PromptTokens: 7, CompletionTokens: 2},
			},
		},
		{"an empty error", events(`{"error":false,"choices":[{"delta":{"content":"a"}}]}`,
			`{"error":{},"choices":[{"delta":{"content":"b"}}]}`,
			`{"error":[ ],"choices":[{"delta":{"content":"c"}}]}`, `{"error":"","choices":[{"delta":{"content":"d"}}]}`,
			`{"error":0,"choices":[{"delta":{"content":"e"}}]}`, endStop), stop("abcde")},
		{"without DONE", modelserver.Reply{Pieces: []string{"hi"}, Finish: "stop", NoDone: true}, stop("hi")},
		{
			"text and finish reason in one piece",
			events(`{"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}`), stop("hi"),
		},
		{"text after the finish reason is not part of the reply", events(pieceHi, endStop, pieceHi), stop("hi")},
		{
			"another choice is not part of the reply",
			events(`{"choices":[{"index":1,"delta":{"content":"no"},"finish_reason":"length"}]}`, pieceHi,
				endStop), stop("hi"),
		},
		{
			"a last line without its line break", modelserver.RawStream("data: " + pieceHi + "\n\ndata: " + endStop),
			stop("hi"),
		},
		{"lines that end in CR LF", modelserver.RawStream(strings.ReplaceAll(allStop, "\n", "\r\n")), stop("hi")},
		{"lines that end in CR", modelserver.RawStream(strings.ReplaceAll(allStop, "\n", "\r")), stop("hi")},
		{
			"line ends of all kinds",
			modelserver.RawStream(":\r\n\r:\n\r\ndata: " + pieceHi + "\r\r\ndata: " + endStop + "\r\n\n"), stop("hi"),
		},
		{"data of several lines", modelserver.RawStream(inLines(allStop)), stop("hi")},
		{"data of several lines, some empty", modelserver.RawStream("data:\ndata: {\"choices\":\ndata\n" +
			"data: [{\"delta\":\n: hm\nid: 1\ndata:{\"content\":\"hi\"}}]}\n\ndata:\n\n" +
			"data: " + endStop + "\ndata:\n\n"), stop("hi")},
		{"no blank lines between events", modelserver.RawStream(strings.ReplaceAll(allStop, "\n\n", "\n")), stop("hi")},
		{
			"values of other kinds without blank lines",
			modelserver.RawStream("data: {\"ping\":1}\ndata: {\"ping\":2}\ndata: " + pieceHi +
				"\ndata: {\"ping\":3}\ndata: " + endStop),
			stop("hi"),
		},
		{
			"a last event of several lines without a blank line after it",
			modelserver.RawStream("data: " + pieceHi + "\n\n" + strings.TrimSpace(inLines("data: "+endStop))),
			stop("hi"),
		},
		{"no blank after the colon", modelserver.RawStream(strings.ReplaceAll(allStop, "data: ", "data:")), stop("hi")},
		{"a byte order mark first", modelserver.RawStream("\uFEFF" + allStop), stop("hi")},
		{
			"thousands of comment lines", modelserver.RawStream(strings.Repeat(": keep-alive\n\n", 4000) + allStop),
			stop("hi"),
		},
		{
			"ids, retry times and named events",
			modelserver.RawStream("retry: 10\n\nevent: message\nid: 1\n" + allStop), stop("hi"),
		},
		{"null errors", events(`{"error":null,"choices":[{"delta":{"content":"hi"}}]}`, endStop), stop("hi")},
		{"a null finish reason is ignored", events(`{"choices":[{"delta":{"content":"h"},"finish_reason":null}]}`,
			`{"choices":[{"delta":{"content":"i"},"finish_reason":"null"}]}`, endStop), stop("hi")},
		{"another content type", modelserver.Raw("application/octet-stream", allStop), stop("hi")},
		{
			"a server that does not stream", modelserver.Raw("application/json",
				"\n{\n "+`"choices": [{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}],`+
					"\n "+`"usage":{"prompt_tokens":7,"completion_tokens":2}}`+"\n"),
			reply{
				Text: "hi", Finish: protocol.FinishStop, Finished: true,
				Usage: &engine.Usage{PromptTokens: 7, CompletionTokens: 2},
			},
		},
		{
			"content in parts", events(`{"choices":[{"delta":{"content":[{"type":"text","text":"h"},`+
				`{"type":"image_url","image_url":{"url":"x"}},{"text":"i"}]}}]}`,
				`{"choices":[{"delta":{"content":[]}}]}`,
				`{"choices":[{"delta":{"content":[{"type":"refusal","refusal":"!"}]}}]}`, endStop), stop("hi!"),
		},
		{"content in parts, whole", modelserver.Raw("application/json",
			`{"choices":[{"message":{"content":[{"type":"text","text":"h"},{"type":"text","text":"i"}]},`+
				`"finish_reason":"stop"}]}`), stop("hi")},
		{"a refusal is text", events(`{"choices":[{"delta":{"refusal":"no"}}]}`, endStop), stop("no")},
		{
			"an unknown finish reason is passed on",
			events(pieceHi, `{"choices":[{"delta":{},"finish_reason":"content_filter"}]}`),
			reply{Text: "hi", Finish: "content_filter", Finished: true},
		},
		{
			"two different finish reasons are ignored",
			events(pieceHi, `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"},`+
				`{"index":0,"delta":{},"finish_reason":"length"}]}`),
			reply{Text: "hi", Finished: true},
		},
		{
			"an unknown finish reason is shortened",
			events(pieceHi, `{"choices":[{"delta":{},"finish_reason":"`+strings.Repeat("x", 5000)+`"}]}`),
			reply{Text: "hi", Finish: protocol.FinishReason(strings.Repeat("x", 200) + "…"), Finished: true},
		},
		{
			"other spellings of a finish reason",
			events(pieceHi, `{"choices":[{"delta":{},"finish_reason":"MAX_TOKENS"}]}`),
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
		{
			"numbers count", `{"prompt_tokens":7,"completion_tokens":2}`,
			&engine.Usage{PromptTokens: 7, CompletionTokens: 2},
		},
		{
			"numbers with a fraction of 0 count", `{"prompt_tokens":7.0,"completion_tokens":2e0}`,
			&engine.Usage{PromptTokens: 7, CompletionTokens: 2},
		},
		{
			"numbers as texts count", `{"prompt_tokens":"7","completion_tokens":"2"}`,
			&engine.Usage{PromptTokens: 7, CompletionTokens: 2},
		},
		{
			"other members may be of any type", `{"prompt_tokens":7,"completion_tokens":2,"prompt_tokens_details":[1]}`,
			&engine.Usage{PromptTokens: 7, CompletionTokens: 2},
		},
		{
			"a number that cannot be read is absent", `{"prompt_tokens":7.5,"completion_tokens":2}`,
			&engine.Usage{CompletionTokens: 2},
		},
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
		{
			"an end in the middle of a line",
			modelserver.RawStream("data: " + pieceHi + "\n\ndata: {\"choices\":[{\"index\":0,\"fini"), "hi",
		},
		{"an end in the middle of a field's name", modelserver.RawStream("data: " + pieceHi + "\n\ndat"), "hi"},
		{
			"an end in the middle of an event of several lines",
			modelserver.RawStream("data: " + pieceHi + "\n\ndata: {\"choices\":[{\"index\":0,\ndata: \"fini"), "hi",
		},
		{
			"an end between lines of one event",
			modelserver.RawStream("data: " + pieceHi + "\n\ndata: {\"choices\":[{\"index\":0,\n"), "hi",
		},
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
