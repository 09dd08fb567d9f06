package executor

import (
	"context"
	"log/slog"
	"time"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// A batch is one Execute. All of it but the inbox belongs to the goroutine that called Execute: handlers and hooks run on goroutines
// of their own and are heard through the inbox alone.
type batch struct {
	executor *Executor
	ctx      context.Context
	scope    Scope
	obs      Observer
	inbox    inbox
	calls    []call
	one      [1]call // memory of calls where there is one, as there mostly is
	own      *Memory // of a scope that has none
	ended    bool    // ctx is done, and the calls have been told

	// Where no two calls wait at the same time, the one that does, and the end of its time.
	alone   bool
	waiting *call
	expired <-chan struct{}
}

// A call is one request on its way to its result.
//
//	pending → [[turn →] asking → answered] → queued → running → [summarizing] → settled
//
// Any stage may go to settled at once.
type call struct {
	index  int
	req    Request
	method *tool.Entry // nil until resolved
	stage  stage
	result *Result // in what Execute returns; nobody else has it, nor its arguments, before the call is settled

	waited   bool    // for leave, or in a line
	approved *Digest // what a person has allowed, where it is this call alone
	reply    *reply  // from stage answered on
	run      *run    // from stage queued on
	running  run     // memory of run
	ahead    []stretch

	limit   time.Duration      // how long it may run
	cancel  context.CancelFunc // of the context that it runs in
	timer   *time.Timer        // runs while the stage's time does
	overdue *time.Timer        // runs while a done context waits to be heeded
	full    FullResult         // in stage summarizing
	trail   trail
}

type stage uint8

const (
	stagePending stage = iota
	stageTurn          // waits until no other question is open
	stageAsking
	stageAnswered
	stageQueued // waits for what it needs
	stageRunning
	stageSummarizing
	stageSettled
)

// heedTime is how long a canceled handler or hook has to return before it is given up.
const heedTime = 2 * time.Second

// begin takes a request as far as it goes without waiting for its tool.
func (b *batch) begin(c *call) {
	*c.result = c.req.result()
	c.trail.asked = c.result.Started
	if b.ctx.Err() != nil {
		b.settle(c, canceled(false))
		return
	}
	if f := b.prepare(c); f != nil {
		b.settle(c, f)
		return
	}
	if f := b.leave(c); f != nil {
		b.settle(c, f)
		return
	}
	b.queue(c)
}

// memory returns that of the conversation.
func (b *batch) memory() *Memory {
	if m := b.remembered(); m != nil {
		return m
	}
	if b.own == nil {
		b.own = &Memory{}
	}
	return b.own
}

// remembered returns the memory that outlives the batch; nil where the scope has none.
func (b *batch) remembered() *Memory {
	if r, ok := b.scope.(Rememberer); ok {
		return r.Memory()
	}
	return nil
}

// admittance returns what a gate calls when it lets c through. It belongs to the stage that c is in.
func (b *batch) admittance(c *call) func(bool) {
	n := note{kind: noteAdmitted, call: c.index, stage: c.stage}
	return func(through bool) {
		n.through = through
		b.inbox.post(n)
	}
}

// waitFor serves the inbox until c has its result.
func (b *batch) waitFor(c *call) {
	for c.stage != stageSettled {
		b.step()
	}
}

// step takes one note out of the inbox, or notes that the run is over.
func (b *batch) step() {
	var over <-chan struct{}
	if !b.ended {
		over = b.ctx.Done()
	}
	n, what := b.inbox.next(over, b.expired)
	switch what {
	case arrivedDone:
		b.end()
		return
	case arrivedExpired:
		b.expired = nil
		b.expire(b.waiting, time.Now())
		return
	}
	c := &b.calls[n.call]
	if c.stage != n.stage {
		return
	}
	switch n.kind {
	case noteSummarized:
		b.summarized(c, n.summary)
	case noteProgress:
		b.obs.progress(c.req.ID, n.text)
	case noteReturned:
		c.result.Duration = n.at.Sub(c.result.Started)
		b.returned(c, n.outcome)
	case noteAnswered:
		c.reply, c.stage = n.reply, stageAnswered
	case noteAdmitted:
		if c.stage == stageTurn {
			c.stage = stagePending
		} else {
			b.admitted(c, n.through)
		}
	case noteHandedOut:
		b.obs.handedOut(c)
	case noteExpired:
		b.expire(c, n.at)
	case noteOverdue:
		b.giveUp(c, n.at)
	}
}

// end tells all calls that the run is over.
func (b *batch) end() {
	b.ended = true
	at := time.Now()
	for i := range b.calls {
		if c := &b.calls[i]; c.stage != stagePending && c.stage != stageSettled {
			b.expire(c, at)
		}
	}
}

// expire ends a call's stage whose time is over, or that the end of the run ends. What heeds its context has a moment to say so.
func (b *batch) expire(c *call, at time.Time) {
	if c.overdue != nil {
		return
	}
	over := b.ctx.Err() != nil
	switch c.stage {
	case stageTurn:
		c.stage = stagePending
		return
	case stageAsking:
		if !over {
			c.reply, c.stage = &reply{err: errLateAnswer}, stageAnswered
			return
		}
	case stageQueued:
		b.settle(c, canceled(false))
		return
	case stageRunning:
		if !over && !b.answered(c) {
			c.result.Duration = at.Sub(c.result.Started)
			b.settle(c, timedOut(c.method, c.limit))
			return
		}
	case stageSummarizing:
		b.summarized(c, nil)
		return
	}
	n := note{kind: noteOverdue, call: c.index, stage: c.stage}
	c.overdue = time.AfterFunc(heedTime, func() { b.inbox.post(n) })
}

// giveUp ends a stage that has had its time to heed its context.
func (b *batch) giveUp(c *call, at time.Time) {
	if c.stage == stageAsking {
		c.reply, c.stage = &reply{err: errLateAnswer}, stageAnswered
		return
	}
	c.result.Duration = at.Sub(c.result.Started)
	if b.ctx.Err() != nil {
		b.settle(c, canceled(true))
	} else {
		b.settle(c, timedOut(c.method, c.limit))
	}
}

// returned settles a call whose handler is done.
func (b *batch) returned(c *call, o *outcome) {
	switch {
	case o.panicked:
		b.logPanic(c, o.panicValue, o.stack)
		b.settle(c, brokeDown(c.method.FullName))
	case !o.failed:
		c.result.Status, c.result.Details, c.result.Files, c.result.RawBytes = protocol.StatusSuccess, o.details, o.files, o.bytes
		b.size(c, c.editNote()+o.text)
	case b.ctx.Err() != nil:
		b.settle(c, canceled(true))
	case o.late:
		b.settle(c, timedOut(c.method, c.limit))
	case o.spent: // the log has it: what a middleware does is nothing that a model could mend
		b.settle(c, brokeDown(c.method.FullName))
	case o.unapproved:
		b.settle(c, alteredCall())
	case o.badArguments:
		c.result.Problems, c.result.RawBytes = c.secrets().MaskProblems(o.problems), o.bytes
		b.settle(c, c.invalidArguments(c.masked(o.text)))
	default:
		c.result.RawBytes = o.bytes
		b.settle(c, failed(c.masked(o.text)))
	}
}

// settle ends a call, with a failure or, where f is nil, with the result that it has.
func (b *batch) settle(c *call, f *failure) {
	b.unwatch(c)
	if c.cancel != nil {
		c.cancel()
	}
	b.letGo(c)
	if f != nil {
		c.result.fail(*f)
		if c.result.RawBytes == 0 { // the tool returned nothing
			c.result.RawBytes = len(c.result.ToolResult.Result)
		}
		c.result.ToolResult.Result = c.editNote() + c.result.ToolResult.Result
		b.sizeFailure(c)
	}
	c.stage, c.full = stageSettled, FullResult{}
	c.result.Tokens = b.executor.options.Size.measure().tokens(c.result.ToolResult.Result)
	if log := b.executor.options.Logger; log.Enabled(b.ctx, slog.LevelDebug) {
		log.LogAttrs(b.ctx, slog.LevelDebug, "tool call",
			slog.String("id", c.result.ID), slog.String("tool", c.result.ToolName), slog.String("status", string(c.result.Status)),
			slog.String("error_type", c.result.ErrorType), slog.Duration("duration", c.result.Duration))
	}
	b.audit(c)
	b.obs.done(c.result)
}

// answered reports whether a call whose time is over was handed out and may have been answered in time: then its handler tells.
func (b *batch) answered(c *call) bool {
	if !c.method.Method.HostRun {
		return false
	}
	m := b.remembered()
	return m != nil && !m.takeBack(c.req.ID)
}

// letGo gives up what a call holds that is settled, and its handler where that goes on.
func (b *batch) letGo(c *call) {
	switch {
	case c.run == nil:
	case c.stage == stageRunning && c.run.phase.Load() != runOver:
		b.executor.abandon(b.ctx, c.run)
	default:
		c.run.release()
	}
	if c.run != nil {
		c.result.Retries, c.result.Cached = int(c.run.retries.Load()), c.run.cached.Load()
	}
}

// watch has it noted when the time of the call's stage is over, or ctx is, which has that deadline; 0 is no bound. The end of the
// run is noted anyway.
func (b *batch) watch(ctx context.Context, c *call, limit time.Duration) {
	n := note{kind: noteExpired, call: c.index, stage: c.stage}
	switch {
	case b.ended:
		b.inbox.post(n)
	case limit > 0 && b.alone:
		b.waiting, b.expired = c, ctx.Done()
	case limit > 0:
		c.timer = time.AfterFunc(limit, func() {
			<-ctx.Done() // its own timer may be a moment behind
			b.inbox.post(n)
		})
	}
}

func (b *batch) unwatch(c *call) {
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
