package builtin

import "context"

// stepsPerCheck is how many steps of a computation pass between two checks of its context. A step
// takes some nanoseconds, so a handler ends within some milliseconds after its context.
const stepsPerCheck = 1 << 18

// work ends a computation with its context. The deadline of a call limits nothing unless its
// handler checks its context while it computes. So each loop with a length that a model chooses
// counts its steps here.
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
