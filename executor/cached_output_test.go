package executor_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/tool"
)

// A middleware may append a file to an output that comes from the cache.
func TestCachedFilesAreNotShared(t *testing.T) {
	files := make([]tool.File, 1, 8)
	reg := registry(t, method(t, "tool", gives(tool.Output{Files: files}), tool.Cacheable(time.Hour)))
	appends := func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (tool.Output, error) {
			out, err := next(ctx, c)
			out.Files = append(out.Files, tool.File{Name: c.ID})
			return out, err
		}
	}
	x := executor.New(reg, executor.Options{Logger: quiet, Middlewares: []tool.Middleware{appends}})
	results := executeAll(t, x, requests(3, "t_tool")...)
	for i, r := range results {
		require.Equal(t, i > 0, r.Cached)
		require.Equal(t, []tool.File{{}, {Name: fmt.Sprint("t_tool ", i)}}, r.Files)
	}
}

func TestCachedResultNeedsApproval(t *testing.T) {
	ran := 0
	reg := registry(t, method(t, "tool", func(context.Context, *tool.Call) (tool.Output, error) {
		ran++
		return tool.Output{Text: "secret"}, nil
	}, tool.Cacheable(time.Hour)))
	conversation := allVisible()
	run := func(o executor.Options) executor.Result {
		o.Logger = quiet
		return executeIn(t, executor.New(reg, o), conversation, request("1", "t_tool"))
	}
	run(executor.Options{})
	require.Equal(t, executor.ErrorPermissionDenied,
		run(executor.Options{Policy: policy.Policy{Approve: policy.ApproveNever}}).ErrorType)
	r := run(executor.Options{Middlewares: []tool.Middleware{func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (tool.Output, error) {
			out, err := next(ctx, c)
			out.Text = strings.ReplaceAll(out.Text, "secret", "***")
			return out, err
		}
	}}})
	require.Equal(t, "***", r.ToolResult.Result, "middlewares handle a cached result, too")
	require.True(t, r.Cached)
	require.Equal(t, 1, ran)
}
