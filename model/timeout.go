package model

import (
	"context"
	"fmt"
	"math"
	"time"
)

const (
	// DefaultIdleTimeout applies if Options.IdleTimeout is 0. A large model that reads a long
	// prompt on a small machine sends nothing for minutes.
	DefaultIdleTimeout = 5 * time.Minute
	// DefaultTimeout applies if Options.Timeout is 0. It ends only what would never end.
	DefaultTimeout = time.Hour
)

// timeoutError means that a time limit passed. errors.Is takes it for context.DeadlineExceeded.
type timeoutError struct {
	idle  bool
	after time.Duration
}

func (e *timeoutError) Error() string {
	if e.idle {
		return fmt.Sprintf("it sent nothing for %s", e.after)
	}
	return fmt.Sprintf("it was not done after %s", e.after)
}

func (*timeoutError) Unwrap() error { return context.DeadlineExceeded }

// withTimeout limits ctx to the time for a whole reply. A negative limit is none.
func withTimeout(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit < 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, limit, &timeoutError{after: limit})
}

// An idleTimer cancels a request if its server is silent for too long. Only the time spent waiting
// for the server counts, not the time that the reader of a reply takes.
type idleTimer struct {
	timer *time.Timer
	limit time.Duration
}

// newIdleTimer returns a timer that is stopped. A negative limit is none.
func newIdleTimer(limit time.Duration, cancel context.CancelCauseFunc) idleTimer {
	t := time.AfterFunc(math.MaxInt64, func() { cancel(&timeoutError{idle: true, after: limit}) })
	t.Stop()
	return idleTimer{t, limit}
}

func (t idleTimer) start() {
	if t.limit >= 0 {
		t.timer.Reset(t.limit)
	}
}

func (t idleTimer) stop() { t.timer.Stop() }
