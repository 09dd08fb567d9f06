package model

import (
	"context"
	"log/slog"
	"time"

	"github.com/vcpgo/vcp/internal/backoff"
)

// waits are the pauses between attempts.
var waits = backoff.Policy{First: 500 * time.Millisecond, Longest: 8 * time.Second}

// An attempt says how one request ended.
type attempt struct {
	err       *Error // nil if the response ended without an error
	delivered bool   // a piece of the reply was delivered, so the reply cannot be requested again
	finished  bool   // the reply is complete
}

// final reports whether another attempt cannot help.
func (a *attempt) final() bool {
	return a.delivered || a.finished || a.err != nil && !a.err.temporary
}

// retry makes attempts until one is final, all are used up, the next wait would be too long, or ctx
// ends. The error is an *Error.
func (s *endpoint) retry(ctx context.Context, op string, send func() attempt) error {
	for number := 1; ; number++ {
		a := send()
		if a.err != nil {
			a.err.Attempts = number
		}
		wait, ok := s.wait(number, a.err)
		if a.final() || number > s.retries || !ok || !backoff.Allows(ctx, wait) {
			if a.err == nil {
				return nil
			}
			return s.summary(a.err)
		}
		reason := "the response ended before its first word"
		if a.err != nil {
			reason = a.err.Message
		}
		s.log.LogAttrs(ctx, slog.LevelWarn, "model request failed, trying again",
			slog.String("server", s.name), slog.Int("attempt", number),
			slog.Duration("wait", wait.Round(time.Millisecond)), slog.String("reason", reason))
		if !backoff.Sleep(ctx, wait) {
			return s.newExchange(op, nil).fail(ctx, ctx.Err())
		}
	}
}

// wait returns how long to wait after the attempt with the given number, from 1. It is at least as
// long as the server asks for. ok is false if the server asks for more than Options.MaxRetryWait.
func (s *endpoint) wait(number int, err *Error) (wait time.Duration, ok bool) {
	wait = waits.Wait(number)
	if err == nil || err.RetryAfter <= 0 {
		return wait, true
	}
	// A small random time is added, so that many clients do not return at the same moment. The sum
	// must not overflow.
	return err.RetryAfter + min(wait/2, maxDuration-err.RetryAfter), err.RetryAfter <= s.maxWait
}

// summary adds to the message of an error the pause that the server asks for, and the number of
// attempts.
func (s *endpoint) summary(e *Error) *Error {
	text := say("%v", e)
	if e.RetryAfter > 0 {
		text = say("%v (the server asks for a pause of %v)", text, e.RetryAfter.Round(time.Second))
	}
	if e.Attempts > 1 {
		text = say("%v (%d attempts)", text, e.Attempts)
	}
	return newError(s.secrets, *e, "%v", text)
}
