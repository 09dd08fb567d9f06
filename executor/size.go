package executor

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// DefaultResultTokens is a good budget for Size.Tokens: a page or two, of which even a small model can take several.
const DefaultResultTokens = 2000

// MinResultTokens is the least budget at which something is left beside the note of what was left out.
const MinResultTokens = 200

// Size says how much of a result goes before the model. What is longer is cut: its beginning and its end stay, cut between lines
// where there are any, with a note of what was left out in between. The zero value cuts nothing.
type Size struct {
	// Tokens is the budget of one result, its note included, as estimated before a protocol neutralises the text; 0 is no bound.
	// A method's own ResultTokens wins. Below MinResultTokens the note may be all that is left.
	Tokens int
	// Estimate estimates tokens; nil is protocol.EstimateTokens.
	Estimate protocol.TokenEstimator
	// Keep takes over the whole text of a result that is made shorter, so that the model can read it page by page with the method
	// of the full name ReadMethod, whose arguments are id and page. It returns how many pages there are; 0 tells that the text
	// cannot be read on. It is called on the goroutine that called Execute; nil keeps nothing.
	Keep       func(ctx context.Context, full FullResult) (pages int)
	ReadMethod string
	// Summarize, if set, is asked for a shorter text before a result is cut.
	Summarize SummarizeFunc
	// SummaryTime is how long Summarize may take; 0 is DefaultSummaryTime.
	SummaryTime time.Duration
}

// Reduction says how a result that was over its budget was made shorter.
type Reduction string

const (
	// ReductionCut is a result of which the beginning and the end are left.
	ReductionCut Reduction = "cut"
	// ReductionSummary is a result in place of which there is a summary.
	ReductionSummary Reduction = "summary"
)

// FullResult is the whole text of a result that is over its budget.
type FullResult struct {
	// ID is the request's, Method the method's full name.
	ID, Method string
	// Text is valid UTF-8.
	Text string

	measure measure
	budget  int
	shown   int // how many bytes of Text the model sees at the beginning
}

// Pages returns Text in pages, which together are Text. Each is within the budget together with the line that the engine's method
// writes above it, and ends between lines where it can. Where the result was cut, the first page is what the model has seen of its
// beginning, so that the second goes on from there.
func (f FullResult) Pages() []string {
	var pages []string
	rest := f.Text
	if f.shown > 0 {
		pages, rest = append(pages, rest[:f.shown]), rest[f.shown:]
	}
	head := f.pageHead()
	for rest != "" {
		page := f.page(head, rest)
		pages, rest = append(pages, page), rest[len(page):]
	}
	return pages
}

// page returns the beginning of a text that makes a page below its head.
func (f FullResult) page(head, text string) string {
	for room := f.budget - f.measure.tokens(head); room > 0; room = room * 3 / 4 {
		page := f.measure.prefix(text, room)
		if page == "" {
			break
		}
		// The first room is enough, unless the estimator finds more in a text than in its parts.
		if f.measure.tokens(head+page) <= f.budget {
			return page
		}
	}
	return text[:runeAfter(text, 1)] // a budget below one character
}

// pageHead is the dearest line that the engine's method may write above a page: a text has no more pages than bytes.
func (f FullResult) pageHead() string {
	n := len(f.Text)
	between := fmt.Sprintf("[Result %q, page %d of %d. Go on with page %d.]\n", f.ID, n, n, n)
	last := fmt.Sprintf("[Result %q, page %d of %d. This is the last page.]\n", f.ID, n, n)
	if f.measure.tokens(last) > f.measure.tokens(between) {
		return last
	}
	return between
}

// budget is what a result of the method may cost, in tokens; 0 is no bound. The method is nil where none was found.
func (s Size) budget(method *tool.Entry) int {
	if method != nil && method.Method.ResultTokens != 0 {
		return max(0, method.Method.ResultTokens)
	}
	return s.Tokens
}

func (s Size) measure() measure {
	if s.Estimate == nil {
		return measure{protocol.EstimateTokens}
	}
	return measure{s.Estimate}
}

