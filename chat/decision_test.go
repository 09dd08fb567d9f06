package chat_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/tool"
)

// dispatchedCalls returns a conversation in mode manual whose model made three requests and a
// malformed one. It also returns the model, and the texts with which the method note ran.
func dispatchedCalls(t testing.TB) (c *chat.Conversation, model *script, ran *[]string) {
	t.Helper()
	return dispatchedCallsIn(t, testStore())
}

// dispatchedCallsIn is like dispatchedCalls, with the given store, which may be nil.
func dispatchedCallsIn(t testing.TB, store chat.Store) (c *chat.Conversation, model *script, ran *[]string) {
	t.Helper()
	ran = new([]string)
	model = &script{replies: []reply{
		says("See: ", block(t, "t_note", "text", "a"), block(t, "t_note", "text", "b", "count", "3"),
			block(t, "host_open", "label", "win"), malformed),
		says("Done."),
	}}
	c = conversationIn(t, store, model, manual, fn(t, "note", func(_ context.Context, in in) (string, error) {
		*ran = append(*ran, in.Text)
		return "noted " + in.Text, nil
	}))
	got := collect(t, c.Send(t.Context(), "Go."))
	require.NoError(t, got.err)
	require.Equal(t, engine.StopManual, got.stop)
	require.Empty(t, *ran)
	require.Len(t, c.Pending(), 4)
	return c, model, ran
}

func TestDecisionsSettleDispatchedRequests(t *testing.T) {
	c, model, ran := dispatchedCalls(t)
	require.Equal(t, []string{
		"user: Go.",
		"assistant: See:  [1.1 t_note dispatched] [1.2 t_note dispatched] [1.3 host_open dispatched] [1.4  dispatched]",
	}, brief(c.History()))

	got := collect(t, c.Resolve(t.Context(),
		supply(c, "1.3", "opened"), approve(c, "1.2"), deny(c, "1.1", "Not that one.")))
	require.NoError(t, got.err)
	require.Equal(t, engine.StopDone, got.stop)
	require.Equal(t, "tool_done tool_done tool_done tool_done text iteration_done run_done",
		strings.Join(got.kinds, " "))
	require.Equal(t, "1.2 success noted b", got.done[1])
	require.Equal(t, []string{"b"}, *ran)
	require.Empty(t, c.Pending())
	require.Equal(t, []string{
		"user [1.1 error permission_denied] [1.2 success] [1.3 success] [1.4 error malformed_request]",
		"assistant: Done.",
	}, brief(c.History())[2:])
	require.JSONEq(t, `{"text":"b","count":3}`, string(c.History()[2].Outcomes[1].Arguments))
	require.Equal(t, 4, requirePaired(t, model.requests[1]))
	require.Contains(t, model.requests[1].Messages[3].Content, "Not that one.")
	require.Contains(t, model.requests[1].Messages[3].Content, "win", "the model's own label")
}

// The requests 1.1, 1.2 and 1.3 wait for decisions. Each case changes right decisions on them into
// wrong ones. id1 is the ID of request 1.1, and digest2 the digest of request 1.2.
func TestWrongDecisionsRunNothing(t *testing.T) {
	type list = []chat.Decision
	for _, tt := range []struct {
		name      string
		decisions func(right list, id1 string, digest2 executor.Digest) list
		wantID    string
		wantError string
	}{
		{
			"a request without a decision", func(right list, _ string, _ executor.Digest) list { return right[:2] },
			"1.3", "give one with Approve, Supply or Deny",
		},
		{
			"no decisions at all", func(list, string, executor.Digest) list { return nil },
			"1.1", "has no decision",
		},
		{
			"a request that does not wait",
			func(right list, _ string, _ executor.Digest) list { return append(right, chat.Deny("9.9", "", "")) },
			"9.9", "Pending lists the calls that do",
		},
		{
			"two decisions on one request",
			func(right list, _ string, _ executor.Digest) list { return append(right, right[0]) },
			"1.1", "has two decisions",
		},
		{
			"the zero Decision",
			func(right list, _ string, _ executor.Digest) list { return append(right, chat.Decision{}) },
			"", "make it with Approve, Supply or Deny",
		},
		{
			"an approval of another call",
			func(right list, id1 string, digest2 executor.Digest) list {
				return append(right[1:], chat.Approve(id1, digest2))
			},
			"1.1", "about another call",
		},
		{
			"an approval without a digest",
			func(right list, id1 string, _ executor.Digest) list { return append(right[1:], chat.Approve(id1, "")) },
			"1.1", "about another call",
		},
		{
			"a denial of another call",
			func(right list, id1 string, digest2 executor.Digest) list {
				return append(right[1:], chat.Deny(id1, digest2, ""))
			},
			"1.1", "about another call",
		},
		{
			"a result of another call",
			func(right list, id1 string, digest2 executor.Digest) list {
				return append(right[1:], chat.Supply(id1, digest2, "x"))
			},
			"1.1", "about another call",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, model, ran := dispatchedCalls(t)
			right := list{approve(c, "1.1"), approve(c, "1.2"), approve(c, "1.3")}
			id1, digest2 := pendingCall(c.Pending(), "1.1").RequestID, pendingCall(c.Pending(), "1.2").Digest
			got := collect(t, c.Resolve(t.Context(), tt.decisions(right, id1, digest2)...))
			var wrong *executor.DecisionError
			require.ErrorAs(t, got.err, &wrong)
			require.Equal(t, tt.wantID, shortID(wrong.RequestID))
			require.ErrorContains(t, got.err, tt.wantError)
			require.Empty(t, *ran)
			require.Len(t, model.requests, 1)
			require.Len(t, c.Pending(), 4)
		})
	}
}

