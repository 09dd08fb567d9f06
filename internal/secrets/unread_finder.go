package secrets

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/work"
)

// An unreadFinder finds the parts of a text without escapes that may belong to requests.
type unreadFinder struct {
	text       string
	paragraphs []paragraph
	folded     string   // text, folded as package text folds a name
	at         []int    // the index in text of each byte of folded
	found      [][2]int // half-open ranges of text
	values     []string // as Unread.Mask returns them
}

func newUnreadFinder(s string) *unreadFinder {
	work.Add(len(s))
	f := &unreadFinder{text: s, paragraphs: paragraphsOf(s), at: make([]int, 0, len(s))}
	b := make([]byte, 0, len(s))
	for i, r := range s {
		n := len(b)
		if r != '-' && r != '_' && !unicode.IsSpace(r) {
			b = utf8.AppendRune(b, unicode.ToLower(r))
		}
		for range len(b) - n {
			f.at = append(f.at, i)
		}
	}
	f.folded = string(b)
	return f
}

// paragraph returns the paragraph that contains an index. The index len(f.text) is in the last
// paragraph.
func (f *unreadFinder) paragraph(at int) paragraph {
	i, found := slices.BinarySearchFunc(f.paragraphs, at, func(p paragraph, at int) int { return p.from - at })
	if !found {
		i--
	}
	return f.paragraphs[i]
}

// findNames calls part with the range of each occurrence of a folded name as a whole word. part
// returns the range that is masked, or 0, 0 for none. Occurrences within a masked range are
// skipped.
func (f *unreadFinder) findNames(name string, part func(at, end int) (from, to int)) {
	if name == "" {
		return
	}
	work.Add(len(f.folded))
	masked := 0
	occurrences(f.folded, name, func(i int) int {
		at := f.at[i]
		_, size := utf8.DecodeRuneInString(f.text[f.at[i+len(name)-1]:])
		end := f.at[i+len(name)-1] + size
		if at >= masked && !joinsWord(f.text[:at], f.text[at:end]) && !joinsWord(f.text[:end], f.text[end:]) {
			if from, to := part(at, end); to > 0 {
				f.found = append(f.found, [2]int{from, to})
				masked = to
			}
		}
		return i
	})
}

// joinsWord reports whether the last character of before and the first of after are in one word.
// Chinese characters are in no word, because Chinese has no spaces between words.
func joinsWord(before, after string) bool {
	a, _ := utf8.DecodeLastRuneInString(before)
	b, _ := utf8.DecodeRuneInString(after)
	isPart := func(r rune) bool {
		return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.Is(unicode.Han, r) && r != utf8.RuneError
	}
	return isPart(a) && isPart(b)
}

// nearby limits how much of a text is examined before and after a name, in bytes.
const nearby = 32

// endAfter returns the end of the paragraph that contains the first occurrence of part from start
// on. If part does not occur there, endAfter returns the end of the text.
func (f *unreadFinder) endAfter(start int, part string) int {
	n := strings.Index(f.text[start:], part)
	if n < 0 {
		return len(f.text)
	}
	work.Add(n)
	return f.paragraph(start + n).to
}

// endAfterBrackets returns the end of the paragraph in which the bracket at an index is closed. It
// returns the end of the text if the bracket is not closed, and 0 if no opening bracket is there.
func (f *unreadFinder) endAfterBrackets(at int) int {
	const opening, closing = "([{", ")]}"
	kind := strings.IndexByte(opening, f.text[at])
	if kind < 0 {
		return 0
	}
	depth := 0
	for i := at; i < len(f.text); i++ {
		switch f.text[i] {
		case opening[kind]:
			depth++
		case closing[kind]:
			depth--
		}
		if depth == 0 {
			work.Add(i - at)
			return f.paragraph(i).to
		}
	}
	return len(f.text)
}
