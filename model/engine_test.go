package model_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// truncationsPerReply is the number of places at which "make test" truncates a reply. It also
// truncates the reply at each byte near its ends and its finish reason, where the expectation
// changes. "make test-long" truncates at every byte. Each truncation costs a connection, and
// connections take most of this package's time.
const truncationsPerReply = 40

// A reply with a request is truncated at any byte. Nothing runs unless its whole finish reason
// arrived.
func TestTruncatedReplyRunsNothing(t *testing.T) {
	request, err := vcp.Protocol{}.FormatToolRequests([]protocol.ToolRequest{{ToolName: "bell_ring"}})
	require.NoError(t, err)
	for name, whole := range map[string]modelserver.Reply{
		"one request": modelserver.Pieces("Ringing.\n", request),
		"reasoning, then two requests": {
			Reasoning: []string{"Twice, ", "then."},
			Pieces:    []string{request + "\n", request}, Finish: "stop",
		},
		"a request and no DONE": {Pieces: []string{request, "\nRung."}, Finish: "stop", NoDone: true},
	} {
		t.Run(name, func(t *testing.T) { truncateReplyEverywhere(t, model.CallsText, whole) })
	}
	t.Run("two native calls", func(t *testing.T) {
		truncateReplyEverywhere(t, model.CallsNative, modelserver.Calls(
			modelserver.ToolCall{ID: "a", Name: "bell_ring", Arguments: "{}"},
			modelserver.ToolCall{ID: "b", Name: "bell_ring", Arguments: "{ }"}))
	})
}

// truncateReplyEverywhere runs an engine on a reply that is truncated at its bytes, by a lost
// connection and by a clean end.
func truncateReplyEverywhere(t *testing.T, calls model.Calls, whole modelserver.Reply) {
	var ran atomic.Int64
	bell, err := tool.New("ring", "Rings the bell.", func(context.Context, struct{}) (string, error) {
		ran.Add(1)
		return "ding", nil
	}, tool.AgentCallable())
	require.NoError(t, err)
	registry := tool.NewRegistry()
	require.NoError(t, registry.Register(tool.Tool{ID: "bell", Methods: []tool.Method{bell}}))
	s := modelserver.Start(t)
	e, err := engine.New(engine.Options{
		Registry: registry, Protocols: []protocol.Protocol{vcp.Protocol{}}, Config: engine.DefaultConfig(),
		Model:  newClient(t, model.Options{BaseURL: s.URL, Model: "scripted", Calls: calls}),
		Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)

	body := whole.Body(true)
	finishEnd := strings.Index(body, `"finish_reason":"`)
	finishEnd += strings.Index(body[finishEnd:], "\n") // the offset at which the finish reason is whole
	wantRuns := int64(strings.Count(body, "bell_ring"))
	for _, n := range longtest.Offsets(truncationsPerReply, len(body), 0, finishEnd, len(body)) {
		for _, reply := range []modelserver.Reply{whole.BrokenAfter(n), modelserver.RawStream(body[:n])} {
			ran.Store(0)
			s.Add(reply)
			if n >= finishEnd {
				s.Add(modelserver.Text("It rang."))
			}
			var last engine.Event
			var failed error
			for last, failed = range e.NewSession(fmt.Sprint(n)).Run(t.Context(), hello.Messages) {
				require.False(t, last.Kind == engine.EventToolStarted && n < finishEnd, "truncated at %d", n)
			}
			require.Zero(t, s.Left())
			require.Equal(t, engine.EventRunDone, last.Kind)
			if n >= finishEnd {
				require.Equal(t, engine.StopDone, last.Stop, "truncated at %d", n)
				require.Equal(t, wantRuns, ran.Load(), "truncated at %d", n)
				continue
			}
			// Either the run fails, or the reply counts as incomplete.
			require.Zero(t, ran.Load(), "truncated at %d", n)
			if failed == nil {
				require.Equal(t, engine.StopIncomplete, last.Stop, "truncated at %d", n)
				continue
			}
			require.Equal(t, engine.StopModelError, last.Stop, "truncated at %d", n)
			_ = requireError(t, failed)
		}
	}
}

// Calls in text and native calls have the same results; only the requests to the server differ.
func TestTextAndNativeCallsAgree(t *testing.T) {
	registry := tool.NewRegistry()
	echo, err := tool.New("echo", "Says it again.",
		func(_ context.Context, in struct{ Text string }) (string, error) {
			return in.Text + "!", nil
		}, tool.AgentCallable())
	require.NoError(t, err)
	require.NoError(t, registry.Register(tool.Tool{ID: "t", Methods: []tool.Method{echo}}))
	request, err := vcp.Protocol{}.FormatToolRequests([]protocol.ToolRequest{{
		ToolName:  "t_echo",
		Arguments: []protocol.Argument{{Name: "Text", Value: "hi"}},
	}})
	require.NoError(t, err)
	for calls, first := range map[model.Calls]modelserver.Reply{
		model.CallsText:   modelserver.Text(request),
		model.CallsNative: modelserver.Calls(modelserver.ToolCall{ID: "a", Name: "t_echo", Arguments: `{"Text":"hi"}`}),
	} {
		t.Run(string(calls), func(t *testing.T) {
			s := modelserver.Start(t, first, modelserver.Text("It said hi!"))
			e, err := engine.New(engine.Options{
				Registry: registry, Protocols: []protocol.Protocol{vcp.Protocol{}}, Config: engine.DefaultConfig(),
				Model:  newClient(t, model.Options{BaseURL: s.URL, Model: "scripted", Calls: calls}),
				Logger: slog.New(slog.DiscardHandler),
			})
			require.NoError(t, err)
			var done []string
			for event, err := range e.NewSession("s").Run(t.Context(), hello.Messages) {
				require.NoError(t, err)
				if event.Kind == engine.EventToolDone {
					done = append(done,
						event.Name+" "+string(event.Result.Arguments)+" "+event.Result.ToolResult.Result)
				}
			}
			require.Equal(t, []string{`t_echo {"Text":"hi"} hi!`}, done)
			back := s.Requests()[1].Messages
			last := back[len(back)-1]
			require.Contains(t, last.Content, "hi!")
			require.Equal(t, calls == model.CallsNative, last.Role == "tool")
			require.Equal(t, calls == model.CallsNative, len(s.Requests()[0].Tools) > 0)
			require.Equal(t, calls == model.CallsText, strings.Contains(s.Requests()[0].System(), "t_echo"))
		})
	}
}
