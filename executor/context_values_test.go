package executor_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/tool"
)

// A function that has only its context can report progress.
func TestProgressNeedsOnlyTheContext(t *testing.T) {
	helper := func(ctx context.Context) { tool.Progress(context.WithoutCancel(ctx), "half of "+tool.CallFrom(ctx).ID) }
	typed, err := tool.New("typed", "works", func(ctx context.Context, in struct{}) (string, error) {
		helper(ctx)
		return "done", nil
	}, tool.AgentCallable())
	require.NoError(t, err)
	raw := method(t, "raw", func(ctx context.Context, _ *tool.Call) (tool.Output, error) {
		helper(ctx)
		return tool.Output{Text: "done"}, nil
	})
	wrapsProgress := func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (tool.Output, error) {
			other := *c
			other.Progress = func(text string) { c.Progress("[" + text + "]") }
			return next(ctx, &other)
		}
	}
	reports := func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (tool.Output, error) {
			tool.Progress(ctx, "begins")
			return next(ctx, c)
		}
	}
	for _, tt := range []struct {
		name, method string
		middlewares  []tool.Middleware
		options      executor.Options
		want         []string
	}{
		{"a typed function", "t_typed", nil, executor.Options{}, []string{"half of 1"}},
		{"an approved typed function", "t_typed", nil, askOptions(allows), []string{"half of 1"}},
		{"a raw handler", "t_raw", nil, executor.Options{}, []string{"half of 1"}},
		{"a middleware", "t_typed", []tool.Middleware{reports}, executor.Options{}, []string{"begins", "half of 1"}},
		{
			"a typed function whose call a middleware has changed", "t_typed",
			[]tool.Middleware{wrapsProgress},
			executor.Options{},
			[]string{"[half of 1]"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			tt.options.Middlewares, tt.options.Logger = tt.middlewares, quiet
			obs := executor.Observer{Progress: func(_, text string) { got = append(got, text) }}
			x := executor.New(registry(t, typed, raw), tt.options)
			r := x.Execute(t.Context(), allVisible(), obs, []executor.Request{request("1", tt.method)})[0]
			require.Equal(t, "done", r.ToolResult.Result)
			require.Equal(t, tt.want, got)
		})
	}
}

func TestProgressOutsideOfACallDoesNothing(t *testing.T) {
	tool.Progress(t.Context(), "half")
	require.Nil(t, tool.CallFrom(t.Context()))
}

// TestContextValuesReachAllHooks checks that each function of the application that takes a context
// receives the values of the context of Execute. tool.CallFrom returns a call only in a preview, a
// middleware and a handler.
func TestContextValuesReachAllHooks(t *testing.T) {
	type user struct{}
	var seen []string
	see := func(ctx context.Context, who string) {
		seen = append(seen, fmt.Sprint(who, " ", ctx.Value(user{}), " ", tool.CallFrom(ctx) != nil))
	}
	o := askOptions(func(ctx context.Context, q executor.Question) (executor.Answer, error) {
		see(ctx, "approver")
		return q.Allow(), nil
	})
	o.Middlewares = []tool.Middleware{func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (tool.Output, error) {
			see(ctx, "middleware")
			return next(ctx, c)
		}
	}}
	o.Audit = func(ctx context.Context, _ executor.AuditRecord) error { see(ctx, "audit"); return nil }
	o.ResultLimit = executor.ResultLimit{
		Tokens: 200,
		Keep:   func(ctx context.Context, _ executor.FullResult) int { see(ctx, "keep"); return 0 },
		Summarize: func(ctx context.Context, _ executor.FullResult, _ int) (string, error) {
			see(ctx, "summarize")
			return "short", nil
		},
	}
	m := method(t, "tool", func(ctx context.Context, _ *tool.Call) (tool.Output, error) {
		see(ctx, "handler")
		return tool.Output{Text: numbered(1000)}, nil
	})
	m.Preview = func(ctx context.Context, _ json.RawMessage) (string, error) {
		see(ctx, "preview")
		return "effect", nil
	}
	ctx := context.WithValue(t.Context(), user{}, "ann")
	executor.New(registry(t, m), o).Execute(ctx, allVisible(), executor.Observer{},
		[]executor.Request{request("1", "t_tool")})
	require.Equal(t, []string{
		"preview ann true", "approver ann false", "middleware ann true", "preview ann true", "handler ann true",
		"summarize ann false", "keep ann false", "audit ann false",
	}, seen)
}