// size settles a call whose tool has returned text, with as much of it as its budget allows.
func (b *batch) size(c *call, text string) {
	s := &b.executor.options.Size
	c.result.ToolResult.Result = text
	budget := s.budget(c.method)
	if budget == 0 || s.measure().within(text, budget) {
		b.settle(c, nil)
		return
	}
	full := FullResult{ID: c.req.ID, Method: c.method.FullName, Text: text, measure: s.measure(), budget: budget}
	if !b.summarize(c, full) {
		b.cutResult(c, full)
	}
}

// cutResult settles a call with the beginning and the end of its text.
func (b *batch) cutResult(c *call, full FullResult) {
	c.result.Reduced = ReductionCut
	note := func(left string, headless bool, pages int) string {
		page := 2
		if headless {
			page = 1
		}
		return fmt.Sprintf("[%s left out. %s]", left, b.readOn("To read on", full.ID, page, pages))
	}
	c.result.ToolResult.Result = full.fit(full.Text, note, func(x excerpt) int {
		full.shown = len(x.head)
		return b.keep(full)
	})
	b.settle(c, nil)
}

// sizeFailure bounds the message of a call that failed. Messages are short, so this is for small budgets.
func (b *batch) sizeFailure(c *call) {
	s := &b.executor.options.Size
	text := c.result.ToolResult.Result
	f := FullResult{measure: s.measure(), budget: s.budget(c.method)}
	if f.budget == 0 || f.measure.within(text, f.budget) {
		return
	}
	c.result.Reduced = ReductionCut
	c.result.ToolResult.Result = f.fit(text, noteOf("message"), keepNothing)
}

// A noteFunc tells of what was left out: how much, whether nothing is left before it, and how many pages can be read.
type noteFunc func(left string, headless bool, pages int) string

func noteOf(what string) noteFunc {
	return func(left string, _ bool, _ int) string { return fmt.Sprintf("[%s of the %s left out.]", left, what) }
}

func keepNothing(excerpt) (pages int) { return 0 }

// fit returns text within the budget, with a note in place of what is left out. keep takes the excerpt that is shown.
func (f FullResult) fit(text string, note noteFunc, keep func(excerpt) (pages int)) string {
	// cost is that of an excerpt with the longer of its notes. A text has no more pages than bytes.
	cost := func(x excerpt, left string) int {
		headless := x.head == ""
		return max(f.measure.tokens(x.with(note(left, headless, len(text)))), f.measure.tokens(x.with(note(left, headless, 0))))
	}
	most := fmt.Sprintf("%s (%s)", plural(len(text), "line"), plural(len(text), "character"))
	// The note's own line breaks cost at most a token.
	for room := f.budget - cost(excerpt{gap: text}, most) - 1; room > 0; room = room * 3 / 4 {
		x := f.measure.excerpt(text, room)
		// The first room is enough, unless the estimator finds more in a text than in its parts.
		if left := x.size(); cost(x, left) <= f.budget {
			return x.with(note(left, x.head == "", keep(x)))
		}
	}
	x := excerpt{gap: text}
	return x.with(note(x.size(), true, keep(x)))
}

// readOn tells the model how it can read what it is not shown.
func (b *batch) readOn(purpose, id string, page, pages int) string {
	if pages == 0 {
		return "It was not kept and cannot be read; where more is needed, call the method again so that it returns less."
	}
	return fmt.Sprintf("%s, call %s with id %q and page %d; there are %s.",
		purpose, b.executor.options.Size.ReadMethod, id, page, plural(pages, "page"))
}

// keep hands a text over and returns how many pages of it can be read.
func (b *batch) keep(full FullResult) (pages int) {
	s := &b.executor.options.Size
	if s.Keep == nil {
		return 0
	}
	defer func() {
		if p := recover(); p != nil {
			b.executor.options.Logger.LogAttrs(b.ctx, slog.LevelError, "a result that was cut could not be kept",
				slog.String("id", full.ID), slog.String("tool", full.Method), slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			pages = 0
		}
	}()
	return s.Keep(b.ctx, full)
}
