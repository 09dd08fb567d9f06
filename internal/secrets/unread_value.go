package secrets

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/work"
)

// afterName matches the text between the name of an argument and its value. That is an assignment,
// the end of a tag, the border of a column, an opening bracket, or the quotation mark after a
// quoted name.
var afterName = regexp.MustCompile("^(?:[\\\\\"'`*\\])”]{0,8}\\s{0,8}(?:[:：=＝>＞|]|=>|「)|\\(|[\"'`”]\\s{0,8})")

// valuePart returns the longest possible range of the value of the argument whose name is
// text[at:end]. It returns 0, 0 if no value follows the name.
func (f *unreadFinder) valuePart(at, end int) (from, to int) {
	preceding := byte(0) // the byte before the name
	if at > 0 {
		preceding = f.text[at-1]
	}
	m := afterName.FindString(f.text[end:min(len(f.text), end+nearby)])
	// An option is written as --pin 1, /pin 1 or <pin 1.
	isOption := strings.IndexByte("-/<", preceding) >= 0 && end < len(f.text) && strings.IndexByte(" \t\n", f.text[end]) >= 0
	if m == "" && !isOption {
		return 0, 0
	}
	from = end + len(m)
	start := from + len(f.text[from:]) - len(strings.TrimLeft(f.text[from:], " \t\r\n|>"))
	work.Add(start - from)
	if start == len(f.text) {
		return from, start
	}
	to = f.valueParagraph(at, start)
	first, size := utf8.DecodeRuneInString(f.text[start:])
	closer := map[rune]string{'"': `"`, '\'': "'", '`': "`", '“': "”", '「': "末"}[first]
	switch {
	case strings.HasSuffix(m, "「"):
		size, closer = 0, "末"
	case closer == "" && (strings.HasSuffix(m, ">") || preceding == '<'):
		size, closer = 0, "</"
	case closer == "":
		if word := strings.TrimSpace(f.text[from:to]); !strings.ContainsAny(word, " \t\n") {
			f.values = append(f.values, strings.Trim(word, ",;.}])"))
		}
		return from, max(to, f.endAfterBrackets(start))
	}
	n := strings.Index(f.text[start+size:], closer)
	if n < 0 {
		return from, len(f.text)
	}
	f.addValue(f.text[start+size : start+size+n])
	work.Add(n)
	return from, max(to, f.valueParagraph(at, start+size+n))
}

// valueParagraph returns the end of the paragraph that contains a part of a value. name and part
// are the indexes of the value's name and of that part. If both are in one block of fenced code,
// the line that closes the code is not masked.
func (f *unreadFinder) valueParagraph(name, part int) int {
	p := f.paragraph(part)
	if p.from <= name && name < p.inner && part < p.inner {
		return p.inner
	}
	return p.to
}

// addValue adds a value that is written between two marks, such as the 始」1「 of 「始」1「末」.
func (f *unreadFinder) addValue(value string) {
	value = strings.TrimPrefix(value, "始")
	if _, inner, found := strings.Cut(value, "」"); found && strings.HasSuffix(value, "「") {
		value = strings.TrimSuffix(inner, "「")
	}
	f.values = append(f.values, strings.TrimSpace(value))
}
