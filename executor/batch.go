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
	inbox    *inbox
	calls    []call
	own      *Memory // of a scope that has none
}

// A call is one request on its way to its result.
//
//	pending → [[turn →] asking → answered] → running → [summarizing] → settled
//
// Any stage may go to settled at once.
type call struct {
	index  int
	req    Request
	method *tool.Entry // nil until resolved
	stage  stage
	result Result // its arguments are those of the run: nobody else has the slice before the call is settled

	approved *Digest // what a person has allowed, where it is this call alone
	reply    *reply  // from stage answered on

	limit   time.Duration      // how long it may run
	cancel  context.CancelFunc // of the context that it runs in
	stop    func() bool        // ends the watch on the stage's context
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
	stageRunning
	stageSummarizing
	stageSettled
)

// heedTime is how long a canceled handler or hook has to return before it is given up.
const heedTime = 2 * time.Second

// begin takes a request as far as it goes without waiting for its tool.
func (b *batch) begin(c *call) {
	c.result = c.req.result()
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
	b.obs.started(c)
	if b.ctx.Err() != nil { // the observer may have ended the run
		b.settle(c, canceled(false))
		return
	}
	if f := b.recheck(c); f != nil {
		b.settle(c, f)
		return
	}
	b.run(c)
}

// memory returns that of the conversation.
func (b *batch) memory() *Memory {
	if r, ok := b.scope.(Rememberer); ok {
		if m := r.Memory(); m != nil {
			return m
		}
	}
	if b.own == nil {
		b.own = &Memory{}
	}
	return b.own
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

// step takes one note out of the inbox.
func (b *batch) step() {
	n := b.inbox.next()
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
		c.stage = stagePending
	case noteExpired:
		switch c.stage {
		case stageSummarizing:
			b.summarized(c, nil)
			return
		case stageTurn:
			c.stage = stagePending
			return
		case stageAsking:
			b.answerExpired(c)
			return
		}
		if b.ctx.Err() == nil {
			c.result.Duration = n.at.Sub(c.result.Started)
			b.settle(c, timedOut(c.method, c.limit))
			return
		}
		c.overdue = time.AfterFunc(heedTime, func() {
			b.inbox.post(note{kind: noteOverdue, call: n.call, stage: n.stage})
		})
	case noteOverdue:
		if c.stage == stageAsking {
			c.reply, c.stage = &reply{err: context.Cause(b.ctx)}, stageAnswered
			return
		}
		c.result.Duration = n.at.Sub(c.result.Started)
		b.settle(c, canceled(true))
	}
}

// returned settles a call whose handler is done.
func (b *batch) returned(c *call, o outcome) {
	switch {
	case o.panicked:
		b.logPanic(c, o.panicValue, o.stack)
		b.settle(c, brokeDown(c.method.FullName))
	case !o.failed:
		c.result.Status, c.result.Details, c.result.Files = protocol.StatusSuccess, o.details, o.files
		b.size(c, c.editNote()+o.text)
	case b.ctx.Err() != nil:
		b.settle(c, canceled(true))
	case o.late:
		b.settle(c, timedOut(c.method, c.limit))
	case o.unapproved:
		b.settle(c, alteredCall())
	case o.badArguments:
		c.result.Problems = o.problems
		b.settle(c, invalidArguments(c.method, o.text))
	default:
		b.settle(c, failed(o.text))
	}
}

// settle ends a call, with a failure or, where f is nil, with the result that it has.
func (b *batch) settle(c *call, f *failure) {
	b.unwatch(c)
	if c.cancel != nil {
		c.cancel()
	}
	if f != nil {
		c.result.fail(*f)
		c.result.ToolResult.Result = c.editNote() + c.result.ToolResult.Result
		b.sizeFailure(c)
	}
	c.stage, c.full = stageSettled, FullResult{}
	c.result.Tokens = b.executor.options.Size.measure().tokens(c.result.ToolResult.Result)
	b.executor.options.Logger.LogAttrs(b.ctx, slog.LevelDebug, "tool call",
		slog.String("id", c.result.ID), slog.String("tool", c.result.ToolName), slog.String("status", string(c.result.Status)),
		slog.String("error_type", c.result.ErrorType), slog.Duration("duration", c.result.Duration))
	b.audit(c)
	b.obs.done(c.result)
}

// watch posts a note when ctx, the context of the call's stage, is done.
func (b *batch) watch(ctx context.Context, c *call) {
	n := note{kind: noteExpired, call: c.index, stage: c.stage}
	c.stop = context.AfterFunc(ctx, func() { b.inbox.post(n) })
}

func (b *batch) unwatch(c *call) {
	if c.stop != nil {
		c.stop()
		c.stop = nil
	}
	if c.overdue != nil {
		c.overdue.Stop()
		c.overdue = nil
	}
}
