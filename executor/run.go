package executor

import (
	"bytes"
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
)

// outcome is how a handler ended. It holds only what was safe to take from the handler on its own goroutine: an error's methods
// are foreign code too.
type outcome struct {
	text    string // for the model: the output, or the error
	bytes   int    // of the text as the handler returned it
	details any
	files   []tool.File

	failed       bool
	badArguments bool // the handler found that the arguments do not fit
	unapproved   bool // it is not what was approved
	spent        bool // a middleware had it run again, or too late
	problems     []schema.Problem
	late         bool // the deadline had passed when it failed

	panicked   bool
	panicValue any
	stack      []byte
}

// A run is a handler on its goroutine.
type run struct {
	batch *batch
	index int // of the call
	ctx   context.Context
	call  tool.Call
	out   outcome // the goroutine's, until it has posted noteReturned

	permit  permit
	phase   atomic.Int32
	retries atomic.Int32
	cached  atomic.Bool
	held    []*ticket
	whole   *ticket // of held, the place among all calls
}

// The phases of a run. Only one of the goroutine and the batch takes it out of the first.
const (
	runActive    int32 = iota
	runAbandoned       // the call has its result, and its handler or a middleware goes on
	runOver            // the handler and the middlewares are done
)

// launch starts the tool.
func (b *batch) launch(c *call) {
	c.limit = c.method.Method.Timeout
	if c.limit <= 0 {
		c.limit = b.executor.options.Timeout
	}
	now := time.Now()
	ctx, cancel := context.WithDeadline(b.ctx, now.Add(c.limit))
	c.stage, c.cancel, c.result.Started = stageRunning, cancel, now
	b.watch(ctx, c, c.limit)
	r := c.run
	r.ctx = ctx
	r.call = tool.Call{ID: c.req.ID, Method: c.method, Arguments: bytes.Clone(c.result.Arguments), Progress: r.progress}
	r.permit.open()
	go r.do(b.handler(c))
}

func (r *run) progress(text string) {
	if r.phase.Load() != runOver && r.ctx.Err() == nil {
		r.batch.inbox.postProgress(note{call: r.index, stage: stageRunning}, text)
	}
}

// do is the handler's goroutine.
func (r *run) do(handler tool.Handler) {
	growStack()
	r.out = outcome{panicked: true, panicValue: "the handler ended its goroutine"} // stands after runtime.Goexit
	defer func() {
		r.permit.close()
		r.end()
		r.batch.inbox.post(note{kind: noteReturned, call: r.index, stage: stageRunning, outcome: &r.out})
	}()
	r.handle(handler)
}

// growStack takes in one step what handlers commonly need of a stack, JSON being read on it. A goroutine begins with less, and each time that it
// grows, all that is on its stack is copied; here there is next to nothing on it yet.
//
//go:noinline
func growStack() {
	var room [3200]byte // besides what is there already, this makes a stack of 8 KB
	touch(room[:])
}

//go:noinline
func touch([]byte) {}

// handle runs the handler within the middlewares and tells how it ended, unless it ends the goroutine.
func (r *run) handle(handler tool.Handler) {
	defer func() {
		if p := recover(); p != nil {
			r.out = outcome{panicked: true, panicValue: p, stack: debug.Stack()}
		}
	}()
	for _, wrap := range slices.Backward(r.batch.executor.options.Middlewares) {
		handler = wrap(handler)
	}
	out, err := handler(r.ctx, &r.call)
	if err == nil {
		r.out = outcome{text: validText(out.Text), bytes: len(out.Text), details: out.Details, files: out.Files}
		return
	}
	var broken *panicError
	if errors.As(err, &broken) {
		r.out = outcome{panicked: true, panicValue: broken.value, stack: broken.stack}
		return
	}
	var bad *schema.ArgumentsError
	var spent *SpentError
	text := err.Error()
	o := outcome{
		text:         text,
		bytes:        len(text),
		failed:       true,
		badArguments: errors.As(err, &bad),
		unapproved:   errors.Is(err, errNotAsApproved),
		spent:        errors.As(err, &spent),
		late:         errors.Is(r.ctx.Err(), context.DeadlineExceeded),
	}
	if bad != nil {
		o.problems = boundProblems(bad.Problems)
	}
	r.out = o
}

// boundProblems returns a copy of what a handler found wrong with its arguments, as short as what a schema finds.
func boundProblems(problems []schema.Problem) []schema.Problem {
	problems = slices.Clone(problems[:min(len(problems), schema.MaxProblems)])
	for i := range problems {
		p := &problems[i]
		p.Path, p.Expected, p.Received, p.Nearest = cut(p.Path), cut(p.Expected), cut(p.Received), cut(p.Nearest)
	}
	return problems
}

// handler returns what the middlewares are put around: the method's own handler, with what the method has declared. The permit comes
// first, then the check of what was approved, so that nothing that was changed after it is looked up, run or handed out.
func (b *batch) handler(c *call) tool.Handler {
	m := c.method.Method
	h := m.Handler
	switch {
	case m.HostRun:
		n := note{kind: noteHandedOut, call: c.index, stage: stageRunning}
		h = handingOut(b.remembered(), c.req.ID, c.method, func() { b.inbox.post(n) })
	case m.Idempotent && b.executor.options.MaxAttempts > 1:
		h = retrying(h, b.executor.options.MaxAttempts, c.run, func() bool { return !c.run.permit.isClosed() && b.recheck(c) == nil })
	}
	if m.CacheFor > 0 {
		h = caching(h, b.memory(), c.method, c.run)
	}
	if c.approved != nil {
		h = onlyAsApproved(h, *c.approved)
	}
	return c.run.once(h)
}
