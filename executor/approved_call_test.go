package executor_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

func TestChangedCallIsNotApproved(t *testing.T) {
	change := func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (tool.Output, error) {
			other := *c
			other.Arguments = json.RawMessage(`{"text":"rm"}`)
			return next(ctx, &other)
		}
	}
	t.Run("a middleware changes the arguments", func(t *testing.T) {
		var ran runs
		o := askOptions(allows)
		o.Middlewares = []tool.Middleware{change}
		x := executor.New(registry(t, method(t, "tool", ran.handle)), o)
		r := execute(t, x, request("1", "t_tool", "text", "ls"))
		require.Empty(t, ran.list)
		require.Equal(t, executor.ErrorPermissionDenied, r.ErrorType)
	})
	t.Run("a middleware changes the arguments of a dangerous call that was allowed for the conversation",
		func(t *testing.T) {
			var ran runs
			o := askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
				return q.AllowForConversation(), nil
			})
			reg := registry(t, method(t, "tool", ran.handle, tool.WithRisk(tool.RiskDangerous)))
			conversation := allVisible()
			executor.New(reg, o).Execute(t.Context(), conversation, executor.Observer{},
				[]executor.Request{request("1", "t_tool", "text", "ls")})
			o.Middlewares = []tool.Middleware{change}
			r := executeIn(t, executor.New(reg, o), conversation, request("2", "t_tool", "text", "ls"))
			require.Equal(t, []string{`1 {"text":"ls"}`}, ran.list)
			require.Equal(t, executor.ErrorPermissionDenied, r.ErrorType)
		})
	t.Run("a middleware may write the same arguments in another form", func(t *testing.T) {
		var ran runs
		o := askOptions(allows)
		o.Middlewares = []tool.Middleware{func(next tool.Handler) tool.Handler {
			return func(ctx context.Context, c *tool.Call) (tool.Output, error) {
				other := *c
				other.Arguments = json.RawMessage(`{ "text" : "\u006cs" }`)
				return next(ctx, &other)
			}
		}}
		x := executor.New(registry(t, method(t, "tool", ran.handle)), o)
		r := execute(t, x, request("1", "t_tool", "text", "ls"))
		require.Equal(t, protocol.StatusSuccess, r.Status, r.ToolResult.Result)
	})
	for _, tt := range []struct {
		name     string
		approver executor.Approver
		observer executor.Observer
	}{
		{
			"what an approver writes into its copy is not run",
			func(_ context.Context, q executor.Question) (executor.Answer, error) {
				copy(q.Arguments, `{"text":"rm"}`)
				return q.Allow(), nil
			},
			executor.Observer{},
		},
		{"what an observer writes into its copy is not run", allows, executor.Observer{
			Started: func(_ executor.Request, _ *tool.Entry, args json.RawMessage) { copy(args, `{"text":"rm"}`) },
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var ran runs
			x := executor.New(registry(t, method(t, "tool", ran.handle)), askOptions(tt.approver))
			r := x.Execute(t.Context(), allVisible(), tt.observer,
				[]executor.Request{request("1", "t_tool", "text", "ls")})[0]
			require.Equal(t, []string{`1 {"text":"ls"}`}, ran.list)
			require.JSONEq(t, `{"text":"ls"}`, string(r.Arguments))
		})
	}
}

func TestApproverOwnsItsCopyOfTheQuestion(t *testing.T) {
	x := executor.New(registry(t, method(t, "tool", says(""))),
		askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
			copy(q.Arguments, `{"text":"rm"}`)
			return q.Allow(), nil
		}))
	answered := ""
	obs := executor.Observer{Answered: func(_ executor.Request, q executor.Question, _ executor.Decision) {
		answered = string(q.Arguments)
	}}
	x.Execute(t.Context(), allVisible(), obs, []executor.Request{request("1", "t_tool", "text", "ls")})
	require.JSONEq(t, `{"text":"ls"}`, answered)
}

// TestApprovedCallsAreCheckedAgain tests the second check of a call, right before the call runs.
func TestApprovedCallsAreCheckedAgain(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, reg *tool.Registry, conversation *executor.Conversation)
		want   string
	}{
		{
			"a method that is switched off meanwhile does not run",
			func(_ *testing.T, _ *tool.Registry, conversation *executor.Conversation) {
				conversation.Visible = nil
			}, executor.ErrorToolDisabled,
		},
		{
			"a method that is unregistered meanwhile does not run",
			func(_ *testing.T, reg *tool.Registry, _ *executor.Conversation) {
				reg.Unregister("t")
			}, executor.ErrorToolNotFound,
		},
		{
			"a method that is replaced meanwhile does not run",
			func(t *testing.T, reg *tool.Registry, _ *executor.Conversation) {
				reg.Unregister("t")
				require.NoError(t,
					reg.Register(tool.Tool{ID: "t", Methods: []tool.Method{method(t, "tool", says("other"))}}))
			}, executor.ErrorToolNotFound,
		},
		{
			"a method runs if only another tool is registered meanwhile",
			func(t *testing.T, reg *tool.Registry, _ *executor.Conversation) {
				require.NoError(t,
					reg.Register(tool.Tool{ID: "u", Methods: []tool.Method{method(t, "tool", says("other"))}}))
			}, "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			conversation := allVisible()
			reg := registry(t, method(t, "tool", says("ran")))
			x := executor.New(reg, askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
				tt.change(t, reg, conversation)
				return q.Allow(), nil
			}))
			r := executeIn(t, x, conversation, request("1", "t_tool"))
			require.Equal(t, tt.want, r.ErrorType)
		})
	}
}
