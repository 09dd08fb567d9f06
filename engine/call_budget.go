package engine

import (
	"context"
	"sync/atomic"

	"github.com/vcpgo/vcp/protocol/scan"
)

// callBudget counts the calls of a run against Config.MaxCalls: the requests of its replies, and
// the calls that their handlers make by Session.CallWithin. It is safe for concurrent use. The zero
// value has no limit.
type callBudget struct{ max, used atomic.Int64 }

type callBudgetKey struct{}

// withCallBudget returns a context that carries the budget of a run.
func withCallBudget(ctx context.Context, b *callBudget) context.Context {
	return context.WithValue(ctx, callBudgetKey{}, b)
}

// callBudgetOf returns the budget of the run to which ctx belongs. A context that belongs to no run
// has a budget without a limit.
func callBudgetOf(ctx context.Context) *callBudget {
	if b, ok := ctx.Value(callBudgetKey{}).(*callBudget); ok {
		return b
	}
	return new(callBudget)
}

// take counts n calls, and returns how many of them may run.
func (b *callBudget) take(n int) int {
	usedBefore := int(b.used.Add(int64(n))) - n
	limit := int(b.max.Load())
	if limit == 0 {
		return n
	}
	return max(0, min(n, limit-usedBefore))
}

// exceeded returns the error of a call that the budget does not allow.
func (b *callBudget) exceeded(language string) *scan.RequestError {
	message := phraseUsedUp.in(language, b.max.Load())
	return &scan.RequestError{Code: scan.CodeLimitExceeded, Message: message}
}
