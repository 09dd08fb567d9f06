package chat_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

func TestAModelIsShownRequestsWithTheirResults(t *testing.T) {
	request := "See.\n" + block(t, "t_echo", "text", "hi")
	model := &script{replies: []reply{says(request), says("It says hi."), says("Bye.")}}
	c := conversation(t, model, nil)
	require.NoError(t, collect(t, c.Send(t.Context(), "What does it say?")).err)
	c.SetSystem("Be polite.")
	require.NoError(t, collect(t, c.Send(t.Context(), "Thanks.")).err)

	require.Len(t, model.requests, 3)
	system := model.requests[0].Messages[0]
	require.Equal(t, protocol.RoleSystem, system.Role)
	require.Equal(t, "Be brief.\n\n"+c.Tools().Prompt(), system.Content, "the system prompt and the definitions")
	definitions, err := vcp.Protocol{}.ParseToolDefinitions(system.Content)
	require.NoError(t, err)
	require.Len(t, definitions, 3, "echo, fail, and the method that reads long results")

	last := model.requests[2].Messages
	require.True(t, strings.HasPrefix(last[0].Content, "Be polite.\n\n"))
	require.Equal(t, []protocol.Message{
		{Role: protocol.RoleUser, Content: "What does it say?"},
		{Role: protocol.RoleAssistant, Content: request},
		{Role: protocol.RoleUser, Content: last[3].Content},
		{Role: protocol.RoleAssistant, Content: "It says hi."},
		{Role: protocol.RoleUser, Content: "Thanks."},
	}, last[1:])
	results, err := vcp.Protocol{}.ParseToolResults(last[3].Content)
	require.NoError(t, err)
	require.Equal(t, []protocol.ToolResult{{RequestID: "1.1", ToolName: "t_echo", Status: protocol.StatusSuccess, Result: "hi"}}, results)
}