func TestAnApprovedCallRunsUnlessThePolicyIsNever(t *testing.T) {
	for approve, want := range map[policy.Approve]string{
		policy.ApproveAsk: "1.1 success hi", policy.ApproveWrite: "1.1 success hi",
		policy.ApproveNever: "1.1 error permission_denied The settings do not allow this call: approve: never.",
	} {
		t.Run(string(approve), func(t *testing.T) {
			model := &script{replies: []reply{says(block(t, "t_echo", "text", "hi")), says("Done.")}}
			c := conversation(t, model, func(c *engine.Config) { c.Mode, c.Approve = engine.ModeManual, approve })
			require.NoError(t, collect(t, c.Send(t.Context(), "Go.")).err)
			p := c.Pending()[0]
			require.Equal(t, want, collect(t, c.Resolve(t.Context(), chat.Approve(p.RequestID, p.Digest))).done[0])
		})
	}
}

func TestPendingShowsTheCall(t *testing.T) {
	login := fn(t, "login", func(context.Context, in) (string, error) { return "", nil },
		tool.SecretParameters("text"), tool.WithRisk(tool.RiskDangerous))
	model := &script{replies: []reply{says(block(t, "t_login", "text", "hush", "count", "3"), block(t, "t_lgin"))}}
	c := conversation(t, model, manual, login)
	require.NoError(t, collect(t, c.Send(t.Context(), "Go.")).err)
	list := c.Pending()
	require.Equal(t, executor.PendingCall{
		RequestID: list[0].RequestID, Digest: list[0].Digest, ToolName: "t_login", Method: "t_login",
		Risk: tool.RiskDangerous, Arguments: json.RawMessage(`{"text":"[secret]","count":3}`),
	}, list[0])
	require.Regexp(t, `^[a-z2-7]{26}$`, string(list[0].Digest))
	require.Contains(t, list[1].Problem, "t_lgin", "no method has that name")
	got := collect(t, c.Resolve(t.Context(), approve(c, "1.1"), approve(c, "1.2")))
	require.Contains(t, got.done[1], "method_not_found")
}

// If several conversations have the same ID, one after the other, their request IDs still differ.
func TestRequestIDsNeverRepeat(t *testing.T) {
	seen := map[string]bool{}
	for range 20 {
		c := conversation(t, &script{replies: []reply{says(block(t, "t_echo"))}}, manual)
		require.NoError(t, collect(t, c.Send(t.Context(), "Go.")).err)
		id := c.Pending()[0].RequestID
		require.Equal(t, "1.1", shortID(id))
		require.False(t, seen[id])
		seen[id] = true
	}
}

func TestDecideApprovesACallThatWaits(t *testing.T) {
	model := &script{replies: []reply{says(block(t, "t_echo", "text", "hi")), says("Done.")}}
	e := engineWith(t, model, func(o *engine.Options) {
		o.Config.Approve, o.Approver = policy.ApproveAsk, executor.AwaitDecision
	})
	c, err := chat.New(e, chat.Options{})
	require.NoError(t, err)
	decide := func(p executor.PendingCall, digest executor.Digest) error {
		return c.Decide(p.RequestID, digest, executor.Decision{Verdict: executor.VerdictAllow})
	}
	var pending executor.PendingCall
	for ev, err := range c.Send(t.Context(), "Go.") {
		require.NoError(t, err)
		if ev.Kind != engine.EventApprovalNeeded {
			continue
		}
		pending = ev.Approval.Pending()
		require.Equal(t, []executor.PendingCall{pending}, c.Pending())
		require.ErrorContains(t, decide(pending, "x"), "about another call")
		require.NoError(t, decide(pending, pending.Digest))
	}
	require.Equal(t, "user [1.1 success]", brief(c.History())[2])
	require.Equal(t, []executor.PendingCall{}, c.Pending(), "in JSON it is a list, not null")
	require.ErrorContains(t, decide(pending, pending.Digest), "does not wait for a decision now")
}

