package chat_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
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

	shown := model.requests[2].Messages
	require.True(t, strings.HasPrefix(shown[0].Content, "Be polite.\n\n"))
	require.Equal(t, []protocol.Message{
		{Role: protocol.RoleUser, Content: "What does it say?"},
		{Role: protocol.RoleAssistant, Content: request},
		{Role: protocol.RoleUser, Content: shown[3].Content}, // checked below
		{Role: protocol.RoleAssistant, Content: "It says hi."},
		{Role: protocol.RoleUser, Content: "Thanks."},
	}, shown[1:])
	results, err := vcp.Protocol{}.ParseToolResults(shown[3].Content)
	require.NoError(t, err)
	require.Equal(t, []protocol.ToolResult{
		{ResultID: "1.1", ToolName: "t_echo", Status: protocol.StatusSuccess, Result: "hi"},
	}, results)
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
		// continues says that Continue begins a turn; otherwise it yields ErrNothingToContinue.
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
			[]reply{
				says("See. ", block(t, "t_echo"), malformed, block(t, "t_fail"), block(t, "t_nothing")), says("Done."),
			},
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
			[]reply{ends("", block(t, "t_echo")[:55])}, // to the end of the tool's name
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

func TestARefusedTurnChangesNothing(t *testing.T) {
	c := conversation(t, &script{replies: []reply{says("Hello.")}}, nil)
	for _, tt := range []struct {
		name string
		turn func() outcome
		want error
		text string // a part of the error
	}{
		{
			"a blank text is refused", func() outcome { return collect(t, c.Send(t.Context(), " \n")) },
			chat.ErrEmptyText, "give Send a text",
		},
		{
			"Continue needs an unfinished turn", func() outcome { return collect(t, c.Continue(t.Context())) },
			chat.ErrNothingToContinue, "ask something with Send",
		},
		{
			"Resolve needs a dispatched request", func() outcome { return collect(t, c.Resolve(t.Context())) },
			chat.ErrNothingPending, "no dispatched request waits",
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
		}))
	require.NoError(t, collect(t, c.Send(t.Context(), "Go.")).err)
	require.Equal(t, "test", id)
}
