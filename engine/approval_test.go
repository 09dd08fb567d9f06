package engine_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol"
)

func TestTheApproverDecidesOnEachCall(t *testing.T) {
	var asked []string
	model := scriptOf(block(t, "t_echo", "text", "yes")+block(t, "t_echo", "text", "no"), "Done.")
	s := session(t, registry(t), model, func(o *engine.Options) {
		o.Config.RequireConfirmation = true
		o.Approver = func(ctx context.Context, q executor.Question) (executor.Answer, error) {
			asked = append(asked, engine.SessionFrom(ctx).ID()+" "+shortID(q.ID)+" "+string(q.Arguments))
			if shortID(q.ID) == "1.1" {
				return q.Allow(), nil
			}
			return q.Deny("once is enough"), nil
		}
	})
	got := run(t, s, question)
	require.Equal(t, []string{`test 1.1 {"text":"yes"}`, `test 1.2 {"text":"no"}`}, asked)
	require.Equal(t, []shownResult{{"1.1", "t_echo", "success"}, {"1.2", "t_echo", "error permission_denied"}},
		shownResults(t, got.iterations[0].ResultMessage))
	require.Nil(t, engine.SessionFrom(t.Context()), "other contexts have no session")
}

func TestAnApprovalForAConversationHoldsInItsSession(t *testing.T) {
	var asked []string
	e := newEngine(t, registry(t), nil, func(o *engine.Options) {
		o.Config.Approve = policy.ApproveAsk
		o.Approver = func(ctx context.Context, q executor.Question) (executor.Answer, error) {
			asked = append(asked, engine.SessionFrom(ctx).ID()+" "+shortID(q.ID))
			return q.AllowForConversation(), nil
		}
	})
	one, two := e.NewSession("one"), e.NewSession("two")
	cycle := func(s *engine.Session) {
		c, err := s.ProcessCycle(t.Context(), block(t, "t_echo", "text", "hi"), protocol.FinishStop)
		require.NoError(t, err)
		require.Equal(t, protocol.StatusSuccess, c.Results[0].Status)
	}
	cycle(one)
	cycle(one)
	require.NoError(t, e.SetConfig(e.Config())) // a new configuration does not end the approval
	cycle(one)
	cycle(two)
	require.Equal(t, []string{"one 1.1", "two 1.1"}, asked)
}

// TestAResumedSessionBeginsWithoutApproval checks that an approval for a conversation holds only in
// the session in which it was given: a new session for the conversation asks again.
func TestAResumedSessionBeginsWithoutApproval(t *testing.T) {
	asked := 0
	wantAsked := []int{1, 1, 2} // after each cycle
	e := newEngine(t, registry(t), nil, func(o *engine.Options) {
		o.Config.Approve = policy.ApproveAsk
		o.Approver = func(_ context.Context, q executor.Question) (executor.Answer, error) {
			asked++
			return q.AllowForConversation(), nil
		}
	})
	first := e.NewSession("same")
	resumed := e.OpenSession(engine.SessionOptions{ID: "same", Replies: first.Replies()})
	for i, s := range []*engine.Session{first, first, resumed} {
		_, err := s.ProcessCycle(t.Context(), block(t, "t_echo", "text", "hi"), protocol.FinishStop)
		require.NoError(t, err)
		require.Equal(t, wantAsked[i], asked)
	}
}