func TestDecideInModeManualNamesResolve(t *testing.T) {
	c, _, ran := dispatchedCalls(t)
	p := pendingCall(c.Pending(), "1.1")
	allow := executor.Decision{Verdict: executor.VerdictAllow}
	require.ErrorContains(t, c.Decide(p.RequestID, p.Digest, allow), "with Resolve")
	require.ErrorContains(t, c.Decide("9.9", p.Digest, allow), "Pending lists")
	require.Empty(t, *ran)
}

func TestContinueNeedsDecisionsFirst(t *testing.T) {
	c, model, _ := dispatchedCalls(t)
	require.ErrorIs(t, collect(t, c.Continue(t.Context())).err, chat.ErrPending)
	require.Len(t, model.requests, 1)
}

func TestSendDeniesPendingRequests(t *testing.T) {
	c, model, ran := dispatchedCalls(t)
	got := collect(t, c.Send(t.Context(), "Never mind."))
	require.NoError(t, got.err)
	require.Empty(t, *ran)
	require.Len(t, got.done, 4)
	const denied = "error permission_denied"
	require.Equal(t, []string{
		"user [1.1 " + denied + "] [1.2 " + denied + "] [1.3 " + denied + "] [1.4 error malformed_request]",
		"user: Never mind.",
	}, brief(c.History())[2:4])
	require.Equal(t, 4, requirePaired(t, model.requests[1]))
}

func TestResolveRecordsResultsOfACanceledTurn(t *testing.T) {
	c, model, ran := dispatchedCalls(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := collect(t, c.Resolve(ctx, approve(c, "1.1"), approve(c, "1.2"), supply(c, "1.3", "opened")))
	require.Equal(t, engine.StopCanceled, got.stop)
	require.ErrorIs(t, got.err, context.Canceled)
	require.Empty(t, *ran)
	require.Equal(t, "user [1.1 error canceled] [1.2 error canceled] [1.3 success] [1.4 error canceled]",
		brief(c.History())[2])
	require.Len(t, model.requests, 1, "the model is not asked")
	require.NoError(t, collect(t, c.Continue(t.Context())).err)
	require.Equal(t, 4, requirePaired(t, model.requests[1]))
}

func TestResolveKeepsResultsIfItsCallerStopsRanging(t *testing.T) {
	c, model, _ := dispatchedCalls(t)
	for _, err := range c.Resolve(t.Context(), approve(c, "1.1"), approve(c, "1.2"), deny(c, "1.3", "")) {
		require.NoError(t, err)
		break
	}
	require.Len(t, c.History()[2].Outcomes, 4)
	require.Len(t, model.requests, 1)
	require.NoError(t, collect(t, c.Send(t.Context(), "Go on.")).err)
	require.Equal(t, 4, requirePaired(t, model.requests[1]))
}

// A process that opens a conversation again decides on requests that an earlier process dispatched.
func TestDispatchedRequestsSurviveARestart(t *testing.T) {
	store := chat.NewMemoryStore()
	first, _, _ := dispatchedCallsIn(t, store)
	var ran []string
	model := &script{replies: []reply{says(block(t, "t_note")), says("Done.")}}
	note := fn(t, "note", func(_ context.Context, in in) (string, error) {
		ran = append(ran, in.Text)
		return "", nil
	})
	c, err := chat.Open(t.Context(), engineOf(t, model, manual, note),
		chat.Options{ID: first.ID(), System: first.System(), Store: store})
	require.NoError(t, err)
	require.Equal(t, first.Pending(), c.Pending())
	got := collect(t, c.Resolve(t.Context(), approve(c, "1.1"), approve(c, "1.2"), supply(c, "1.3", "opened")))
	require.NoError(t, got.err)
	require.Equal(t, []string{"a", "b"}, ran)
	require.Equal(t, 4, requirePaired(t, model.requests[0]))
	require.Contains(t, model.requests[0].Messages[3].Content, "win")
	require.Equal(t, "2.1", shortID(c.Pending()[0].RequestID), "new ids are higher than the earlier ones")
}
