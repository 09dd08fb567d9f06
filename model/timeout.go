package model

import (
	"context"
	"math"
	"time"
)

// maxDuration is the longest time.Duration. As a time limit it means no limit.
const maxDuration time.Duration = math.MaxInt64

// timeoutError means that a time limit passed. errors.Is reports that it is
// context.DeadlineExceeded.
type timeoutError struct {
	idle  bool // the limit is that of silence, not of the whole reply
	after time.Duration
}

// Error returns the text in English.
func (e *timeoutError) Error() string { return e.In("en") }

// In returns the text in a language.
func (e *timeoutError) In(language string) string {
	if e.idle {
		return say("it sent nothing for %v", e.after).In(language)
	}
	return say("it was not done after %v", e.after).In(language)
}

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

// withTimeout limits ctx to the time for a whole reply.
func withTimeout(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, limit, &timeoutError{after: limit})
}

// newIdleTimer returns a stopped timer that cancels a request when it fires. It runs only while the
// request waits for its server, so the time that the reader of a reply takes does not count.
func newIdleTimer(limit time.Duration, cancel context.CancelCauseFunc) *time.Timer {
	t := time.AfterFunc(maxDuration, func() { cancel(&timeoutError{idle: true, after: limit}) })
	t.Stop()
	return t
}
