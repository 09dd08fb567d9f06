package executor

import (
	"context"
	"errors"
	"time"

	"github.com/vcpgo/vcp/internal/backoff"
	"github.com/vcpgo/vcp/tool"
)

// DefaultMaxAttempts is how often an idempotent method is tried where Options does not say.
const DefaultMaxAttempts = 3

// pauses are those between attempts.
var pauses = backoff.Policy{First: 200 * time.Millisecond, Longest: 5 * time.Second}

// retrying calls a handler again where it has failed with an error that another attempt may not have, as long as there is time and the
// call is still allowed.
func retrying(next tool.Handler, most int, r *run, allowed func() bool) tool.Handler {
	return func(ctx context.Context, call *tool.Call) (tool.Output, error) {
		for attempt := 1; ; attempt++ {
			out, err := next(ctx, call)
			if err == nil || attempt >= most || !retryable(err) || !backoff.Sleep(ctx, pauses.Wait(attempt)) || !allowed() {
				return out, err
			}
			r.retries.Add(1)
		}
	}
}

// retryable reports whether an error says so of itself, as those of tool.Retryable do, or is a timeout of what the handler asked.
func retryable(err error) bool {
	var marked interface{ Retryable() bool }
	if errors.As(err, &marked) {
		return marked.Retryable()
	}
	var timeout interface{ Timeout() bool }
	return errors.As(err, &timeout) && timeout.Timeout()
}
