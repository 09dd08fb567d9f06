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

func TestIdempotentMethodsAreRetried(t *testing.T) {
	busy := errors.New("busy")
	idempotent, retryable := []tool.Option{tool.Idempotent()}, tool.Retryable(busy)
	for _, tt := range []struct {
		name    string
		method  []tool.Option
		options executor.Options
		err     error
		fails   int    // how many attempts fail
		want    string // the error type
		runs    int    // how often the method runs
	}{
		{"an idempotent method is tried again", idempotent, executor.Options{}, retryable, 1, "", 2},
		{"each pause is twice as long", idempotent, executor.Options{}, retryable, 2, "", 3},
		{"there are three attempts by default", idempotent, executor.Options{}, retryable, 9, "execution_failed", 3},
		{
			"as many attempts as the options say", idempotent,
			executor.Options{MaxAttempts: 5},
			retryable, 9,
			"execution_failed", 5,
		},
		{
			"nothing is retried if one attempt is allowed", idempotent,
			executor.Options{MaxAttempts: 1},
			retryable, 1,
			"execution_failed", 1,
		},
		{
			"a wrapped retryable error is retried", idempotent,
			executor.Options{},
			fmt.Errorf("so: %w", retryable),
			1, "", 2,
		},
		{
			"a timeout of a request that the handler made is retried", idempotent,
			executor.Options{},
			&net.DNSError{IsTimeout: true}, 1, "", 2,
		},
		{
			"an error that is not marked as retryable is final", idempotent,
			executor.Options{},
			busy, 1,
			"execution_failed", 1,
		},
		{"a method that is not idempotent is run once", nil, executor.Options{}, retryable, 1, "execution_failed", 1},
		{
			"no attempt begins if the deadline comes first",
			[]tool.Option{tool.Idempotent(), tool.Timeout(100 * time.Millisecond)},
			executor.Options{},
			retryable, 1, "execution_failed", 1,
		},
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
				tt.options.Logger = quiet
				middlewareCalls := 0
				tt.options.Middlewares = []tool.Middleware{func(next tool.Handler) tool.Handler {
					return func(ctx context.Context, c *tool.Call) (tool.Output, error) {
						middlewareCalls++
						return next(ctx, c)
					}
				}}
				start := time.Now()
				r := execute(t, executor.New(registry(t, method(t, "tool", h, tt.method...)), tt.options),
					request("1", "t_tool"))
				require.Equal(t, tt.want, r.ErrorType, r.ToolResult.Result)
				require.Equal(t, tt.runs, ran)
				require.Equal(t, tt.runs-1, r.Retries)
				require.Equal(t, 1, middlewareCalls, "a middleware sees one call")
				// The first pause takes 100 to 200 ms, and each further one twice as long.
				units := time.Duration(1)<<(tt.runs-1) - 1
				took := time.Since(start)
				require.GreaterOrEqual(t, took, units*100*time.Millisecond)
				require.LessOrEqual(t, took, units*200*time.Millisecond)
				if r.ErrorType != "" {
					require.Equal(t, tt.err.Error(), r.ToolResult.Result,
						"tool.Retryable does not change the text of an error")
				}
			})
		})
	}
	t.Run("a panic is final", func(t *testing.T) {
		ran := 0
		r := execute(t,
			executor.New(registry(t, method(t, "tool", func(context.Context, *tool.Call) (tool.Output, error) {
				ran++
				panic(tool.Retryable(busy))
			}, tool.Idempotent())), executor.Options{Logger: quiet}), request("1", "t_tool"))
		require.Equal(t, executor.ErrorExecutionFailed, r.ErrorType)
		require.Equal(t, 1, ran)
	})
	t.Run("all attempts together have one deadline", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			h := func(ctx context.Context, _ *tool.Call) (tool.Output, error) {
				time.Sleep(6 * time.Second)
				return tool.Output{}, tool.Retryable(busy)
			}
			start := time.Now()
			r := execute(t,
				executor.New(registry(t, method(t, "tool", h, tool.Idempotent(), tool.Timeout(10*time.Second))),
					executor.Options{Logger: quiet}), request("1", "t_tool"))
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
				Execute(withoutDeadline(ctx), allVisible(), executor.Observer{},
					[]executor.Request{request("1", "t_tool")})[0]
			require.Equal(t, executor.ErrorCanceled, r.ErrorType)
			require.Equal(t, 50*time.Millisecond, time.Since(start))
		})
	})
}

// withoutDeadline returns a context that has no deadline, and is canceled when ctx ends. No pause
// begins that would last beyond a deadline.
func withoutDeadline(ctx context.Context) context.Context {
	other, cancel := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, cancel)
	return other
}

func TestRetryableWrapsAnError(t *testing.T) {
	require.NoError(t, tool.Retryable(nil))
	cause := errors.New("cause")
	require.ErrorIs(t, tool.Retryable(cause), cause)
}
