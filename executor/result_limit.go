package executor

import (
	"context"
	"fmt"
	"time"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

const (
	// DefaultResultTokens is a good ResultLimit.Tokens: a page or two. Even the context of a small
	// model has room for several such results.
	DefaultResultTokens = 2000
	// MinResultTokens is the smallest useful budget: it has room for some text in addition to the
	// note about what is omitted.
	MinResultTokens = 200
)

// defaultSummaryTimeout limits only Summarize. The tool's own time is over by then.
const defaultSummaryTimeout = 30 * time.Second

// ResultLimit says how much of a result goes to the model. Of a longer result the model reads an
// excerpt: the beginning and the end, and between them a note about what is omitted. If possible,
// the excerpt consists of whole lines. The zero value limits nothing.
type ResultLimit struct {
	// Tokens is the budget of one result, its note included, as estimated before a protocol
	// neutralizes the text; 0 means no limit. A method's own ResultTokens wins. Below
	// MinResultTokens the model may read only the note.
	Tokens int
	// Estimate estimates tokens; nil means protocol.EstimateTokens.
	Estimate protocol.TokenEstimator
	// Keep takes the whole text of a result that is over its budget. The model can read its pages
	// with the method whose full name is ReadMethod. The arguments of that method are id and page.
	// Keep returns how many pages there are; 0 means that the text cannot be read. It runs on the
	// goroutine that called Execute. A nil Keep keeps nothing.
	Keep       func(ctx context.Context, full FullResult) (pages int)
	ReadMethod string
	// Summarize, if set, returns a summary that replaces a result that is over its budget. The
	// parameter tokens is the maximum length of the summary. Several goroutines may call Summarize
	// at once. If it returns an error or a blank text, panics or is late, the model reads an
	// excerpt of the result. A summary that is over the budget is itself shortened to an excerpt.
	Summarize func(ctx context.Context, full FullResult, tokens int) (string, error)
	// SummaryTimeout is how long Summarize may take; 0 means 30 seconds.
	SummaryTimeout time.Duration
}

// tokens returns the budget of a result of the method; 0 means no limit. method is nil if none was
// found.
func (l *ResultLimit) tokens(method *tool.Entry) int {
	if method != nil && method.Method.ResultTokens != 0 {
		return max(0, method.Method.ResultTokens)
	}
	return l.Tokens
}

func (l *ResultLimit) meter() tokenMeter {
	if l.Estimate == nil {
		return tokenMeter{protocol.EstimateTokens}
	}
	return tokenMeter{l.Estimate}
}

// budgetFor returns the budget of a result of the method, and whether the text exceeds it.
func (l *ResultLimit) budgetFor(method *tool.Entry, text string) (b tokenBudget, exceeded bool) {
	b = tokenBudget{l.meter(), l.tokens(method)}
	return b, b.limit != 0 && !b.meter.fits(text, b.limit)
}

// howToRead returns the sentence that tells the model how to read what was omitted. The sentence
// begins with purpose, such as "To read on". Without pages, it says that nothing more can be read.
func (l *ResultLimit) howToRead(purpose words, id string, page, pages int) words {
	if pages == 0 {
		return sentence("It was not kept and cannot be read; if more is needed, call the method again so that it returns less.",
			"其内容没有保留，无法读取；如果需要更多内容，请再次调用该方法，并让它少返回一些。")
	}
	return words{
		fmt.Sprintf("%s, call %s with id %q and page %d; there are %s.", purpose.en, l.ReadMethod, id, page,
			plural(pages, "page")),
		fmt.Sprintf("%s，请调用 %s，id 为 %q，page 为 %d；共 %d 页。", purpose.zh, l.ReadMethod, id, page, pages),
	}
}

// A tokenBudget limits the tokens of one text.
type tokenBudget struct {
	meter tokenMeter
	limit int
}

// A noteFunc returns the note that says how much is omitted. headless says that the note is at the
// very beginning, because the excerpt has no head. pages is how many pages can be read.
type noteFunc func(omitted words, headless bool, pages int) string

// noteAbout returns a noteFunc for a text without pages. what names the text, such as "summary".
func noteAbout(what words, language string) noteFunc {
	return func(omitted words, _ bool, _ int) string {
		return words{
			fmt.Sprintf("[Omitted here: %s of the %s.]", omitted.en, what.en),
			fmt.Sprintf("[此处省略了%s中的 %s。]", what.zh, omitted.zh),
		}.in(language)
	}
}

func keepNothing(excerpt) (pages int) { return 0 }

// excerpt returns an excerpt of text within the budget, with a note. It passes the excerpt to keep,
// which returns how many pages can be read.
func (b tokenBudget) excerpt(text string, note noteFunc, keep func(excerpt) (pages int)) string {
	// The number of pages is not known yet. So cost assumes the more expensive of two notes: with
	// no page, and with the most pages that are possible, one for each byte.
	cost := func(x excerpt, omitted words) int {
		headless := x.head == ""
		most, least := note(omitted, headless, len(text)), note(omitted, headless, 0)
		return max(b.meter.tokens(x.with(most)), b.meter.tokens(x.with(least)))
	}
	// The note's own line breaks cost at most a token.
	noteCost := cost(excerpt{omitted: text}, linesAndCharacters(len(text), len(text)))
	for room := b.limit - noteCost - 1; room > 0; room = room * 3 / 4 {
		x := b.meter.excerpt(text, room)
		// The first room suffices, unless a text costs more than the sum of its parts.
		if omitted := x.amountOmitted(); cost(x, omitted) <= b.limit {
			return x.with(note(omitted, x.head == "", keep(x)))
		}
	}
	x := excerpt{omitted: text}
	return x.with(note(x.amountOmitted(), true, keep(x)))
}

// FullResult is the whole text of a result that is over its budget.
type FullResult struct {
	// ID is the request's ReadID or, without one, its ID. Method is the method's full name.
	ID, Method string
	// Text is valid UTF-8.
	Text string

	language string
	budget   tokenBudget
	shown    int // bytes at the beginning of Text that the model has read
}

// Pages splits Text into pages. Each page is within the budget, together with its PageHeader,
// unless not even one character fits. If possible, a page ends at the end of a line. If the model
// has read the beginning of Text in an excerpt, this beginning is the first page.
func (f FullResult) Pages() []string {
	var pages []string
	rest := f.Text
	if f.shown > 0 {
		pages, rest = append(pages, rest[:f.shown]), rest[f.shown:]
	}
	header := f.longestHeader()
	for rest != "" {
		page := f.page(header, rest)
		pages, rest = append(pages, page), rest[len(page):]
	}
	return pages
}

// page returns the beginning of text that fits below a header.
func (f FullResult) page(header, text string) string {
	b := f.budget
	for room := b.limit - b.meter.tokens(header); room > 0; room = room * 3 / 4 {
		page := b.meter.prefix(text, room)
		if page == "" {
			break
		}
		// The first room suffices, unless a text costs more than the sum of its parts.
		if b.meter.tokens(header+page) <= b.limit {
			return page
		}
	}
	return text[:runeAfter(text, 1)] // not even one character fits into the budget
}

// longestHeader returns the most expensive line that may be above a page. A text has no more pages
// than bytes.
func (f FullResult) longestHeader() string {
	n := len(f.Text)
	ofMiddle, ofLast := PageHeader(f.language, f.ID, n, n+1), PageHeader(f.language, f.ID, n, n)
	if f.budget.meter.tokens(ofLast) > f.budget.meter.tokens(ofMiddle) {
		return ofLast
	}
	return ofMiddle
}

// PageHeader returns the line above a page of a result, with its line break. The first page is 1.
// The language is Chinese if it is "zh", else English.
func PageHeader(language, id string, page, pages int) string {
	next := sentence("This is the last page.", "这是最后一页。")
	if page < pages {
		next = sentence("Continue with page %[1]d.", "接着读第 %[1]d 页。", page+1)
	}
	return words{
		fmt.Sprintf("[Result %q, page %d of %d. %s]\n", id, page, pages, next.en),
		fmt.Sprintf("[结果 %q，第 %d 页，共 %d 页。%s]\n", id, page, pages, next.zh),
	}.in(language)
}
