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
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// However a reply with a request is cut on its way, nothing runs unless its finish reason came through whole.
func TestNothingRunsOfAReplyThatWasCut(t *testing.T) {
	var ran atomic.Int64
	bell, err := tool.New("ring", "Rings the bell.", func(context.Context, struct{}) (string, error) {
		ran.Add(1)
		return "ding", nil
	}, tool.AgentCallable())
	require.NoError(t, err)
	registry := tool.NewRegistry()
	require.NoError(t, registry.Register(tool.Tool{ID: "bell", Methods: []tool.Method{bell}}))
	request, err := vcp.Protocol{}.FormatToolRequests([]protocol.ToolRequest{{ToolName: "bell_ring"}})
	require.NoError(t, err)

	s := modelserver.Start(t)
	e, err := engine.New(engine.Options{
		Registry: registry, Protocols: []protocol.Protocol{vcp.Protocol{}}, Config: engine.DefaultConfig(),
		Model:  newClient(t, model.Options{BaseURL: s.URL, Model: "scripted"}),
		Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)

	replies := map[string]modelserver.Reply{
		"one request":                  modelserver.Pieces("Ringing.\n", request),
		"reasoning, then two requests": {Reasoning: []string{"Twice, ", "then."}, Pieces: []string{request + "\n", request}, Finish: "stop"},
		"a request and no DONE":        {Pieces: []string{request, "\nRung."}, Finish: "stop", NoDone: true},
	}
	for name, whole := range replies {
		t.Run(name, func(t *testing.T) {
			body := whole.Body(true)
			finished := strings.Index(body, `"finish_reason":"stop"`)
			finished += strings.Index(body[finished:], "\n")
			calls := int64(strings.Count(body, "tool_name"))
			for n := range len(body) {
				for _, cut := range []modelserver.Reply{whole.Cut(n), modelserver.Raw("text/event-stream", body[:n])} {
					ran.Store(0)
					s.Add(cut)
					if n >= finished {
						s.Add(modelserver.Text("It rang."))
					}
					var last engine.Event
					var failed error
					for last, failed = range e.NewSession(fmt.Sprint(n)).Run(t.Context(), hello.Messages) {
						require.False(t, last.Kind == engine.EventToolStarted && n < finished, "cut at %d", n)
					}
					require.Zero(t, s.Left())
					require.Equal(t, engine.EventRunDone, last.Kind)
					if n >= finished {
						require.Equal(t, engine.StopDone, last.Stop, "cut at %d", n)
						require.Equal(t, calls, ran.Load(), "cut at %d", n)
						continue
					}
					// The last event says what happened: a failure has its error, and a clean end is an incomplete reply.
					require.Zero(t, ran.Load(), "cut at %d", n)
					if failed == nil {
						require.Equal(t, engine.StopIncomplete, last.Stop, "cut at %d", n)
						continue
					}
					require.Equal(t, engine.StopModelError, last.Stop, "cut at %d", n)
					_ = requireError(t, failed)
				}
			}
		})
	}
}
