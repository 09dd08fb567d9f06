package executor

import (
	"context"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/text"
)

// graceTime is how long a canceled handler or hook has to return.
const graceTime = 2 * time.Second

// post sends an event about a call to the batch, from any goroutine.
func (b *batch) post(c *execution, s stage, handle stageFunc) {
	b.mailbox.post(event{call: c, stage: s, at: time.Now(), handle: handle})
}

// step starts the calls that can start. If no call can, it handles one event: a posted one, or the
// end of the run.
func (b *batch) step() {
	if len(b.starting) > 0 {
		b.start()
		return
	}
	if b.mailbox.empty() { // the batch is about to wait
		b.commit(nil, nil)
	}
	var done <-chan struct{}
	if !b.over {
		done = b.ctx.Done()
	}
	e, ok := b.mailbox.next(done)
	switch {
	case !ok:
		b.end()
	case e.call.stage == e.stage:
		e.handle(b, e.call, e.at)
	}
}

// commit calls Observer.Commit. It returns false if Commit has failed, now or earlier: then no call
// may start and no question may be asked any more.
func (b *batch) commit(starting []Start, asking *Question) bool {
	if !b.uncommitted && b.observer.commit(starting, asking) != nil {
		b.uncommitted = true
	}
	return !b.uncommitted
}

// end notifies all calls in progress that the run is over.
func (b *batch) end() {
	b.over = true
	at := time.Now()
	for i := range b.calls {
		if c := &b.calls[i]; c.stage != stagePending && c.stage != stageSettled {
			b.expire(c, at)
		}
	}
}

// waitFor handles events until the call is settled.
func (b *batch) waitFor(c *execution) {
	for c.stage != stageSettled {
		b.step()
	}
}

// enter begins a stage. expire is called when the stage's time or the run ends. limit is the
// timeout of ctx; 0 means none.
func (b *batch) enter(ctx context.Context, c *execution, s stage, limit time.Duration, expire stageFunc) {
	b.stopTimers(c)
	c.entered++
	c.stage, c.expire = s, expire
	switch {
	case b.over:
		b.post(c, s, (*batch).expire)
	case limit > 0:
		entered := c.entered
		c.timer = time.AfterFunc(limit, func() {
			<-ctx.Done() // the timer of ctx may be a moment late
			b.post(c, s, func(b *batch, c *execution, at time.Time) {
				if c.entered == entered { // not if the call is in the stage again, such as for a second question
					b.expire(c, at)
				}
			})
		})
	}
}

// expire ends the stage of a call, unless its handler or hook has grace time already.
func (b *batch) expire(c *execution, at time.Time) {
	if c.overdue == nil {
		c.expire(b, c, at)
	}
}

// allowGrace gives a canceled handler or hook time to return, and calls giveUp if it does not.
func (b *batch) allowGrace(c *execution, giveUp stageFunc) {
	s := c.stage
	c.overdue = time.AfterFunc(graceTime, func() { b.post(c, s, giveUp) })
}

// stopTimers stops all timers of a call.
func (b *batch) stopTimers(c *execution) {
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	if c.overdue != nil {
		c.overdue.Stop()
		c.overdue = nil
	}
}

// progressed posts an update to the batch, or drops it if the mailbox is full.
func (c *execution) progressed(update string) {
	if !c.batch.mailbox.hasRoom(updateOverhead + len(update)) {
		return // so a text that would be dropped is not copied
	}
	update = text.TruncateBytes(text.Valid(update), maxProgress) // Valid may make it longer
	update = strings.Clone(update)                               // the copy shares no memory with a longer text
	c.batch.mailbox.post(event{
		call: c, stage: stageRunning, bytes: updateOverhead + len(update),
		handle: func(b *batch, c *execution, _ time.Time) { b.observer.progress(c.req.ID, update) },
	})
}
