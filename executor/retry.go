package executor

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/vcpgo/vcp/tool"
)

// DefaultMaxAttempts is how often an idempotent method is tried where Options does not say.
const DefaultMaxAttempts = 3

// The pauses between attempts: the first is firstPause, each is twice the one before, none is longer than longestPause. Of each, up
// to a half is left off by chance, so that calls that failed together do not come back together.
const (
	firstPause   = 200 * time.Millisecond
	longestPause = 5 * time.Second
)

// retrying calls a handler again where it has failed with an error that another attempt may not have, as long as there is time and the
// call is still allowed.
func retrying(next tool.Handler, most int, r *run, allowed func() bool) tool.Handler {
	return func(ctx context.Context, call *tool.Call) (tool.Output, error) {
		for attempt := 1; ; attempt++ {
			out, err := next(ctx, call)
			if err == nil || attempt >= most || !retryable(err) || !pause(ctx, attempt) || !allowed() {
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

// pause waits after a failed attempt and reports whether there may be another: not where the time is over by then.
func pause(ctx context.Context, attempt int) bool {
	d := min(firstPause<<min(attempt-1, 10), longestPause)
	d -= rand.N(d / 2)
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= d {
		return false
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
