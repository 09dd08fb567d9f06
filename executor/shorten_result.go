package executor

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"
)

// deliver settles a call with the text that its tool returned. If the text is over its budget, the
// model reads a summary or an excerpt instead.
func (b *batch) deliver(c *execution, text string) {
	c.result.ToolResult.Result = text
	budget, exceeded := b.options.ResultLimit.budgetFor(c.method, text)
	if !exceeded || c.req.Whole {
		b.settle(c, nil)
		return
	}
	full := FullResult{
		ID: cmp.Or(c.req.ReadID, c.req.ID), Method: c.method.FullName,
		Text: text, language: b.conversation.language(), budget: budget,
	}
	if b.options.ResultLimit.Summarize == nil || !b.summarize(c, full) {
		b.deliverExcerpt(c, full)
	}
}

// deliverExcerpt settles a call with the beginning and the end of its text.
func (b *batch) deliverExcerpt(c *execution, full FullResult) {
	note := func(omitted words, headless bool, pages int) string {
		next := 2 // the head of the excerpt is page 1
		if headless {
			next = 1
		}
		how := b.options.ResultLimit.howToRead(words{"To read on", "要继续读取"}, full.ID, next, pages)
		return words{
			fmt.Sprintf("[Omitted here: %s. %s]", omitted.en, how.en), fmt.Sprintf("[此处省略了 %s。%s]", omitted.zh, how.zh),
		}.in(full.language)
	}
	c.result.Excerpted = true
	c.result.ToolResult.Result = full.budget.excerpt(full.Text, note, func(x excerpt) int {
		full.shown = len(x.head)
		return b.keep(full)
	})
	b.settle(c, nil)
}

// summarize starts a summary, and returns true. If too many summaries are in progress, it starts
// none and returns false. The call is settled when the summary is finished or late.
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
		b.deliverSummary(c, summary{err: errSummaryLate})
	})
	go func() {
		s := summary{err: errSummaryEnded} // remains after runtime.Goexit
		defer func() {
			running.Add(-1)
			b.post(c, stageSummarizing, func(b *batch, c *execution, _ time.Time) { b.deliverSummary(c, s) })
		}()
		s.run(ctx, limit, full)
	}()
	return true
}

// deliverSummary settles a call with its summary or, if it failed, with an excerpt.
func (b *batch) deliverSummary(c *execution, s summary) {
	full := c.full
	if s.err != nil {
		if b.ctx.Err() == nil {
			b.logSummary(c, s)
		}
		b.deliverExcerpt(c, full)
		return
	}
	c.result.Summarized = true
	amount := excerpt{omitted: full.Text}.amountOmitted()
	how := b.options.ResultLimit.howToRead(words{"To read all of it", "要读取全文"}, full.ID, 1, b.keep(full))
	header := words{
		fmt.Sprintf("[A summary of %s. %s]\n", amount.en, how.en), fmt.Sprintf("[这是 %s的摘要。%s]\n", amount.zh, how.zh),
	}.in(full.language)
	text, meter := s.text, full.budget.meter
	note := noteAbout(words{"summary", "摘要"}, full.language)
	// The first room suffices, unless a text costs more than the sum of its parts.
	for room := full.budget.limit - meter.tokens(header); meter.tokens(header+text) > full.budget.limit; room = room * 3 / 4 {
		text = tokenBudget{meter, room}.excerpt(s.text, note, keepNothing)
		if room <= 0 { // not even the note fits
			break
		}
	}
	c.result.ToolResult.Result = header + text
	b.settle(c, nil)
}

func (b *batch) logSummary(c *execution, s summary) {
	b.options.Logger.LogAttrs(b.ctx, slog.LevelWarn, "no summary of a result; the model reads an excerpt",
		slog.String("id", c.req.ID), slog.String("tool", c.result.ToolName),
		slog.Any("error", s.err), slog.String("stack", string(s.stack)))
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
				slog.String("id", full.ID), slog.String("tool", full.Method),
				slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			pages = 0
		}
	}()
	return keep(b.ctx, full)
}
