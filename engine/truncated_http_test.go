package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// truncationsPerReply is the number of bytes at which "make test" truncates a reply over HTTP, in
// addition to the bytes at which the expectation changes. "make test-long" truncates at every byte.
// Each truncation costs a connection, and its outcome rarely differs from that of its neighbors.
const truncationsPerReply = 40

// TestAReplyTruncatedAtEveryByteOverHTTP makes a server send a reply up to each of its bytes, and
// then either break the connection or end the response normally. If the line with the finish reason
// came through whole, the reply is complete, and each of its calls runs once. Otherwise nothing
// runs, the model is not asked again, and the events say how the reply ended.
func TestAReplyTruncatedAtEveryByteOverHTTP(t *testing.T) {
	for _, tt := range []struct {
		name    string
		calls   model.Calls
		body    string
		text    string   // what a person sees
		partial []string // beginnings of markers at the end of a piece, which are text if the reply ends there
		runs    []string // the calls, in order
		given   []string // the arguments of each request, as events report them
	}{
		{
			"one call", model.CallsText,
			spoken("Let me ", "see.\n<<<[TOOL_REQ", "UEST]>>>\ntool_name:「始」t_echo「末」,\ntext:「始」he",
				"llo「末」\n<<<[END_TOOL_", "REQUEST]>>>"),
			"Let me see.\n",
			[]string{"<<<[TOOL_REQ", "\n<<<[END_TOOL_"},
			[]string{`t_echo{"text":"hello"}`},
			[]string{"hello"},
		},
		{
			"two calls, Chinese prose and code", model.CallsText,
			spoken("好的，先看这段代码：\n```go\nfmt.Println(\"<<<[TOOL_REQUEST]>>>\")\n```\n",
				"<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_echo「末」,\ntext:「始」第一", "行\n```\n二「末」\n<<<[END_TOOL_REQUEST]>>>\n",
				"然后：<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_echo「末」,\ntext:「始ESCAPE」「末」<<<[END_TOOL_REQUEST]>>>",
				"「末ESCAPE」\n<<<[END_TOOL_REQUEST]>>>\n就这样。"),
			"好的，先看这段代码：\n```go\nfmt.Println(\"<<<[TOOL_REQUEST]>>>\")\n```\n\n然后：\n就这样。",
			nil,
			[]string{`t_echo{"text":"第一行\n` + "```" + `\n二"}`, `t_echo{"text":"「末」<<<[END_TOOL_REQUEST]>>>"}`},
			[]string{"第一行\n```\n二", "「末」<<<[END_TOOL_REQUEST]>>>"},
		},
		{
			"native calls", model.CallsNative,
			streamed("stop", `"content":"两个"`, `"content":"都要。"`,
				`"tool_calls":[{"index":0,"id":"a","function":{"name":"t_echo","arguments":""}},`+
					`{"index":1,"id":"b","function":{"name":"t_echo"}}]`,
				`"tool_calls":[{"index":0,"function":{"arguments":"{\"text\":\"一"}},`+
					`{"index":1,"function":{"arguments":"{\"text\":"}}]`,
				`"tool_calls":[{"index":1,"function":{"arguments":"\"b\"}"}}]`,
				`"tool_calls":[{"index":0,"function":{"arguments":"\\n1\"}"}}]`),
			"两个都要。", nil,
			[]string{`t_echo{"text":"一\n1"}`, `t_echo{"text":"b"}`},
			[]string{`{"text":"一\n1"}`, `{"text":"b"}`},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newHTTPRunner(t, tt.calls)
			body := tt.body
			// The positions at which the first piece of the reply and the finish reason are whole.
			begun := strings.Index(body, "\n")
			finished := strings.Index(body, `"finish_reason":"`)
			finished += strings.Index(body[finished:], "\n")
			for _, n := range longtest.Offsets(truncationsPerReply, len(body)+1, 0, begun, finished, len(body)) {
				for _, endsNormally := range []bool{false, true} {
					reply := modelserver.RawStream(body[:n])
					if !endsNormally {
						reply = modelserver.RawStream(body).BrokenAfter(n)
					}
					got := c.run(t, reply, n >= finished)
					iteration := got.iterations[0]
					seen := summaryOf(got.trace)
					if n >= finished {
						require.Equal(t, engine.StopDone, got.stop, "truncated at %d", n)
						require.Equal(t, tt.runs, c.ran, "truncated at %d", n)
						require.Equal(t, tt.text+"Done.", seen.text)
						require.Equal(t, tt.given, seen.arguments)
						require.Equal(t, 2*len(tt.runs), seen.tools, "a start and an end for each call")
						require.Len(t, iteration.Results, len(tt.runs))
						continue
					}
					require.Empty(t, c.ran, "truncated at %d", n)
					require.Zero(t, seen.tools)
					for _, partial := range tt.partial {
						seen.text = strings.TrimSuffix(seen.text, partial)
					}
					require.True(t, strings.HasPrefix(tt.text, seen.text), "truncated at %d: %q", n, seen.text)
					for i, arguments := range seen.arguments {
						require.True(t, strings.HasPrefix(tt.given[i], arguments), "truncated at %d: %q", n, arguments)
					}
					require.Len(t, got.iterations, 1)
					require.Equal(t, protocol.FinishUnknown, iteration.Reply.Finish)
					require.Empty(t, iteration.Results)
					require.Nil(t, iteration.ResultMessage)
					require.Empty(t, iteration.Assistant.ToolCalls)
					require.NotContains(t, iteration.Assistant.Content, "tool_name",
						"a request without a result does not stay in the conversation")
					c.requireEnd(t, got, n, endsNormally, n >= begun)
				}
			}
		})
	}
}

