// Package backoff calculates how long to wait before another attempt, and waits.
package backoff

import (
	"context"
	"math/rand/v2"
	"time"
)

// A Policy doubles the wait with each failed attempt. Up to half of each wait is random, so that
// callers that failed together do not try again together.
type Policy struct {
	First   time.Duration // the limit of the wait after the first attempt; at least 2 ns, so that its half is not 0
	Longest time.Duration // the limit of any wait; at least First
}

// Wait returns how long to wait after the given number of failed attempts, which must be at least
// 1. The wait is random, at least half of the policy's limit for that attempt, and less than the
// limit.
func (p Policy) Wait(failed int) time.Duration {
	d := p.First
	for ; failed > 1 && d < p.Longest; failed-- {
		d *= 2
	}
	d = min(d, p.Longest)
	return d/2 + rand.N(d/2)
}

// Allows reports whether ctx has no deadline, or a deadline that is more than d away.
func Allows(ctx context.Context, d time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return !ok || time.Until(deadline) > d
}

// Sleep waits for d and reports whether there is time for another attempt. If ctx has ended, or its
// deadline comes before the wait is over, Sleep returns false at once. If ctx ends during the wait,
// Sleep returns false then.
func Sleep(ctx context.Context, d time.Duration) bool {
	if ctx.Err() != nil || !Allows(ctx, d) {
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
