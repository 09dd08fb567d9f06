package executor

import (
	"github.com/vcpgo/vcp/tool"
)

// What the gate keeps places for. Methods and tools are keys themselves.
type (
	resourceKey string
	wholeKey    struct{}
)

// A stretch is what a call asks of the gate at once. Between stretches it holds what it has, and since all calls go through them in
// the same order, none waits for one that waits for it.
type stretch struct {
	claims []claim
	whole  bool // the place among all calls
}

// stretches returns what a call needs before it may run: first its resources, in the order in which calls came, then a place among
// the calls of its method, of its tool, and of all.
func (x *Executor) stretches(c *call) (list []stretch) {
	m := c.method
	if keys := m.ResourceKeys(c.result.Arguments); keys != nil {
		claims := make([]claim, len(keys))
		for i, key := range keys {
			claims[i] = claim{resourceKey(key), 1}
		}
		list = append(list, stretch{claims: claims})
	}
	if n := m.Method.Concurrency; n > 0 {
		list = append(list, stretch{claims: []claim{{m.Method, n}}})
	}
	if n := m.Tool.Concurrency; n > 0 {
		list = append(list, stretch{claims: []claim{{m.Tool, n}}})
	}
	if n := x.options.MaxConcurrent; n > 0 {
		list = append(list, stretch{claims: []claim{{wholeKey{}, n}}, whole: true})
	}
	return list
}

// queue takes a call that may run to the front of its lines. Waiting is no part of the tool's time.
func (b *batch) queue(c *call) {
	c.stage, c.run = stageQueued, &c.running
	c.run.batch, c.run.index = b, c.index
	c.ahead = b.executor.stretches(c)
	b.watch(b.ctx, c, 0)
	b.advance(c)
}

// advance goes on from a stretch that the call has come through.
func (b *batch) advance(c *call) {
	for len(c.ahead) > 0 {
		s := c.ahead[0]
		c.ahead = c.ahead[1:]
		t, through := b.executor.options.State.gate.enter(s.claims, b.admittance(c))
		if t == nil {
			b.settle(c, busy(c.method))
			return
		}
		c.run.held = append(c.run.held, t)
		if s.whole {
			c.run.whole = t
		}
		if !through {
			return
		}
	}
	b.start(c)
}

// admitted is told that the gate has let a call through, or never will.
func (b *batch) admitted(c *call, through bool) {
	if c.waited = true; through {
		b.advance(c)
	} else {
		b.settle(c, busy(c.method))
	}
}

// start runs a call, unless it must not run any more.
func (b *batch) start(c *call) {
	told := b.obs.Started != nil
	// What may run has only just been looked at where the call has waited for nothing, and is again before it runs.
	if f := b.mayStart(c, c.waited || !told); f != nil {
		b.settle(c, f)
		return
	}
	if told {
		b.obs.started(c)
		if f := b.mayStart(c, true); f != nil { // the observer may have taken its time, or ended the run
			b.settle(c, f)
			return
		}
	}
	b.launch(c)
}

// mayStart returns what keeps a call from running now; again says that what may run is to be looked at again.
func (b *batch) mayStart(c *call, again bool) *failure {
	if b.ctx.Err() != nil {
		return canceled(false)
	}
	if again {
		if f := b.recheck(c); f != nil {
			if f.kind == ErrorPermissionDenied {
				b.decide(c, AuditDenied, AuditByRule)
			}
			return f
		}
	}
	return b.tooManyAbandoned(c.method)
}

func (b *batch) tooManyAbandoned(m *tool.Entry) *failure {
	o := &b.executor.options
	if n := o.State.abandonedOf(m.Tool.ID); n >= o.MaxAbandoned {
		return stuck(m, n)
	}
	return nil
}
