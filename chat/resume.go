package chat

import (
	"context"
	"iter"

	"github.com/vcpgo/vcp/engine"
)

// Interrupted reports whether the last turn was interrupted, so that Resume can finish it. For
// example, the process was killed, or the store failed. While a turn runs, Interrupted returns
// false.
func (c *Conversation) Interrupted() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stop == nil && c.interrupted()
}

// interrupted reports whether the last turn has no end and waits for no decision. c.mu is held.
func (c *Conversation) interrupted() bool { return c.hasOpenTurn() && dispatched(c.history) == nil }

// Resume finishes a turn that was interrupted, as engine.Session.Resume says, and yields what Send
// does. What was recorded is not done again. A call that had started and has no result may or may
// not have happened. Such a call runs again if its method is idempotent. Otherwise the model is
// told that the call may have happened. Send begins a new turn and does not finish the interrupted
// one.
//
// A turn that cannot begin yields ErrBusy, ErrNotInterrupted, ErrChanged or an error of the store.
func (c *Conversation) Resume(ctx context.Context) iter.Seq2[engine.Event, error] {
	return c.turn(ctx, "", func(context.Context) ([]engine.Event, runFunc, error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if !c.interrupted() {
			return nil, nil, c.withID(ErrNotInterrupted)
		}
		return nil, c.resume, nil
	})
}

// resume runs the rest of a turn that has no end. The turn was interrupted, or Regenerate made the
// conversation continue before one of its replies.
func (c *Conversation) resume(ctx context.Context) iter.Seq2[engine.Event, error] {
	return c.tools.session.Resume(ctx, c.firstMessages(c.stored.openAt), entriesOf(c.stored.open))
}
