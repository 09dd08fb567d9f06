package executor

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"github.com/vcpgo/vcp/protocol"
)

// A tokenMeter estimates what texts cost, in tokens. Functions that take a budget need time that
// depends on the budget, and not on the length of the text.
type tokenMeter struct{ estimate protocol.TokenEstimator }

// tokens falls back to the default estimate if the estimator panics, since it is application code.
func (m tokenMeter) tokens(text string) (n int) {
	defer func() {
		if recover() != nil {
			n = protocol.EstimateTokens(text)
		}
	}()
	return m.estimate(text)
}

// maxTokenBytes is more than the average length of a token in any text, in bytes. A text of at
// least (budget+1)*maxTokenBytes bytes counts as over the budget, whatever an estimator says.
const maxTokenBytes = 64

// fits reports whether the text is within the budget.
func (m tokenMeter) fits(text string, budget int) bool {
	return len(text)/maxTokenBytes <= budget && m.tokens(text) <= budget
}

// prefix returns the longest beginning of the text that is within the budget, to within a sixteenth
// of the budget. The beginning ends after a line break if its second half contains one, else
// between characters.
func (m tokenMeter) prefix(text string, budget int) string {
	n := m.longest(len(text), budget, func(n int) string { return text[:runeBefore(text, n)] })
	if n == len(text) {
		return text
	}
	n = runeBefore(text, n)
	if i := strings.LastIndexByte(text[n/2:n], '\n'); i >= 0 {
		return text[:n/2+i+1]
	}
	start, _ := graphemeAround(text, n)
	return text[:start]
}

// suffix returns the longest end of the text that is within the budget, to within a sixteenth of
// the budget. The end begins after a line break if its first half contains one, else between
// characters.
func (m tokenMeter) suffix(text string, budget int) string {
	n := m.longest(len(text), budget, func(n int) string { return text[runeAfter(text, len(text)-n):] })
	if n == len(text) {
		return text
	}
	start := runeAfter(text, len(text)-n)
	if start > 0 && text[start-1] == '\n' {
		return text[start:]
	}
	if i := strings.IndexByte(text[start:start+(len(text)-start)/2], '\n'); i >= 0 {
		return text[start+i+1:]
	}
	_, end := graphemeAround(text, start)
	return text[end:]
}

// longest returns the greatest n up to limit for which part(n) is within the budget, to within a
// sixteenth of the budget. It guesses the next n from the cost of the last part, since in most
// texts all parts cost about the same. After four guesses it halves the range.
func (m tokenMeter) longest(limit, budget int, part func(n int) string) int {
	const guesses = 4
	budget = max(0, budget)
	if limit/maxTokenBytes > budget {
		limit = budget * maxTokenBytes
	}
	fits, over := 0, limit+1
	n := min(limit, 4*budget) // a token often has about 4 bytes
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
		// The guess aims at the middle of the last sixteenth of the budget.
		guess := int(float64(n) * float64(budget-budget/32) / float64(max(cost, 1)))
		n = fits + (over-fits)/2
		if i < guesses && guess > fits && guess < over {
			n = guess
		}
	}
}

// runeBefore returns the last start of a rune at or before i, or the end of the text.
func runeBefore(text string, i int) int {
	for i > 0 && i < len(text) && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}

// runeAfter returns the first start of a rune at or after i, or the end of the text.
func runeAfter(text string, i int) int {
	for i < len(text) && !utf8.RuneStart(text[i]) {
		i++
	}
	return i
}

// graphemeWindow is how far to look for the ends of a grapheme cluster, in bytes. Even long ones,
// such as the emoji of a family, are far shorter. A search within the window is fast.
const graphemeWindow = 128

// graphemeAround returns the grapheme cluster around i. It returns i twice if a cluster begins or
// the text ends at i, or if the cluster around i is too long to be real. A rune must start at i.
func graphemeAround(text string, i int) (start, end int) {
	windowStart := runeAfter(text, max(0, i-graphemeWindow))
	windowEnd := runeBefore(text, min(len(text), i+graphemeWindow))
	start = windowStart
	for g := graphemes.FromString(text[windowStart:windowEnd]); g.Next(); {
		switch end = windowStart + g.End(); {
		case end <= i:
			start = end
			continue
		case start == i, start == windowStart && windowStart > 0, end == windowEnd && windowEnd < len(text):
			return i, i
		}
		return start, end
	}
	return i, i
}

// An excerpt is a text in three parts, of which the middle one is omitted.
type excerpt struct{ head, omitted, tail string }

// excerpt returns the beginning and the end of a text within the budget. The beginning gets two
// thirds: it says what the text is, and lists and files mostly begin with what matters. The end
// gets the rest: logs and builds report failures there, and tables their totals.
func (m tokenMeter) excerpt(text string, budget int) excerpt {
	head := m.prefix(text, budget*2/3)
	rest := text[len(head):]
	tail := m.suffix(rest, budget-m.tokens(head))
	return excerpt{head, rest[:len(rest)-len(tail)], tail}
}

// amountOmitted says how much is omitted: lines and characters if whole lines are omitted, else
// only characters.
func (x excerpt) amountOmitted() words {
	characters := utf8.RuneCountInString(x.omitted)
	lines := strings.Count(x.omitted, "\n")
	if lines == 0 || !strings.HasSuffix(x.omitted, "\n") || x.head != "" && !strings.HasSuffix(x.head, "\n") {
		return words{plural(characters, "character"), fmt.Sprintf("%d 个字符", characters)}
	}
	return linesAndCharacters(lines, characters)
}

// with returns the excerpt with a note, on a line of its own, in place of what is omitted.
func (x excerpt) with(note string) string {
	breakBefore, breakAfter := "", "" // before and after the note
	if x.head != "" && !strings.HasSuffix(x.head, "\n") {
		breakBefore = "\n"
	}
	if x.tail != "" {
		breakAfter = "\n"
	}
	return x.head + breakBefore + note + breakAfter + x.tail
}

func linesAndCharacters(lines, characters int) words {
	return words{
		fmt.Sprintf("%s (%s)", plural(lines, "line"), plural(characters, "character")),
		fmt.Sprintf("%d 行（%d 个字符）", lines, characters),
	}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
