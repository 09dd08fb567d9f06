package executor

import (
	"slices"
	"time"
)

// Keys of the lock table, for a resource and for the places among all calls. The key of the places
// among the calls of a method or a tool is the method or the tool itself.
type (
	resourceKey string
	allCallsKey struct{}
)

// needs lists what a call acquires before it runs: first its resources, then a place among the
// calls of its method, of its tool, and of all. The call keeps what it has while it waits for the
// rest. All calls use this order, so there is no deadlock.
func (b *batch) needs(c *execution) (list []need) {
	m := c.method
	if keys := m.ResourceKeys(c.result.Arguments); keys != nil {
		claims := make([]claim, len(keys))
		for i, key := range keys {
			claims[i] = claim{resourceKey(key), 1}
		}
		list = append(list, need{claims: claims})
	}
	if n := m.Method.Concurrency; n > 0 {
		list = append(list, need{claims: []claim{{m.Method, n}}})
	}
	if n := m.Tool.Concurrency; n > 0 {
		list = append(list, need{claims: []claim{{m.Tool, n}}})
	}
	if n := b.options.MaxConcurrent; n > 0 && !m.Method.Composite {
		list = append(list, need{claims: []claim{{allCallsKey{}, n}}, place: true})
	}
	return list
}

// admit runs a call when it has the locks that it needs. The wait is not part of the tool's time.
func (b *batch) admit(c *execution) {
	c.run = &c.running
	c.run.owner, c.run.shared, c.run.middlewares, c.run.logger = c, b.shared, b.options.Middlewares, b.options.Logger
	c.needs = b.needs(c)
	b.enter(b.ctx, c, stageQueued, 0, func(b *batch, c *execution, _ time.Time) { b.settle(c, canceled(false)) })
	b.acquireNext(c)
}

// acquireNext takes the next locks that a call needs, until it waits for one or has them all.
func (b *batch) acquireNext(c *execution) {
	for len(c.needs) > 0 {
		n := c.needs[0]
		c.needs = c.needs[1:]
		l, held := b.shared.locks.acquire(n.claims, func(granted bool) {
			b.post(event{call: c, stage: stageQueued, granted: granted, handle: (*batch).acquired})
		})
		if l == nil {
			b.settle(c, resourceLost(c.method))
			return
		}
		c.run.locks = append(c.run.locks, l)
		if n.place {
			c.run.place = l
		}
		if !held {
			return
		}
	}
	if b.starting == nil {
		b.starting = b.oneStarting[:0]
	}
	b.starting = append(b.starting, c)
}

func (b *batch) acquired(e event) {
	e.call.waited = true
	if e.granted {
		b.acquireNext(e.call)
	} else {
		b.settle(e.call, resourceLost(e.call.method))
	}
}

// start launches the calls that have all that they need, except those that must not run any more.
// They are committed together.
func (b *batch) start() {
	calls := b.starting
	if len(calls) == 0 {
		return
	}
	b.starting = nil
	observed := b.observer.Started != nil || b.observer.Commit != nil
	calls = slices.DeleteFunc(calls, func(c *execution) bool {
		if c.stage == stageSettled {
			return true
		}
		// A call that did not wait was checked a moment ago. If there is an observer, the call is
		// checked again below.
		f := b.mayRun(c, c.waited || !observed)
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
			b.settle(c, canceled(false))
			continue
		}
		b.observer.started(c.req, c.method, c.result.Arguments)
		if f := b.mayRun(c, observed); f != nil { // the observer may have taken long, or ended the run
			b.settle(c, f)
			continue
		}
		b.launch(c)
	}
}

// mayRun returns what keeps a call from running now.
func (b *batch) mayRun(c *execution, recheck bool) *failure {
	if b.ctx.Err() != nil {
		return canceled(false)
	}
	if recheck {
		if f := b.recheck(c); f != nil {
			return f
		}
	}
	if n := b.shared.abandoned.ofTool(c.method.Tool.ID); n >= b.options.MaxAbandoned {
		return tooManyAbandoned(c.method, n)
	}
	return nil
}
