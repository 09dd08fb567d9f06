package executor

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"github.com/vcpgo/vcp/protocol"
)

// A measure tells what a text costs, in tokens. All it does takes time in proportion to the budget, however long the text is, as
// long as the estimator's time is in proportion to its text.
type measure struct{ estimate protocol.TokenEstimator }

// tokens is the estimate, by the default where the estimator, which is foreign code, panics.
func (m measure) tokens(text string) (n int) {
	defer func() {
		if recover() != nil {
			n = protocol.EstimateTokens(text)
		}
	}()
	return m.estimate(text)
}

// maxTokenBytes is more bytes than a token has on average in any text: a longer text is over its budget whatever an estimator says.
const maxTokenBytes = 64

// within reports whether text costs at most budget tokens.
func (m measure) within(text string, budget int) bool {
	return len(text)/maxTokenBytes <= budget && m.tokens(text) <= budget
}

// prefix returns the longest beginning of text that costs at most budget tokens, give or take a sixteenth. It ends behind a line
// break where there is one in its second half, else between two characters.
func (m measure) prefix(text string, budget int) string {
	n := m.longest(len(text), budget, func(n int) string { return text[:runeBefore(text, n)] })
	if n == len(text) {
		return text
	}
	n = runeBefore(text, n)
	if i := strings.LastIndexByte(text[n/2:n], '\n'); i >= 0 {
		return text[:n/2+i+1]
	}
	start, _ := clusterAround(text, n)
	return text[:start]
}

// suffix returns the longest end of text that costs at most budget tokens, in the same way.
func (m measure) suffix(text string, budget int) string {
	n := m.longest(len(text), budget, func(n int) string { return text[runeAfter(text, len(text)-n):] })
	if n == len(text) {
		return text
	}
	from := runeAfter(text, len(text)-n)
	if from > 0 && text[from-1] == '\n' {
		return text[from:]
	}
	if i := strings.IndexByte(text[from:from+(len(text)-from)/2], '\n'); i >= 0 {
		return text[from+i+1:]
	}
	_, end := clusterAround(text, from)
	return text[end:]
}

// longest returns the greatest length up to most whose part costs at most budget tokens, give or take a sixteenth of the budget.
// Most texts cost the same all along, so the next length is guessed from the cost of the last; where they do not, it is halved.
func (m measure) longest(most, budget int, part func(n int) string) int {
	const guesses = 4
	budget = max(0, budget)
	if most/maxTokenBytes > budget {
		most = budget * maxTokenBytes
	}
	fits, over := 0, most+1
	n := min(most, 4*budget)
	for i := 0; ; i++ {
		cost := m.tokens(part(n))
		if cost <= budget {
			fits = n
		} else {
			over = n
		}
		if over-fits <= 1 || fits == n && cost >= budget-budget/16 {
			return fits
		}
		n = fits + (over-fits)/2
		if guess := int(float64(n) * float64(budget-budget/32) / float64(max(cost, 1))); i < guesses && guess > fits && guess < over {
			n = guess
		}
	}
}

// runeBefore and runeAfter return the nearest place to i at which a character begins, or the end of the text.
func runeBefore(text string, i int) int {
	for i > 0 && i < len(text) && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}

func runeAfter(text string, i int) int {
	for i < len(text) && !utf8.RuneStart(text[i]) {
		i++
	}
	return i
}

// clusterWindow is how far, in bytes, a cut looks for the ends of what people see as one character: far above real ones, such as a
// family of emoji, and far below what would cost time.
const clusterWindow = 128

// clusterAround returns the character, as people see it, that a cut at i would divide; i twice where it would divide none, or one
// that is too long to be real. i is a place at which a rune begins.
func clusterAround(text string, i int) (start, end int) {
	from := runeAfter(text, max(0, i-clusterWindow))
	to := runeBefore(text, min(len(text), i+clusterWindow))
	start = from
	for g := graphemes.FromString(text[from:to]); g.Next(); {
		switch end = from + g.End(); {
		case end <= i:
			start = end
			continue
		case start == i, start == from && from > 0, end == to && to < len(text):
			return i, i
		}
		return start, end
	}
	return i, i
}

// An excerpt is what is shown of a text that is too long. head, gap and tail are the text.
type excerpt struct{ head, gap, tail string }

// excerpt returns the beginning and the end of a text within budget tokens. The beginning gets two thirds: it says what the text
// is, and lists and files mostly begin with what matters. The end gets the rest: there logs and builds have what went wrong, and
// tables their totals.
func (m measure) excerpt(text string, budget int) excerpt {
	head := m.prefix(text, budget*2/3)
	rest := text[len(head):]
	tail := m.suffix(rest, budget-m.tokens(head))
	return excerpt{head, rest[:len(rest)-len(tail)], tail}
}

// size says how much was left out: lines where the text was cut between lines, else characters alone.
func (x excerpt) size() string {
	characters := utf8.RuneCountInString(x.gap)
	lines := strings.Count(x.gap, "\n")
	if lines == 0 || !strings.HasSuffix(x.gap, "\n") || x.head != "" && !strings.HasSuffix(x.head, "\n") {
		return plural(characters, "character")
	}
	return fmt.Sprintf("%s (%s)", plural(lines, "line"), plural(characters, "character"))
}

// with returns the excerpt with a note, on a line of its own, in place of what was left out.
func (x excerpt) with(note string) string {
	before, after := "", ""
	if x.head != "" && !strings.HasSuffix(x.head, "\n") {
		before = "\n"
	}
	if x.tail != "" {
		after = "\n"
	}
	return x.head + before + note + after + x.tail
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
