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

// valuePart returns the range of the value of the argument whose name is text[at:end], as far as it
// may extend. It returns 0, 0 if no value follows the name.
func (f *unreadFinder) valuePart(at, end int) (from, to int) {
	last := byte(0) // before the name
	if at > 0 {
		last = f.text[at-1]
	}
	m := afterName.FindString(f.text[end:min(len(f.text), end+nearby)])
	isOption := strings.IndexByte("-/<", last) >= 0 && end < len(f.text) && strings.IndexByte(" \t\n", f.text[end]) >= 0
	if m == "" && !isOption {
		return 0, 0
	}
	from = end + len(m)
	value := from + len(f.text[from:]) - len(strings.TrimLeft(f.text[from:], " \t\r\n|>"))
	work.Add(value - from)
	if value == len(f.text) {
		return from, value
	}
	to = f.valueParagraph(at, value)
	first, size := utf8.DecodeRuneInString(f.text[value:])
	closer := map[rune]string{'"': `"`, '\'': "'", '`': "`", '“': "”", '「': "末"}[first]
	switch {
	case strings.HasSuffix(m, "「"):
		size, closer = 0, "末"
	case closer == "" && (strings.HasSuffix(m, ">") || last == '<'):
		size, closer = 0, "</"
	case closer == "":
		if word := strings.TrimSpace(f.text[from:to]); !strings.ContainsAny(word, " \t\n") {
			f.values = append(f.values, strings.Trim(word, ",;.}])"))
		}
		return from, max(to, f.endAfterBrackets(value))
	}
	n := strings.Index(f.text[value+size:], closer)
	if n < 0 {
		return from, len(f.text)
	}
	f.addValue(f.text[value+size : value+size+n])
	work.Add(n)
	return from, max(to, f.valueParagraph(at, value+size+n))
}

// valueParagraph returns the end of the paragraph in which a value ends. at is the index of the
// value's name, end that of the value's end. If both are in one block of fenced code, its closing
// line is not masked.
func (f *unreadFinder) valueParagraph(at, end int) int {
	p := f.paragraph(end)
	if p.from <= at && at < p.inner && end < p.inner {
		return p.inner
	}
	return p.to
}

// addValue adds a value that is written between two marks.
func (f *unreadFinder) addValue(value string) {
	value = strings.TrimPrefix(value, "始")
	if _, inner, found := strings.Cut(value, "」"); found && strings.HasSuffix(value, "「") {
		value = strings.TrimSuffix(inner, "「")
	}
	f.values = append(f.values, strings.TrimSpace(value))
}
