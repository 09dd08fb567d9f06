package chat_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
)

// dispatchedCalls returns a conversation in mode manual whose model requests three calls and a
// broken one, and the texts that echo receives.
func dispatchedCalls(t testing.TB) (c *chat.Conversation, model *script, ran *[]string) {
	t.Helper()
	ran = new([]string)
	model = &script{replies: []reply{
		says("See: ", block(t, "t_note", "text", "a"), block(t, "t_note", "text", "b", "count", "3"), block(t, "host_open", "label", "win"), malformed),
		says("Done."),
	}}
	c = conversation(t, model, manual, fn(t, "note", func(_ context.Context, in in) (string, error) {
		*ran = append(*ran, in.Text)
		return "noted " + in.Text, nil
	}))
	got := take(t, c.Send(t.Context(), "Go."))
	require.NoError(t, got.err)
	require.Equal(t, engine.StopManual, got.stop)
	require.Empty(t, *ran)
	require.Len(t, c.Pending(), 4)
	return c, model, ran
}

func TestDecisionsSettleDispatchedRequests(t *testing.T) {
	c, model, ran := dispatchedCalls(t)
	require.Equal(t, []string{
		"user: Go.", "assistant: See:  [1.1 t_note dispatched] [1.2 t_note dispatched] [1.3 host_open dispatched] [1.4  dispatched]",
	}, brief(c.History()))

	got := take(t, c.Resolve(t.Context(), chat.Supply("1.3", "opened"), chat.Approve("1.2"), chat.Deny("1.1", "Not that one.")))
	require.NoError(t, got.err)
	require.Equal(t, engine.StopDone, got.stop)
	require.Equal(t, []string{"tool_done", "tool_done", "tool_done", "tool_done", "text", "turn_done", "run_done"}, got.kinds)
	require.Equal(t, "1.2 success noted b", got.done[1])
	require.Equal(t, []string{"b"}, *ran)
	require.Empty(t, c.Pending())
	history := brief(c.History())
	require.Equal(t, "user [1.1 errorpermission_denied] [1.2 success] [1.3 success] [1.4 errormalformed_request]", history[2])
	require.Equal(t, "assistant: Done.", history[3])
	require.JSONEq(t, `{"text":"b","count":3}`, string(c.History()[2].ToolCall[1].Arguments))
	require.Equal(t, 4, requirePaired(t, model.asked[1]))
	require.Contains(t, model.asked[1].Messages[3].Content, "Not that one.")
	require.Contains(t, model.asked[1].Messages[3].Content, "win", "the model's own label")
}

func TestWrongDecisionsRunNothing(t *testing.T) {
	all := []chat.Decision{chat.Approve("1.1"), chat.Approve("1.2"), chat.Approve("1.3")}
	for _, tt := range []struct {
		name      string
		answers   []chat.Decision
		id, error string
	}{
		{"a request without a decision", all[:2], "1.3", "give one with Approve, Supply or Deny"},
		{"no decisions at all", nil, "1.1", "has no decision"},
		{"a request that does not wait", append(all[:3:3], chat.Deny("9.9", "")), "9.9", "Pending lists those that do"},
		{"two decisions on one request", append(all[:3:3], chat.Deny("1.1", "")), "1.1", "has two decisions"},
		{"the zero Decision", append(all[:3:3], chat.Decision{}), "", "make it with Approve, Supply or Deny"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, model, ran := dispatchedCalls(t)
			got := take(t, c.Resolve(t.Context(), tt.answers...))
			var wrong *chat.DecisionError
			require.ErrorAs(t, got.err, &wrong)
			require.Equal(t, tt.id, wrong.RequestID)
			require.ErrorContains(t, got.err, tt.error)
			require.Empty(t, *ran)
			require.Len(t, model.asked, 1)
			require.Len(t, c.Pending(), 4)
		})
	}
}

func TestContinueNeedsDecisionsFirst(t *testing.T) {
	c, model, _ := dispatchedCalls(t)
	require.ErrorIs(t, take(t, c.Continue(t.Context())).err, chat.ErrPending)
	require.Len(t, model.asked, 1)
}

func TestSendDeniesPendingRequests(t *testing.T) {
	c, model, ran := dispatchedCalls(t)
	got := take(t, c.Send(t.Context(), "Never mind."))
	require.NoError(t, got.err)
	require.Empty(t, *ran)
	require.Len(t, got.done, 4)
	require.Equal(t, "user [1.1 errorpermission_denied] [1.2 errorpermission_denied] [1.3 errorpermission_denied] [1.4 errormalformed_request]",
		brief(c.History())[2])
	require.Equal(t, "user: Never mind.", brief(c.History())[3])
	require.Equal(t, 4, requirePaired(t, model.asked[1]))
}

func TestResolveRecordsResultsOfACanceledTurn(t *testing.T) {
	c, model, ran := dispatchedCalls(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := take(t, c.Resolve(ctx, chat.Approve("1.1"), chat.Approve("1.2"), chat.Supply("1.3", "opened")))
	require.Equal(t, engine.StopCanceled, got.stop)
	require.ErrorIs(t, got.err, context.Canceled)
	require.Empty(t, *ran)
	require.Equal(t, "user [1.1 errorcanceled] [1.2 errorcanceled] [1.3 success] [1.4 errorcanceled]", brief(c.History())[2])
	require.Len(t, model.asked, 1, "the model is not asked")
	require.NoError(t, take(t, c.Continue(t.Context())).err)
	require.Equal(t, 4, requirePaired(t, model.asked[1]))
}

func TestResolveKeepsResultsIfItsListenerStops(t *testing.T) {
	c, model, _ := dispatchedCalls(t)
	for _, err := range c.Resolve(t.Context(), chat.Approve("1.1"), chat.Approve("1.2"), chat.Deny("1.3", "")) {
		require.NoError(t, err)
		break
	}
	require.Len(t, c.History()[2].ToolCall, 4)
	require.Len(t, model.asked, 1)
	require.NoError(t, take(t, c.Send(t.Context(), "Go on.")).err)
	require.Equal(t, 4, requirePaired(t, model.asked[1]))
}

// It decides on the requests of an earlier conversation.
func TestDispatchedRequestsSurviveARestart(t *testing.T) {
	before, _, _ := dispatchedCalls(t)
	raw, err := json.Marshal(before.Snapshot())
	require.NoError(t, err)
	var s chat.Snapshot
	require.NoError(t, json.Unmarshal(raw, &s))

	var ran []string
	model := &script{replies: []reply{says(block(t, "t_note")), says("Done.")}}
	c, err := chat.Restore(engineOf(t, model, manual, fn(t, "note", func(_ context.Context, in in) (string, error) {
		ran = append(ran, in.Text)
		return "", nil
	})), s)
	require.NoError(t, err)
	require.Equal(t, before.Pending(), c.Pending())
	got := take(t, c.Resolve(t.Context(), chat.Approve("1.1"), chat.Approve("1.2"), chat.Supply("1.3", "opened")))
	require.NoError(t, got.err)
	require.Equal(t, []string{"a", "b"}, ran)
	require.Equal(t, 4, requirePaired(t, model.asked[0]))
	require.Contains(t, model.asked[0].Messages[3].Content, "win")
	require.Equal(t, "2.1", c.Pending()[0].RequestID, "new ids are above the earlier ones")
}
