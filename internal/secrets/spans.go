package secrets

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// spans are parts of a text, from an index to the index after the part.
type spans [][2]int

// add adds a span, or extends the last one if they touch.
func (s *spans) add(from, to int) {
	if n := len(*s); n > 0 && (*s)[n-1][0] <= from && from <= (*s)[n-1][1] {
		(*s)[n-1][1] = max((*s)[n-1][1], to)
		return
	}
	*s = append(*s, [2]int{from, to})
}

// mask returns a text with Mask in place of the spans, which are first extended to whole
// characters. Spans that touch get one Mask.
func (s spans) mask(text string) string {
	if len(s) == 0 {
		return text
	}
	for i := range s {
		s[i][0], _ = characterAround(text, s[i][0])
		_, s[i][1] = characterAround(text, s[i][1])
	}
	slices.SortFunc(s, func(a, b [2]int) int { return a[0] - b[0] })
	var b strings.Builder
	end := 0 // the end of the text that is written or masked
	for i, span := range s {
		if i == 0 || span[0] > end {
			b.WriteString(text[end:span[0]])
			b.WriteString(Mask)
		}
		end = max(end, span[1])
	}
	b.WriteString(text[end:])
	return b.String()
}

// characterAround returns the range of the character with at inside it. If at is not inside a
// character, from and to are at.
func characterAround(text string, at int) (from, to int) {
	for n := 1; n < utf8.UTFMax && n <= at; n++ {
		if _, size := utf8.DecodeRuneInString(text[at-n:]); size > n {
			return at - n, at - n + size
		}
	}
	return at, at
}

// findEscaped returns the parts of a text that find marks. It also calls find with the text without
// its escapes, and returns the parts that the marked bytes came from.
func findEscaped(s string, find func(s string, mark func(from, to int))) (found spans) {
	find(s, found.add)
	plain := newPlainText(s)
	find(string(plain.text), func(from, to int) { found.add(plain.from[from], plain.to[to-1]) })
	return found
}
