package executor_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

func TestGrantsCoverLaterCalls(t *testing.T) {
	for _, tt := range []struct {
		name             string
		risk             tool.Risk
		afterFirstCall   func(t *testing.T, reg *tool.Registry, m tool.Method) // nil does nothing
		args             []string                                              // of the second call; the first call has the text "a"
		sameConversation bool
		asked            int // how many questions are asked
	}{
		{"all calls of the method are allowed", tool.RiskWrite, nil, []string{"text", "b"}, true, 1},
		{"the same call of a dangerous method is allowed", tool.RiskDangerous, nil, []string{"text", "a"}, true, 1},
		{"another call of a dangerous method is asked about", tool.RiskDangerous, nil, []string{"text", "b"}, true, 2},
		{"a call in another conversation is asked about", tool.RiskRead, nil, []string{"text", "a"}, false, 2},
		{
			"a call of a method that replaced another is asked about", tool.RiskRead,
			func(t *testing.T, reg *tool.Registry, m tool.Method) {
				reg.Unregister("t")
				require.NoError(t, reg.Register(tool.Tool{ID: "t", Methods: []tool.Method{m}}))
			},
			[]string{"text", "a"},
			true, 2,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var asked []executor.Question
			m := method(t, "tool", says(""), tool.WithRisk(tt.risk))
			reg := registry(t, m)
			x := executor.New(reg, askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
				asked = append(asked, q)
				return q.AllowForConversation(), nil
			}))
			conversation := allVisible()
			executeIn(t, x, conversation, request("1", "t_tool", "text", "a"))
			if tt.afterFirstCall != nil {
				tt.afterFirstCall(t, reg, m)
			}
			if !tt.sameConversation {
				conversation = allVisible()
			}
			r := executeIn(t, x, conversation, request("2", "t_tool", tt.args...))
			require.Equal(t, protocol.StatusSuccess, r.Status)
			require.Len(t, asked, tt.asked)
			require.Equal(t, tt.risk != tool.RiskDangerous, asked[0].GrantsMethod)
		})
	}
	t.Run("a call that a rule denies is denied", func(t *testing.T) {
		reg, conversation := registry(t, method(t, "tool", says(""))), allVisible()
		o := askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
			return q.AllowForConversation(), nil
		})
		executor.New(reg, o).Execute(t.Context(), conversation, executor.Observer{},
			[]executor.Request{request("1", "t_tool")})
		o.Policy.Rules = []policy.Rule{{Method: "t_tool", Decision: policy.Deny}}
		r := executeIn(t, executor.New(reg, o), conversation, request("2", "t_tool"))
		require.Equal(t, executor.ErrorPermissionDenied, r.ErrorType)
		require.Equal(t, executor.ByRule, r.DecidedBy)
	})
}

// While calls start, before the question of another call, a run of the same conversation may get a
// grant.
func TestAGrantOfAnotherRunReplacesTheQuestion(t *testing.T) {
	reg := registry(t, method(t, "free", says("")), method(t, "tool", says("")))
	asked := 0
	o := askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
		asked++
		return q.AllowForConversation(), nil
	})
	o.Parallel, o.Policy.Rules = true, []policy.Rule{{Method: "t_free", Decision: policy.Allow}}
	x, conversation := executor.New(reg, o), allVisible()
	obs := executor.Observer{Started: func(r executor.Request, _ *tool.Entry, _ json.RawMessage) {
		if r.ID == "1" {
			executeIn(t, x, conversation, request("3", "t_tool"))
		}
	}}
	results := x.Execute(t.Context(), conversation, obs, []executor.Request{request("1", "t_free"), request("2", "t_tool")})
	require.Equal(t, []string{"", ""}, errorTypes(results))
	require.Equal(t, executor.ByGrant, results[1].DecidedBy)
	require.Equal(t, 1, asked)
}
