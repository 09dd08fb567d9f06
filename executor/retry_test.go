package executor_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/tool"
)

func TestRetries(t *testing.T) {
	busy := errors.New("busy")
	for _, tt := range []struct {
		name    string
		opts    []tool.Option
		o       executor.Options
		err     error
		fails   int // attempts
		want    string
		runs    int
		between [2]time.Duration // the least and the most that the pauses take
	}{
		{"an idempotent method is tried again", []tool.Option{tool.Idempotent()}, executor.Options{}, tool.Retryable(busy), 1, "", 2, [2]time.Duration{100 * time.Millisecond, 200 * time.Millisecond}},
		{"each pause is longer", []tool.Option{tool.Idempotent()}, executor.Options{}, tool.Retryable(busy), 2, "", 3, [2]time.Duration{300 * time.Millisecond, 600 * time.Millisecond}},
		{"there are three attempts by default", []tool.Option{tool.Idempotent()}, executor.Options{}, tool.Retryable(busy), 9, "execution_failed", 3, [2]time.Duration{300 * time.Millisecond, 600 * time.Millisecond}},
		{"as many attempts as the options say", []tool.Option{tool.Idempotent()}, executor.Options{MaxAttempts: 5}, tool.Retryable(busy), 9, "execution_failed", 5, [2]time.Duration{1500 * time.Millisecond, 3 * time.Second}},
		{"one attempt is not a retry", []tool.Option{tool.Idempotent()}, executor.Options{MaxAttempts: 1}, tool.Retryable(busy), 1, "execution_failed", 1, [2]time.Duration{}},
		{"a wrapped retryable error is retried", []tool.Option{tool.Idempotent()}, executor.Options{}, fmt.Errorf("so: %w", tool.Retryable(busy)), 1, "", 2, [2]time.Duration{100 * time.Millisecond, 200 * time.Millisecond}},
		{"a timeout of a request that the handler made is retried", []tool.Option{tool.Idempotent()}, executor.Options{}, &net.DNSError{IsTimeout: true}, 1, "", 2, [2]time.Duration{100 * time.Millisecond, 200 * time.Millisecond}},
		{"an error that is not marked as retryable is final", []tool.Option{tool.Idempotent()}, executor.Options{}, busy, 1, "execution_failed", 1, [2]time.Duration{}},
		{"a method that is not idempotent is run once", nil, executor.Options{}, tool.Retryable(busy), 1, "execution_failed", 1, [2]time.Duration{}},
		{"no attempt begins if the deadline comes first", []tool.Option{tool.Idempotent(), tool.Timeout(100 * time.Millisecond)}, executor.Options{}, tool.Retryable(busy), 1, "execution_failed", 1, [2]time.Duration{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ran := 0
				h := func(context.Context, *tool.Call) (tool.Output, error) {
					if ran++; ran <= tt.fails {
						return tool.Output{}, tt.err
					}
					return tool.Output{Text: "done"}, nil
				}
				tt.o.Logger = quiet
				outer := 0
				tt.o.Middlewares = []tool.Middleware{func(next tool.Handler) tool.Handler {
					return func(ctx context.Context, c *tool.Call) (tool.Output, error) {
						outer++
						return next(ctx, c)
					}
				}}
				start := time.Now()
				r := executor.New(registry(t, method(t, "tool", h, tt.opts...)), tt.o).Execute(t.Context(), all(), executor.Observer{}, []executor.Request{request("1", "t_tool")})[0]
				require.Equal(t, tt.want, r.ErrorType, r.ToolResult.Result)
				require.Equal(t, tt.runs, ran)
				require.Equal(t, tt.runs-1, r.Retries)
				require.Equal(t, 1, outer, "a middleware sees one call")
				took := time.Since(start)
				require.GreaterOrEqual(t, took, tt.between[0])
				require.LessOrEqual(t, took, tt.between[1])
				if r.ErrorType != "" {
					require.Equal(t, tt.err.Error(), r.ToolResult.Result, "tool.Retryable does not change the text of an error")
				}
			})
		})
	}
	t.Run("a panic is final", func(t *testing.T) {
		ran := 0
		r := executor.New(registry(t, method(t, "tool", func(context.Context, *tool.Call) (tool.Output, error) {
			ran++
			panic(tool.Retryable(busy))
		}, tool.Idempotent())), executor.Options{Logger: quiet}).Execute(t.Context(), all(), executor.Observer{}, []executor.Request{request("1", "t_tool")})[0]
		require.Equal(t, executor.ErrorExecutionFailed, r.ErrorType)
		require.Equal(t, 1, ran)
	})
	t.Run("the deadline is that of all attempts together", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			h := func(ctx context.Context, _ *tool.Call) (tool.Output, error) {
				time.Sleep(6 * time.Second)
				return tool.Output{}, tool.Retryable(busy)
			}
			start := time.Now()
			r := executor.New(registry(t, method(t, "tool", h, tool.Idempotent(), tool.Timeout(10*time.Second))), executor.Options{Logger: quiet}).
				Execute(t.Context(), all(), executor.Observer{}, []executor.Request{request("1", "t_tool")})[0]
			require.Equal(t, executor.ErrorTimeout, r.ErrorType)
			require.Equal(t, 10*time.Second, time.Since(start))
			require.Equal(t, 1, r.Retries)
			time.Sleep(time.Minute)
		})
	})
	t.Run("the end of the run ends the pause", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			h := func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, tool.Retryable(busy) }
			start := time.Now()
			r := executor.New(registry(t, method(t, "tool", h, tool.Idempotent())), executor.Options{Logger: quiet}).
				Execute(ended(ctx), all(), executor.Observer{}, []executor.Request{request("1", "t_tool")})[0]
			require.Equal(t, executor.ErrorCanceled, r.ErrorType)
			require.Equal(t, 50*time.Millisecond, time.Since(start))
		})
	})
}

// ended returns a context without a deadline that is canceled when ctx ends.
func ended(ctx context.Context) context.Context {
	other, cancel := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, cancel)
	return other
}

func TestRetryableNil(t *testing.T) {
	require.NoError(t, tool.Retryable(nil))
	cause := errors.New("cause")
	require.ErrorIs(t, tool.Retryable(cause), cause)
}
