package executor_test

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/tool"
)

// A middleware may keep a call after passing it on. What it changes then has no effect on the call
// that runs.
func TestRunningCallCannotBeChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ran runs
		begun, changed := make(chan struct{}), make(chan struct{})
		o := askOptions(allows)
		o.Middlewares = []tool.Middleware{func(next tool.Handler) tool.Handler {
			return func(ctx context.Context, c *tool.Call) (tool.Output, error) {
				go func() {
					<-begun
					copy(c.Arguments, `{"text":"rm"}`)
					c.Arguments = json.RawMessage(`{"text":"rm"}`)
					close(changed)
				}()
				return next(ctx, c)
			}
		}}
		x := executor.New(registry(t, method(t, "tool", func(ctx context.Context, c *tool.Call) (tool.Output, error) {
			if _, _ = ran.handle(ctx, c); len(ran.list) == 1 {
				close(begun)
				<-changed
				return tool.Output{}, errRetryable
			}
			return tool.Output{}, nil
		}, tool.Idempotent())), o)
		executeAll(t, x, request("1", "t_tool", "text", "ls"))
		require.Equal(t, []string{`1 {"text":"ls"}`, `1 {"text":"ls"}`}, ran.list)
	})
}

func TestDeniedCallIsAskedAboutAgain(t *testing.T) {
	var ran runs
	asked := 0
	deny := func(_ context.Context, q executor.Question) (executor.Answer, error) {
		asked++
		return q.Deny(""), nil
	}
	x := executor.New(registry(t, method(t, "tool", ran.handle, tool.Idempotent(), tool.Cacheable(time.Hour))),
		askOptions(deny))
	conversation := allVisible()
	for range 3 {
		r := executeIn(t, x, conversation, request("1", "t_tool"))
		require.Equal(t, executor.ErrorPermissionDenied, r.ErrorType)
	}
	require.Equal(t, 3, asked)
	require.Empty(t, ran.list)
}

func TestEditGrantsNothing(t *testing.T) {
	var asked []string
	x := executor.New(registry(t, method(t, "tool", says(""))),
		askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
			asked = append(asked, string(q.Arguments))
			return q.Edit(json.RawMessage(`{"text":"ls"}`)), nil
		}))
	conversation := allVisible()
	for _, text := range []string{"rm", "ls"} {
		executeIn(t, x, conversation, request("1", "t_tool", "text", text))
	}
	require.Equal(t, []string{`{"text":"rm"}`, `{"text":"ls"}`}, asked)
}

// Arguments with a duplicate member, which two JSON parsers could read differently, do not reach a
// person or a tool.
func TestDuplicateMembersReachNobody(t *testing.T) {
	object, err := tool.Raw("tool", "", json.RawMessage(`{"type":"object","properties":{"o":{"type":"object"}}}`),
		says(""), tool.AgentCallable())
	require.NoError(t, err)
	for _, text := range []string{`{"cmd":"ls","cmd":"rm"}`, `{"cmd":"ls","\u0063md":"rm"}`} {
		var asked []string
		x := executor.New(registry(t, object),
			askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
				asked = append(asked, string(q.Arguments))
				return q.Allow(), nil
			}))
		r := execute(t, x, request("1", "t_tool", "o", text))
		require.NotContains(t, asked, `{"o":`+text+`}`)
		require.NotContains(t, string(r.Arguments), `"ls"`)
	}
}

func TestStricterPolicyStopsWaitingCalls(t *testing.T) {
	strict := policy.Policy{Approve: policy.ApproveNever}
	ask := policy.Policy{Approve: policy.ApproveAsk}
	open := policy.Policy{Approve: policy.ApproveAll}
	for _, tt := range []struct {
		name       string
		first, now policy.Policy
		ran        int    // how many of the two calls run
		want       string // the error type of the second call
	}{
		{"a call that the new policy denies does not run", open, strict, 1, executor.ErrorPermissionDenied},
		{"a call that the new policy asks about does not run", open, ask, 1, executor.ErrorPermissionDenied},
		{"a call that the new policy allows runs", open, policy.Policy{Approve: policy.ApproveWrite}, 2, ""},
		{"an approved call does not run if the new policy denies it", ask, strict, 1, executor.ErrorPermissionDenied},
		{"an approved call runs if the new policy asks about it", ask, ask, 2, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var current atomic.Pointer[policy.Policy]
				current.Store(&tt.first)
				conversation := allVisible()
				conversation.Policy = func() policy.Policy { return *current.Load() }
				var ran runs
				// The second call is allowed or approved, and waits until the first call ends.
				slow := method(t, "tool", func(ctx context.Context, c *tool.Call) (tool.Output, error) {
					time.Sleep(time.Second)
					return ran.handle(ctx, c)
				}, tool.Concurrency(1))
				x := executor.New(registry(t, slow), executor.Options{Parallel: true, Approver: allows, Logger: quiet})
				time.AfterFunc(time.Millisecond, func() { current.Store(&tt.now) })
				results := x.Execute(t.Context(), conversation, executor.Observer{},
					[]executor.Request{request("1", "t_tool"), request("2", "t_tool")})
				require.Len(t, ran.list, tt.ran)
				require.Equal(t, tt.want, results[1].ErrorType)
			})
		})
	}
}

// A check before a retry that ends after the result is settled changes nothing in the result.
func TestALateCheckDoesNotChangeTheResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var failed atomic.Bool
		conversation := allVisible()
		conversation.Visible = func(*tool.Entry) bool {
			if failed.Load() {
				time.Sleep(time.Hour)
				return false
			}
			return true
		}
		x := executor.New(registry(t, method(t, "tool", func(context.Context, *tool.Call) (tool.Output, error) {
			failed.Store(true)
			return tool.Output{}, errRetryable
		}, tool.Idempotent())), executor.Options{Logger: quiet})
		results := x.Execute(t.Context(), conversation, executor.Observer{}, []executor.Request{request("1", "t_tool")})
		require.Equal(t, executor.ErrorTimeout, results[0].ErrorType)
		time.Sleep(2 * time.Hour)
		require.Equal(t, policy.Allow, results[0].Decision)
	})
}

func TestDisabledMethodIsNotRetried(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(conversation *executor.Conversation, reg *tool.Registry)
	}{
		{
			"hidden in the conversation",
			func(conversation *executor.Conversation, _ *tool.Registry) { conversation.Visible = nil },
		},
		{"unregistered", func(_ *executor.Conversation, reg *tool.Registry) { reg.Unregister("t") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				conversation, ran := allVisible(), 0
				var reg *tool.Registry
				reg = registry(t, method(t, "tool", func(context.Context, *tool.Call) (tool.Output, error) {
					ran++
					tt.change(conversation, reg)
					return tool.Output{}, errRetryable
				}, tool.Idempotent()))
				r := executeIn(t, executor.New(reg, executor.Options{Logger: quiet}), conversation,
					request("1", "t_tool"))
				require.Equal(t, 1, ran)
				require.Equal(t, executor.ErrorExecutionFailed, r.ErrorType)
				require.Equal(t, errRetryable.Error(), r.ToolResult.Result)
				require.Equal(t, policy.Allow, r.Decision, "the call ran, so it was allowed")
			})
		})
	}
}