// streamed returns the stream of events with which a server sends a reply. Each piece is a member
// of a delta.
func streamed(finish string, pieces ...string) string {
	var b strings.Builder
	for _, piece := range pieces {
		fmt.Fprintf(&b, "data: {\"choices\":[{\"delta\":{%s}}]}\n\n", piece)
	}
	fmt.Fprintf(&b, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":%q}]}\n\ndata: [DONE]\n\n", finish)
	return b.String()
}

// spoken returns the stream of events of a reply that consists of text.
func spoken(texts ...string) string {
	var pieces []string
	for _, text := range texts {
		inJSON, _ := json.Marshal(text)
		pieces = append(pieces, `"content":`+string(inJSON))
	}
	return streamed("stop", pieces...)
}

// httpRunner runs turns with replies that a model server sends, and records which calls ran.
type httpRunner struct {
	server  *modelserver.Server
	session func() *engine.Session
	ran     []string
}

func newHTTPRunner(t *testing.T, calls model.Calls) *httpRunner {
	c := &httpRunner{server: modelserver.Start(t)}
	client, err := model.New(model.Options{
		BaseURL: c.server.URL, Model: "scripted", Calls: calls, Retries: -1, Logger: quiet,
	})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	reg := tool.NewRegistry()
	require.NoError(t, reg.Register(tool.Tool{ID: "t", Methods: []tool.Method{
		method(t, "echo", func(_ context.Context, call *tool.Call) (tool.Output, error) {
			c.ran = append(c.ran, call.Method.FullName+string(call.Arguments))
			return tool.Output{Text: "ok"}, nil
		}),
	}}))
	e := newEngine(t, reg, client)
	c.session = func() *engine.Session { return e.NewSession("truncated") }
	return c
}

// run runs a turn whose first reply is the given one. whole means that the engine asks for another
// reply after it.
func (c *httpRunner) run(t *testing.T, reply modelserver.Reply, whole bool) outcome {
	c.ran = nil
	c.server.Add(reply)
	if whole {
		c.server.Add(modelserver.Pieces("Done."))
	}
	got := run(t, c.session(), question)
	require.Zero(t, c.server.Left())
	return got
}

// eventSummary is what the events of a run report together.
type eventSummary struct {
	text      string
	arguments []string // by request
	tools     int      // events of tools
}

// summaryOf returns the texts, the arguments and the number of tool events in a trace.
func summaryOf(trace []string) (all eventSummary) {
	for _, line := range trace {
		kind, rest, _ := strings.Cut(line, " ")
		switch {
		case kind == "text":
			all.text += strings.TrimPrefix(rest, "|")
		case kind == "request_started":
			all.arguments = append(all.arguments, "")
		case kind == "argument_delta":
			id, text, _ := strings.Cut(rest, " ")
			_, text, _ = strings.Cut(text, "|")
			// An ID is such as 1.2, or 1.c2 for a native call.
			_, ordinal, _ := strings.Cut(strings.Replace(id, "c", "", 1), ".")
			all.arguments[int(ordinal[0]-'1')] += text
		case strings.HasPrefix(kind, "tool_"):
			all.tools++
		}
	}
	return all
}

// requireEnd checks the last events of a reply that was truncated after n bytes. They depend on
// whether the response ended normally, and whether it contained at least one event.
func (c *httpRunner) requireEnd(t *testing.T, got outcome, n int, endsNormally, hasEvent bool) {
	t.Helper()
	require.Equal(t, "iteration_done", got.trace[len(got.trace)-2])
	if endsNormally && hasEvent {
		require.Equal(t, engine.StopIncomplete, got.stop, "truncated at %d", n)
		require.NoError(t, got.err)
		return
	}
	require.Equal(t, engine.StopModelError, got.stop, "truncated at %d", n)
	var failed *model.Error
	require.ErrorAs(t, got.err, &failed)
	want := model.KindTruncated
	if endsNormally {
		want = model.KindResponse // the response contained no event
	}
	require.Equal(t, want, failed.Kind, "truncated at %d", n)
}