func TestATurnKeepsWhatWasDoneHoweverItEnds(t *testing.T) {
	gone := errors.New("connection refused")
	for _, tt := range []struct {
		name    string
		change  func(*engine.Config)
		replies []reply
		stop    engine.StopReason
		err     error
		history []string // after the user's message
		// continues says that Continue resumes the turn; if not, it has nothing to do.
		continues bool
	}{
		{
			"a reply without requests ends the turn", nil,
			[]reply{says("Hello.")},
			engine.StopDone, nil,
			[]string{"assistant: Hello."},
			false,
		},
		{
			"after two empty replies the question stays open", nil,
			[]reply{says(), says()},
			engine.StopDone, nil,
			[]string{"user: Your reply contained no answer. Answer the user now. If you need a tool, write a request."},
			true,
		},
		{
			"calls get results before the model continues", nil,
			[]reply{says("See. ", block(t, "t_echo"), malformed, block(t, "t_fail"), block(t, "t_nothing")), says("Done.")},
			engine.StopDone, nil,
			[]string{
				"assistant: See.  [1.1 t_echo answered] [1.2  answered] [1.3 t_fail answered] [1.4 t_nothing answered]",
				"user [1.1 success] [1.2 error malformed_request] [1.3 error execution_failed] [1.4 error method_not_found]",
				"assistant: Done.",
			},
			false,
		},
		{
			"after a model error the question stays open", nil,
			[]reply{{err: gone}},
			engine.StopModelError, gone, nil, true,
		},
		{
			"what a model wrote before it failed is kept", nil,
			[]reply{{deltas: ends("", "One. Tw").deltas, err: gone}},
			engine.StopModelError, gone,
			[]string{"assistant, incomplete: One. Tw"},
			true,
		},
		{
			"a model that fails after a call loses no result", nil,
			[]reply{says(block(t, "t_echo")), {err: gone}},
			engine.StopModelError, gone,
			[]string{"assistant:  [1.1 t_echo answered]", "user [1.1 success]"},
			true,
		},
		{
			"a truncated reply runs nothing", nil,
			[]reply{ends("", "See. ", block(t, "t_echo"))},
			engine.StopIncomplete, nil,
			[]string{"assistant, incomplete: See.  [1.1 t_echo not_run]"},
			true,
		},
		{
			"a reply that is truncated in its first call has no text", nil,
			[]reply{ends("", block(t, "t_echo")[:55])},
			engine.StopIncomplete, nil,
			[]string{"assistant, incomplete:  [1.1 t_echo not_run]"},
			true,
		},
		{
			"a token limit makes a reply incomplete", nil,
			[]reply{ends(protocol.FinishLength, "One. Tw")},
			engine.StopIncomplete, nil,
			[]string{"assistant, incomplete: One. Tw"},
			true,
		},
		{
			"the last reply at the limit runs nothing", func(c *engine.Config) { c.MaxIterations = 1 },
			[]reply{says(block(t, "t_echo")), says("Again: ", block(t, "t_echo")), says("Enough.")},
			engine.StopMaxIterations, nil,
			[]string{
				"assistant:  [1.1 t_echo answered]", "user [1.1 success]", "assistant: Again:  [2.1 t_echo not_run]",
				"user: Your last reply requested a tool again. It was not run.", "assistant: Enough.",
			},
			false,
		},
		{
			"without tool calling nothing runs", func(c *engine.Config) { c.Enabled = false },
			[]reply{says("See. ", block(t, "t_echo"))},
			engine.StopDone, nil,
			[]string{"assistant: See.  [1.1 t_echo not_run]"},
			true,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			model := &script{replies: append(tt.replies, says("I am back."))}
			c := conversation(t, model, tt.change)
			got := collect(t, c.Send(t.Context(), "Go."))
			require.Equal(t, tt.stop, got.stop)
			require.ErrorIs(t, got.err, tt.err)
			require.Equal(t, append([]string{"user: Go."}, tt.history...), brief(c.History()))

			if !tt.continues {
				require.ErrorIs(t, collect(t, c.Continue(t.Context())).err, chat.ErrNothingToContinue)
				require.ErrorIs(t, c.CanContinue(), chat.ErrNothingToContinue)
				return
			}
			require.NoError(t, c.CanContinue())
			require.NoError(t, collect(t, c.Continue(t.Context())).err)
			last, _ := c.Last()
			require.Equal(t, "I am back.", last.Text)
			requirePaired(t, model.requests[len(model.requests)-1])
		})
	}
}

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
			"assistant: One. Two.  [1.1 t_stop answered] [1.2 t_echo answered]", "user [1.1 error canceled] [1.2 error canceled]",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			reach := func(at string) {
				if at == tt.at {
					cancel(stop)
				}
			}
			model := &script{
				replies: []reply{says("One. ", "Two. ", block(t, "t_stop"), block(t, "t_echo"))},
				before: func(i int) {
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

// After a listener has stopped, at any item of a turn and in any of three ways, the conversation
// can continue.
func TestAConversationSurvivesAnyListener(t *testing.T) {
	for _, way := range []string{"break", "cancel", "panic"} {
		t.Run(way, func(t *testing.T) {
			most := 0 // requests that the model was shown
			for n := 1; ; n++ {
				model := &script{replies: []reply{
					says("See: ", block(t, "t_echo", "text", "a"), " and ", block(t, "t_wait"), block(t, "t_wait")), says("Done."),
				}}
				c := conversation(t, model, nil,
					fn(t, "wait", func(ctx context.Context, _ in) (string, error) { return "waited", ctx.Err() }))
				seen, more := stopAfter(t, c, way, n)
				if !more {
					require.Greater(t, n, 15)
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

func TestARefusedTurnChangesNothing(t *testing.T) {
	c := conversation(t, &script{replies: []reply{says("Hello.")}}, nil)
	for _, tt := range []struct {
		name string
		turn func() outcome
		want error
		text string
	}{
		{"a blank text is refused", func() outcome { return collect(t, c.Send(t.Context(), " \n")) }, chat.ErrEmptyText, "give Send a text"},
		{
			"Continue needs an unfinished turn", func() outcome { return collect(t, c.Continue(t.Context())) },
			chat.ErrNothingToContinue, "ask something with Send",
		},
		{
			"Resolve needs a dispatched request", func() outcome { return collect(t, c.Resolve(t.Context())) },
			chat.ErrNothingPending, "mode manual",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.turn()
			require.ErrorIs(t, got.err, tt.want)
			require.ErrorContains(t, got.err, `chat: conversation "test": `)
			require.ErrorContains(t, got.err, tt.text)
			require.Len(t, got.kinds, 1)
			require.Empty(t, c.History())
		})
	}
	require.NoError(t, collect(t, c.Send(t.Context(), "Hello?")).err, "the conversation stays usable")
}

func TestASecondTurnIsRefusedWhileOneRuns(t *testing.T) {
	c := conversation(t, &script{replies: []reply{says("One. ", "Two."), says("Three.")}}, nil)
	refused := 0
	for ev, err := range c.Send(t.Context(), "Go.") {
		require.NoError(t, err)
		if ev.Kind != engine.EventText {
			continue
		}
		require.ErrorIs(t, c.CanContinue(), chat.ErrBusy)
		for _, turn := range []func() outcome{
			func() outcome { return collect(t, c.Send(t.Context(), "Me too.")) },
			func() outcome { return collect(t, c.Continue(t.Context())) },
			func() outcome { return collect(t, c.Resolve(t.Context(), chat.Approve("1.1", ""))) },
		} {
			got := turn()
			require.ErrorIs(t, got.err, chat.ErrBusy)
			require.ErrorContains(t, got.err, "cancel its context")
			refused++
		}
		require.Equal(t, []string{"user: Go."}, brief(c.History()), "the history can be read meanwhile")
	}
	require.Positive(t, refused)
	require.NoError(t, collect(t, c.Send(t.Context(), "And now?")).err)
	require.Equal(t, []string{"user: Go.", "assistant: One. Two.", "user: And now?", "assistant: Three."}, brief(c.History()))
}

func TestATurnIsOverWithItsLastEvent(t *testing.T) {
	c := conversation(t, &script{replies: []reply{ends(protocol.FinishUnknown, "On"), says("Two.")}}, nil)
	for ev, err := range c.Send(t.Context(), "Go.") {
		require.NoError(t, err)
		if ev.Kind == engine.EventRunDone {
			require.Equal(t, []string{"user: Go.", "assistant, incomplete: On"}, brief(c.History()))
			require.NoError(t, collect(t, c.Send(t.Context(), "And now?")).err)
		}
	}
	require.Equal(t, []string{"user: Go.", "assistant, incomplete: On", "user: And now?", "assistant: Two."}, brief(c.History()))
}

func TestStopEndsTheTurnThatRuns(t *testing.T) {
	c := conversation(t, &script{replies: []reply{says("One. ", "Two."), says("Three.")}}, nil)
	require.False(t, c.Stop(), "no turn runs")
	var stop engine.StopReason
	for ev := range c.Send(t.Context(), "Go.") { //nolint:errcheck // it is the cause of the stop
		if stop = ev.Stop; ev.Kind == engine.EventText {
			require.True(t, c.Stop())
		}
	}
	require.Equal(t, engine.StopCanceled, stop)
	require.False(t, c.Stop())
	require.NoError(t, collect(t, c.Send(t.Context(), "And now?")).err)
}

// Many goroutines use one conversation. Each turn either runs to its end or is refused.
func TestConcurrentTurnsRunOrAreRefused(t *testing.T) {
	model := &script{}
	for range 50 {
		model.replies = append(model.replies, says(block(t, "t_echo", "text", "x")), says("Done."))
	}
	c := conversation(t, model, nil)
	var wg sync.WaitGroup
	var mu sync.Mutex
	ran := 0
	for range 50 {
		wg.Go(func() {
			got := collect(t, c.Send(t.Context(), "Go."))
			_, _ = c.Last()
			c.SetSystem("Be brief.")
			_ = c.History()
			mu.Lock()
			defer mu.Unlock()
			if got.err == nil {
				ran++
			} else if !errors.Is(got.err, chat.ErrBusy) {
				t.Error(got.err)
			}
		})
	}
	wg.Wait()
	require.Positive(t, ran)
	require.Len(t, c.History(), 4*ran)
}

func TestSendSendsEachTimeItIsRangedOver(t *testing.T) {
	model := &script{replies: []reply{says("One."), says("Two.")}}
	c := conversation(t, model, nil)
	turn := c.Send(t.Context(), "Go.")
	require.Empty(t, c.History(), "nothing is sent before turn is ranged over")
	require.NoError(t, collect(t, turn).err)
	require.NoError(t, collect(t, turn).err)
	require.Equal(t, []string{"user: Go.", "assistant: One.", "user: Go.", "assistant: Two."}, brief(c.History()))
}

func TestATurnWithoutAModelFails(t *testing.T) {
	c := conversation(t, nil, nil)
	got := collect(t, c.Send(t.Context(), "Go."))
	require.Equal(t, engine.StopModelError, got.stop)
	require.ErrorContains(t, got.err, "Options.Model is missing")
	require.Equal(t, []string{"user: Go."}, brief(c.History()))
}

func TestAToolKnowsItsConversation(t *testing.T) {
	var id string
	c := conversation(t, &script{replies: []reply{says(block(t, "t_who")), says("Done.")}}, nil,
		fn(t, "who", func(ctx context.Context, _ in) (string, error) {
			id = engine.SessionFrom(ctx).ID()
			return id, nil
		}, tool.Title("Who")))
	require.NoError(t, collect(t, c.Send(t.Context(), "Go.")).err)
	require.Equal(t, "test", id)
}
