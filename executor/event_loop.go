package executor

import (
	"context"
	"time"
)

// graceTime is how long a canceled handler or hook has to return.
const graceTime = 2 * time.Second

// post sends an event to the batch, from any goroutine.
func (b *batch) post(e event) {
	e.at = time.Now()
	b.mailbox.post(e, 0)
}

// step starts the calls that can start. If no call can, it handles one event: a posted one, the end
// of the run, or the end of the waiting call's time.
func (b *batch) step() {
	if len(b.starting) > 0 {
		b.start()
		return
	}
	if b.mailbox.empty() {
		b.commit(nil, nil)
	}
	var done <-chan struct{}
	if !b.over {
		done = b.ctx.Done()
	}
	e, what := b.mailbox.next(done, b.expired)
	switch {
	case what == arrivedDone:
		b.end()
	case what == arrivedExpired:
		b.expired = nil
		b.expire(b.waiting, time.Now())
	case e.call.stage == e.stage:
		e.handle(b, e)
	}
}

// commit calls Observer.Commit. It returns false if Commit has failed, now or earlier: then no call
// may start and no question may be asked any more.
func (b *batch) commit(starting []Start, asking *Question) bool {
	if b.observer.Commit == nil {
		return true
	}
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
func (b *batch) enter(
	ctx context.Context, c *execution, s stage, limit time.Duration, expire func(*batch, *execution, time.Time),
) {
	b.stopTimers(c)
	c.stage, c.expire = s, expire
	e := event{call: c, stage: s, handle: func(b *batch, e event) { b.expire(e.call, e.at) }}
	switch {
	case b.over:
		b.post(e)
	case limit > 0 && b.sequential:
		b.waiting, b.expired = c, ctx.Done()
	case limit > 0:
		c.timer = time.AfterFunc(limit, func() {
			<-ctx.Done() // the timer of ctx may be a moment late
			b.post(e)
		})
	}
}

func (b *batch) expire(c *execution, at time.Time) {
	if c.overdue == nil {
		c.expire(b, c, at)
	}
}

// allowGrace gives a canceled handler or hook time to return, and calls giveUp if it does not.
func (b *batch) allowGrace(c *execution, giveUp func(*batch, event)) {
	e := event{call: c, stage: c.stage, handle: giveUp}
	c.overdue = time.AfterFunc(graceTime, func() { b.post(e) })
}

// stopTimers stops all timers of a call.
func (b *batch) stopTimers(c *execution) {
	if b.waiting == c {
		b.waiting, b.expired = nil, nil
	}
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
	b := c.batch
	size := messageOverhead + len(update)
	if !b.mailbox.hasRoom(size) {
		return
	}
	update = copyUpdate(update)
	b.mailbox.post(event{
		call: c, stage: stageRunning, at: time.Now(), update: update,
		handle: func(b *batch, e event) { b.observer.progress(e.call.req.ID, e.update) },
	}, messageOverhead+len(update))
}
