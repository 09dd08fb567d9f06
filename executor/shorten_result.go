package executor

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"
)

// deliver settles a call whose tool returned text, with as much of it as its budget allows.
func (b *batch) deliver(c *execution, text string) {
	c.result.ToolResult.Result = text
	budget, exceeded := b.options.ResultLimit.budgetFor(c.method, text)
	if !exceeded || c.req.Whole {
		b.settle(c, nil)
		return
	}
	full := FullResult{ID: cmp.Or(c.req.ReadID, c.req.ID), Method: c.method.FullName, Text: text, budget: budget}
	if b.options.ResultLimit.Summarize == nil || !b.summarize(c, full) {
		b.deliverExcerpt(c, full)
	}
}

// deliverExcerpt settles a call with the beginning and the end of its text.
func (b *batch) deliverExcerpt(c *execution, full FullResult) {
	note := func(omitted string, headless bool, pages int) string {
		next := 2
		if headless {
			next = 1
		}
		return fmt.Sprintf("[%s left out. %s]", omitted, b.options.ResultLimit.howToRead("To read on", full.ID, next, pages))
	}
	c.result.Excerpted = true
	c.result.ToolResult.Result = full.budget.excerpt(full.Text, note, func(x excerpt) int {
		full.shown = len(x.head)
		return b.keep(full)
	})
	b.settle(c, nil)
}

// summarize starts a summary and reports whether it did. The call is settled when the summary is
// there, or late.
func (b *batch) summarize(c *execution, full FullResult) bool {
	running := &b.shared.summaries
	if running.Add(1) > maxSummaries {
		running.Add(-1)
		b.logSummary(c, summary{err: errTooManySummaries})
		return false
	}
	limit := &b.options.ResultLimit
	c.cancel()
	ctx, cancel := context.WithTimeout(b.ctx, limit.SummaryTimeout)
	c.cancel, c.full = cancel, full
	b.enter(ctx, c, stageSummarizing, limit.SummaryTimeout, func(b *batch, c *execution, _ time.Time) {
		b.deliverSummary(c, &summary{err: errSummaryLate})
	})
	go func() {
		s := summary{err: errSummaryEnded} // remains after runtime.Goexit
		defer func() {
			running.Add(-1)
			b.post(event{
				call: c, stage: stageSummarizing, summary: &s,
				handle: func(b *batch, e event) { b.deliverSummary(e.call, e.summary) },
			})
		}()
		s.run(ctx, limit, full)
	}()
	return true
}

// deliverSummary settles a call with its summary or, if it failed, with an excerpt.
func (b *batch) deliverSummary(c *execution, s *summary) {
	full := c.full
	if s.err != nil {
		if b.ctx.Err() == nil {
			b.logSummary(c, *s)
		}
		b.deliverExcerpt(c, full)
		return
	}
	c.result.Summarized = true
	header := fmt.Sprintf("[A summary of %s. %s]\n", excerpt{omitted: full.Text}.amountOmitted(),
		b.options.ResultLimit.howToRead("To read all of it", full.ID, 1, b.keep(full)))
	text, meter := s.text, full.budget.meter
	if meter.tokens(header+text) > full.budget.limit {
		rest := tokenBudget{meter, full.budget.limit - meter.tokens(header)}
		text = rest.excerpt(text, noteAbout("summary"), keepNothing)
	}
	c.result.ToolResult.Result = header + text
	b.settle(c, nil)
}

func (b *batch) logSummary(c *execution, s summary) {
	b.options.Logger.LogAttrs(b.ctx, slog.LevelWarn, "no summary of a result; the model reads an excerpt",
		slog.String("id", c.req.ID), slog.String("tool", c.result.ToolName), slog.Any("error", s.err), slog.String("stack", string(s.stack)))
}

// keep passes a text to ResultLimit.Keep and returns how many pages of it can be read.
func (b *batch) keep(full FullResult) (pages int) {
	keep := b.options.ResultLimit.Keep
	if keep == nil {
		return 0
	}
	defer func() {
		if p := recover(); p != nil {
			b.options.Logger.LogAttrs(b.ctx, slog.LevelError, "a long result could not be kept",
				slog.String("id", full.ID), slog.String("tool", full.Method), slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			pages = 0
		}
	}()
	return keep(b.ctx, full)
}
