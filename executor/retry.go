package executor

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/vcpgo/vcp/internal/backoff"
	"github.com/vcpgo/vcp/tool"
)

// retryWaits are the waits between attempts.
var retryWaits = backoff.Policy{First: 200 * time.Millisecond, Longest: 5 * time.Second}

// retrying returns a handler that calls next again while next fails with a retryable error.
// maxAttempts limits the calls of next, and retries counts the calls after the first. The handler
// stops if the deadline comes before the next attempt, or if allowed returns false.
func retrying(next tool.Handler, maxAttempts int, retries *atomic.Int32, allowed func() bool) tool.Handler {
	return func(ctx context.Context, call *tool.Call) (tool.Output, error) {
		for attempt := 1; ; attempt++ {
			output, err := next(ctx, call)
			if err == nil || attempt >= maxAttempts || !retryable(err) ||
				!backoff.Sleep(ctx, retryWaits.Wait(attempt)) || !allowed() {
				return output, err
			}
			retries.Add(1)
		}
	}
}

// retryable reports whether an error says that it is retryable, as errors of tool.Retryable do, or
// is a timeout of something that the handler called.
func retryable(err error) bool {
	var marked interface{ Retryable() bool }
	if errors.As(err, &marked) {
		return marked.Retryable()
	}
	var timeout interface{ Timeout() bool }
	return errors.As(err, &timeout) && timeout.Timeout()
}
