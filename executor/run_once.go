package executor

import (
	"fmt"
	"sync"
)

// runOnce makes sure that a call runs at most once, and only before its result is settled. One
// approval covers one run, and middlewares are application code: a middleware may call next
// repeatedly, from several goroutines, or long after it has returned. All attempts of a retried
// method are one run.
type runOnce struct {
	mu      sync.Mutex
	begun   bool // the handler has begun to run
	settled bool // the result is settled
	running int  // how many of these two run: the middleware chain and the handler
}

// beginChain records that the middleware chain runs.
func (o *runOnce) beginChain() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.running++
}

// begin records that the handler runs. ok is false if the handler ran before or the result is
// settled; late says that the result is settled.
func (o *runOnce) begin() (ok, late bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.begun || o.settled {
		return false, o.settled
	}
	o.begun = true
	o.running++
	return true, false
}

// end records that the chain or the handler has ended, and reports whether both have.
func (o *runOnce) end() (both bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.running--
	return o.running == 0
}

// settle records that the result is settled: nothing begins after this.
func (o *runOnce) settle() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.settled = true
}

func (o *runOnce) isSettled() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.settled
}

// isOver reports whether neither the chain nor the handler runs.
func (o *runOnce) isOver() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.running == 0
}

// RunOnceError is what next returns to a middleware if it does not run the method, because the call
// already ran or has its result.
type RunOnceError struct {
	// ID is the request's ID, Method the method's full name.
	ID, Method string
	// Late says that the call had its result. Otherwise the call had run already.
	Late bool
}

// Error says what to do instead.
func (e *RunOnceError) Error() string {
	if e.Late {
		return fmt.Sprintf("executor: next was called for call %q of %s after its result was settled, and did nothing. "+
			"Call next before the middleware returns", e.ID, e.Method)
	}
	return fmt.Sprintf("executor: next was called again for call %q of %s, which runs once, and did nothing. "+
		"To retry failed runs, declare the method tool.Idempotent and return errors made by tool.Retryable", e.ID, e.Method)
}

// panicError carries a panic of a handler through the middlewares. Without it, a panic would end
// the process if a middleware runs next on another goroutine.
type panicError struct {
	value any
	stack []byte
}

func (*panicError) Error() string { return "the handler panicked" }
