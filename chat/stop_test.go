package chat_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/tool"
)

func TestACanceledTurnKeepsWhatWasDone(t *testing.T) {
	stop := errors.New("the user pressed stop")
	for _, tt := range []struct {
		name    string
		at      string // when the user stops
		history []string
	}{
		{"before it begins, the question stays", "begin", nil},
		{"while the model writes, its words stay", "write", []string{"assistant, incomplete: One. "}},
		{"while a tool runs, each request has a result", "tool", []string{
			"assistant: One. Two.  [1.1 t_stop answered] [1.2 t_echo answered]",
			"user [1.1 error canceled] [1.2 error canceled]",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			// reach is called when the turn reaches the point at.
			reach := func(at string) {
				if at == tt.at {
					cancel(stop)
				}
			}
			model := &script{
				replies: []reply{says("One. ", "Two. ", block(t, "t_stop"), block(t, "t_echo"))},
				beforeDelta: func(i int) {
					if i == 1 {
						reach("write")
					}
				},
			}
			c := conversation(t, model, nil, fn(t, "stop", func(ctx context.Context, _ in) (string, error) {
				reach("tool")
				<-ctx.Done()
				return "", ctx.Err()
			}))
			reach("begin")
			got := collect(t, c.Send(ctx, "Go."))
			require.Equal(t, engine.StopCanceled, got.stop)
			require.ErrorIs(t, got.err, stop)
			require.Equal(t, append([]string{"user: Go."}, tt.history...), brief(c.History()))

			n := len(model.requests)
			if tt.at == "begin" {
				require.Zero(t, n)
			}
			model.replies = append(model.replies[:n:n], says("I am back."))
			require.NoError(t, collect(t, c.Send(t.Context(), "Go on.")).err)
			requirePaired(t, model.requests[n])
		})
	}
}

// The code that ranges over a turn, the listener, may stop at any item and in any of three ways.
// The conversation can continue after that.
func TestAConversationSurvivesAnyListener(t *testing.T) {
	for _, way := range []string{"break", "cancel", "panic"} {
		t.Run(way, func(t *testing.T) {
			most := 0 // the most requests that the model was shown after a stop
			for n := 1; ; n++ {
				wait := block(t, "t_wait")
				model := &script{replies: []reply{
					says("See: ", block(t, "t_echo", "text", "a"), " and ", wait, wait), says("Done."),
				}}
				c := conversation(t, model, nil,
					fn(t, "wait", func(ctx context.Context, _ in) (string, error) { return "waited", ctx.Err() }))
				seen, more := stopAfter(t, c, way, n)
				if !more {
					require.Greater(t, n, 15, "the turn has many items")
					require.Equal(t, 3, most)
					break
				}
				history := c.History()
				require.Equal(t, "Go.", history[0].Content, "the user's message stays")
				if len(history) == 1 {
					require.Empty(t, seen, "text that the listener got stays")
				} else {
					require.Contains(t, history[1].Text, strings.TrimSpace(seen))
				}
				sent := len(model.requests)
				model.replies = append(model.replies[:sent:sent], says("I am back."))
				require.NoError(t, collect(t, c.Send(t.Context(), "Go on.")).err, "the conversation stays usable")
				require.Len(t, model.requests, sent+1)
				most = max(most, requirePaired(t, model.requests[sent]))
			}
		})
	}
}

// stopAfter reads n items of a turn and then stops. It returns the text of the first reply in these
// items, and whether the turn had more items.
func stopAfter(t testing.TB, c *chat.Conversation, way string, n int) (seen string, more bool) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	defer func() {
		if p := recover(); p != nil && p != listenerPanic {
			panic(p)
		}
	}()
	items := 0
	for ev, err := range c.Send(ctx, "Go.") {
		if ev.IterationNumber == 1 && ev.Kind == engine.EventText {
			seen += ev.Text
		}
		if items++; items != n {
			continue
		}
		require.NoError(t, err)
		more = ev.Kind != engine.EventRunDone
		switch way {
		case "break":
			return seen, more
		case "panic":
			panic(listenerPanic)
		}
		cancel()
	}
	return seen, more
}

// listenerPanic is the value with which a listener panics.
const listenerPanic = "the listener panics"

func TestStoppingWaitsForToolsAndKeepsTheirResults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := &script{replies: []reply{says(block(t, "t_slow"))}}
		slow, err := tool.Raw("slow", "works on", nil, func(ctx context.Context, call *tool.Call) (tool.Output, error) {
			call.Progress("half way")
			<-ctx.Done()
			time.Sleep(time.Second) // cleaning up
			return tool.Output{Text: "half done"}, nil
		}, tool.AgentCallable())
		require.NoError(t, err)
		c := conversation(t, model, nil, slow)
		for ev, err := range c.Send(t.Context(), "Go.") {
			require.NoError(t, err)
			if ev.Kind == engine.EventToolProgress {
				break
			}
		}
		last, _ := c.Last()
		require.Len(t, last.Outcomes, 1)
		require.Equal(t, "half done", last.Outcomes[0].Result)
		require.Equal(t, int64(1000), last.Outcomes[0].DurationMs)
		require.Len(t, model.requests, 1)
	})
}

func TestStopEndsTheTurnThatRuns(t *testing.T) {
	c := conversation(t, &script{replies: []reply{says("One. ", "Two."), says("Three.")}}, nil)
	require.False(t, c.Stop(), "no turn runs")
	var stop engine.StopReason
	for ev := range c.Send(t.Context(), "Go.") { //nolint:errcheck // the error is that of the stop
		if stop = ev.Stop; ev.Kind == engine.EventText {
			require.True(t, c.Stop())
		}
	}
	require.Equal(t, engine.StopCanceled, stop)
	require.False(t, c.Stop())
	require.NoError(t, collect(t, c.Send(t.Context(), "And now?")).err)
}
