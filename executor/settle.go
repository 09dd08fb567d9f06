package executor

import (
	"context"
	"log/slog"
	"time"

	"github.com/vcpgo/vcp/internal/text"
)

// settle ends a call: with a failure or, if f is nil, with the result that it has.
func (b *batch) settle(c *execution, f *failure) {
	b.free(c)
	r := c.result
	if f != nil {
		r.fail(f, b.conversation.language())
		if r.RawBytes == 0 { // the tool returned nothing
			r.RawBytes = len(r.ToolResult.Result)
		}
		b.limitFailure(c)
	}
	c.stage, c.full = stageSettled, FullResult{}
	r.Tokens = b.options.ResultLimit.meter().tokens(r.ToolResult.Result)
	if log := b.options.Logger; log.Enabled(b.ctx, slog.LevelDebug) {
		log.LogAttrs(b.ctx, slog.LevelDebug, "tool call",
			slog.String("id", r.ID), slog.String("tool", r.ToolName), slog.String("status", string(r.Status)),
			slog.String("error_type", r.ErrorType), slog.Duration("duration", r.Duration))
	}
	b.audit(c)
	b.observer.done(r)
}

// free releases what a call holds. A handler that still runs is abandoned.
func (b *batch) free(c *execution) {
	b.stopTimers(c)
	if c.cancel != nil {
		c.cancel()
	}
	if started := c.stage == stageRunning || c.stage == stageSummarizing; started && !c.run.once.isOver() {
		c.run.abandon(b.ctx)
	} else {
		c.run.release()
	}
	c.result.Retries, c.result.Cached = int(c.run.retries.Load()), c.run.cached.Load()
}

// freeAll frees the calls that are not settled at the end of a batch, because an observer panicked.
// The calls that the batch had not begun have no batch yet.
func (b *batch) freeAll() {
	for i := range b.calls {
		if c := &b.calls[i]; c.batch != nil && c.stage != stageSettled {
			b.free(c)
		}
	}
}

// limitFailure adds the notes to the message of a call that failed, and limits its tokens. Messages
// are short, so only small budgets are exceeded.
func (b *batch) limitFailure(c *execution) {
	message := c.notes() + c.result.ToolResult.Result
	if budget, exceeded := b.options.ResultLimit.budgetFor(c.method, message); exceeded {
		c.result.Excerpted = true
		message = budget.excerpt(message, noteAbout(words{"message", "消息"}, b.conversation.language()), keepNothing)
	}
	c.result.ToolResult.Result = message
}

// audit passes the record of a settled call to Options.Audit.
func (b *batch) audit(c *execution) {
	audit := b.options.Audit
	if audit == nil {
		return
	}
	r := c.result
	record := AuditRecord{
		Session: b.conversation.Session, Owner: b.conversation.Owner,
		RequestID: r.ID, Label: c.label(), ToolName: short(text.Valid(c.req.ToolName)),
		Command: c.command(), Method: r.Method,
		Arguments: c.arguments(), Edited: r.Edited, Decision: r.Decision,
		DecidedBy: r.DecidedBy, Why: r.Why, Provenance: r.Provenance,
		Status: r.Status, ErrorType: r.ErrorType, Asked: c.asked,
		Decided: c.decided, Done: time.Now(), Duration: r.Duration,
		Repaired: r.Repaired, Retries: r.Retries, Cached: r.Cached,
		RawBytes: r.RawBytes, Bytes: len(r.ToolResult.Result), Tokens: r.Tokens,
		Excerpted: r.Excerpted, Summarized: r.Summarized,
	}
	if c.limit > 0 { // the tool began to run
		record.Started = r.Started
	}
	if err := audit.call(context.WithoutCancel(b.ctx), record); err != nil {
		b.options.Logger.LogAttrs(b.ctx, slog.LevelError, "a call could not be written to the audit record",
			slog.String("id", r.ID), slog.String("tool", r.ToolName), slog.Any("error", err))
	}
}
