package executor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"
)

// SummarizeFunc returns a text of at most the given number of tokens in place of one that is over its budget. What it returns is
// cut where it is longer. An error, a panic, a blank text or the end of ctx leaves the cut. It is called from several goroutines.
type SummarizeFunc func(ctx context.Context, full FullResult, tokens int) (string, error)

// DefaultSummaryTime is how long a summary may take where Size does not say. The tool's own time is over by then.
const DefaultSummaryTime = 30 * time.Second

// maxSummaries bounds the summaries that are being made at once, those included that nobody waits for any more: a hook that ignores
// its context must not pile up goroutines. Above it, results are cut.
const maxSummaries = 16

var errSummaryEnded = errors.New("the summariser ended its goroutine")

// summary is what came out of a SummarizeFunc.
type summary struct {
	text  string
	err   error
	stack []byte // set where the hook panicked
}

// summarize asks for a summary, where there is one to be had, and reports whether there is. Then the call is settled when the
// summary is there, or when its time is over.
func (b *batch) summarize(c *call, full FullResult) bool {
	x := b.executor
	s := &x.options.Size
	if s.Summarize == nil {
		return false
	}
	if x.summaries.Add(1) > maxSummaries {
		x.summaries.Add(-1)
		b.logSummary(c, summary{err: fmt.Errorf("%d summaries are being made already", maxSummaries)})
		return false
	}
	limit := s.SummaryTime
	if limit <= 0 {
		limit = DefaultSummaryTime
	}
	b.unwatch(c)
	c.cancel()
	ctx, cancel := context.WithTimeout(b.ctx, limit)
	c.stage, c.cancel, c.full = stageSummarizing, cancel, full
	b.watch(ctx, c, limit)
	index := c.index
	go func() {
		out := summary{err: errSummaryEnded} // stands after runtime.Goexit
		defer func() {
			x.summaries.Add(-1)
			b.inbox.post(note{kind: noteSummarized, call: index, stage: stageSummarizing, summary: &out})
		}()
		out.ask(ctx, s.Summarize, full)
	}()
	return true
}

// ask calls the hook and sets s to what came out of it, unless the hook ends the goroutine.
func (s *summary) ask(ctx context.Context, hook SummarizeFunc, full FullResult) {
	defer func() {
		if p := recover(); p != nil {
			*s = summary{err: fmt.Errorf("panic: %v", p), stack: debug.Stack()}
		}
	}()
	text, err := hook(ctx, full, full.budget)
	*s = summary{text: strings.TrimSpace(validText(text)), err: err}
	if s.err == nil && s.text == "" {
		s.err = errors.New("the summary is empty")
	}
}

// summarized settles a call with its summary or, where there is none (nil: its time is over), with the cut.
func (b *batch) summarized(c *call, s *summary) {
	if s == nil {
		s = &summary{err: errors.New("its time was over")}
	}
	if s.err != nil {
		if b.ctx.Err() == nil {
			b.logSummary(c, *s)
		}
		b.cutResult(c, c.full)
		return
	}
	c.result.Reduced = ReductionSummary
	full := c.full
	whole := excerpt{gap: full.Text}
	head := fmt.Sprintf("[A summary of %s. %s]\n", whole.size(), b.readOn("To read all of it", full.ID, 1, b.keep(full)))
	text := s.text
	if full.measure.tokens(head+text) > full.budget {
		rest := FullResult{measure: full.measure, budget: full.budget - full.measure.tokens(head)}
		text = rest.fit(text, noteOf("summary"), keepNothing)
	}
	c.result.ToolResult.Result = head + text
	b.settle(c, nil)
}

func (b *batch) logSummary(c *call, s summary) {
	b.executor.options.Logger.LogAttrs(b.ctx, slog.LevelWarn, "no summary of a result, which is cut instead",
		slog.String("id", c.req.ID), slog.String("tool", c.result.ToolName), slog.Any("error", s.err), slog.String("stack", string(s.stack)))
}
