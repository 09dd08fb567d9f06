package executor

import (
	"slices"
	"time"
)

// needs lists what a call acquires before it runs. First come its resources, then a slot within the
// limit of its method, of its tool, and of all calls. The call keeps what it has while it waits for
// the rest. All calls use this order, so there is no deadlock. Each element of list is acquired as
// one lock.
func (b *batch) needs(c *execution) (list [][]claim) {
	m := c.method
	if keys := m.ResourceKeys(c.result.Arguments); keys != nil {
		claims := make([]claim, len(keys))
		for i, key := range keys {
			claims[i] = claim{resourceKey(key), 1}
		}
		list = append(list, claims)
	}
	if n := m.Method.Concurrency; n > 0 {
		list = append(list, []claim{{m.Method, n}})
	}
	if n := m.Tool.Concurrency; n > 0 {
		list = append(list, []claim{{m.Tool, n}})
	}
	// A composite call takes no slot, because the calls that it makes could wait for that slot
	// forever.
	if n := b.options.MaxConcurrent; n > 0 && !m.Method.Composite {
		list = append(list, []claim{{allCallsKey{}, n}})
	}
	return list
}

// admit queues a call. The call starts when it holds the locks that it needs. The wait does not
// count against its timeout.
func (b *batch) admit(c *execution) {
	c.needs = b.needs(c)
	b.enter(b.ctx, c, stageQueued, 0, func(b *batch, c *execution, _ time.Time) { b.settle(c, canceledBeforeRun()) })
	b.acquireNext(c)
}

// acquireNext takes the next locks that a call needs, until it waits for one or has them all.
func (b *batch) acquireNext(c *execution) {
	for len(c.needs) > 0 {
		claims := c.needs[0]
		c.needs = c.needs[1:]
		l, held := b.shared.locks.acquire(claims, func(granted bool) {
			b.post(c, stageQueued, func(b *batch, c *execution, _ time.Time) { b.acquired(c, granted) })
		})
		if l == nil { // all slots of a key are lost
			b.settle(c, resourceLost(c.method))
			return
		}
		c.run.locks = append(c.run.locks, l)
		if !held {
			return
		}
	}
	if b.starting == nil {
		b.starting = b.oneStarting[:0]
	}
	b.starting = append(b.starting, c)
}

// acquired continues a call after its wait for a lock.
func (b *batch) acquired(c *execution, granted bool) {
	c.waited = true
	if granted {
		b.acquireNext(c)
	} else {
		b.settle(c, resourceLost(c.method))
	}
}

// start launches the calls that hold all their locks, unless they must not run any more. They are
// passed to Observer.Commit together.
func (b *batch) start() {
	calls := b.starting
	if len(calls) == 0 {
		return
	}
	b.starting = nil
	hasObserver := b.observer.Started != nil || b.observer.Commit != nil
	calls = slices.DeleteFunc(calls, func(c *execution) bool {
		if c.stage == stageSettled {
			return true
		}
		// A call that waited is checked again before the observer learns of it. Each call is
		// checked right before it is launched: here or, if there is an observer, below.
		f := b.checkStart(c, c.waited || !hasObserver)
		if f != nil {
			b.settle(c, f)
		}
		return f != nil
	})
	if b.observer.Commit != nil && len(calls) > 0 {
		starting := make([]Start, len(calls))
		for i, c := range calls {
			starting[i] = Start{Request: c.req, Method: c.method, Arguments: c.result.Arguments}
		}
		b.commit(starting, nil)
	}
	for _, c := range calls {
		if b.uncommitted {
			b.settle(c, canceledBeforeRun())
			continue
		}
		b.observer.started(c.req, c.method, c.result.Arguments)
		if f := b.checkStart(c, hasObserver); f != nil { // the observer may have taken long, or ended the run
			b.settle(c, f)
			continue
		}
		b.launch(c)
	}
}

// checkStart returns nil if a call may start now, or else the failure that refuses it. recheck says
// whether to repeat the checks of the method and the policy, too.
func (b *batch) checkStart(c *execution, recheck bool) *failure {
	if b.ctx.Err() != nil {
		return canceledBeforeRun()
	}
	if recheck {
		if f := b.recheck(c); f != nil {
			return f
		}
	}
	if n := b.shared.abandoned.countOfTool(c.method.Tool.ID); n >= b.options.MaxAbandoned {
		return tooManyAbandoned(c.method, n)
	}
	return nil
}
