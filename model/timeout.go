package model

import (
	"context"
	"math"
	"time"

	"github.com/vcpgo/vcp/internal/message"
)

// maxDuration is the longest time.Duration. As a time limit it means no limit.
const maxDuration time.Duration = math.MaxInt64

// timeoutError means that a time limit passed. errors.Is reports that it is
// context.DeadlineExceeded.
type timeoutError struct{ *message.Text }

func (*timeoutError) Unwrap() error { return context.DeadlineExceeded }

// timeLimit returns the limit of an option: the default for 0, and no limit for a negative value.
func timeLimit(option, byDefault time.Duration) time.Duration {
	switch {
	case option < 0:
		return maxDuration
	case option == 0:
		return byDefault
	}
	return option
}

// withTimeout limits ctx to the time for one operation with all its attempts, such as a reply.
func withTimeout(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, limit, &timeoutError{say("it was not done after %v", limit)})
}

// newIdleTimer returns a stopped timer that cancels a request when it fires. It runs only while the
// request waits for its server, so the time that the reader of a reply takes does not count.
func newIdleTimer(limit time.Duration, cancel context.CancelCauseFunc) *time.Timer {
	t := time.AfterFunc(maxDuration, func() { cancel(&timeoutError{say("it sent nothing for %v", limit)}) })
	t.Stop()
	return t
}
