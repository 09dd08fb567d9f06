package executor_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/tool"
)

// A call of a method whose definition changed needs approval, although a rule allows the method.
func TestAChangedDefinitionNeedsApproval(t *testing.T) {
	for _, tt := range []struct {
		name     string
		answer   func(executor.Question) executor.Answer // nil means that nobody can be asked
		accepted int                                     // how often the change is accepted
		err      string                                  // the error type of both calls
		asked    int                                     // how many questions the two calls ask
	}{
		{"an approval accepts the change", executor.Question.Allow, 1, "", 1},
		{"an approval for the conversation accepts the change", executor.Question.AllowForConversation, 1, "", 1},
		{
			"a denial does not accept the change", func(q executor.Question) executor.Answer { return q.Deny("") }, 0,
			executor.ErrorPermissionDenied, 2,
		},
		{"the call is denied if nobody can be asked", nil, 0, executor.ErrorPermissionDenied, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			accepted, asked := 0, 0
			m := method(t, "tool", says("ran"))
			m.Changed = tool.NewChange("its description", func() { accepted++ })
			o := askOptions(nil)
			if tt.answer != nil {
				o.Approver = func(_ context.Context, q executor.Question) (executor.Answer, error) {
					asked++
					require.Equal(t, "its description", q.Change)
					require.Equal(t, q.Change, q.Pending().Change)
					return tt.answer(q), nil
				}
			}
			x, c := executor.New(registry(t, m), o), allVisible()
			c.Policy = func() policy.Policy {
				return policy.Policy{Rules: []policy.Rule{{Method: "t_tool", Decision: policy.Allow}}}
			}
			for range 2 {
				r := executeIn(t, x, c, request("1", "t_tool"))
				require.Equal(t, tt.err, r.ErrorType)
			}
			require.Equal(t, tt.accepted, accepted)
			require.Equal(t, tt.asked, asked)
		})
	}
}
