package builtin

import "context"

// stepsPerCheck is how many steps of a computation pass between two checks of its context. A step
// takes some nanoseconds, so a handler ends within some milliseconds after its context.
const stepsPerCheck = 1 << 18

// work counts the steps of a computation, and checks its context from time to time. A handler that
// computes would otherwise ignore the deadline of its call. Each loop counts its steps here if a
// model can choose how long it is.
type work struct {
	ctx   context.Context
	steps int // how many steps may pass before the next check
}

// add counts n steps, which are done or about to be done. It returns the error of the context if
// the context has ended.
func (w *work) add(n int) error {
	if w.steps -= n; w.steps > 0 {
		return nil
	}
	w.steps = stepsPerCheck
	return w.ctx.Err()
}
