package tags

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol/scan"
)

// MaxLine limits how much of a line before and after a tag is examined, in bytes.
const MaxLine = 96

// Emphasis lists the characters that are ignored next to a tag on its line.
const Emphasis = " \t*_~\u3000\ufeff"

// BeginsLine reports whether only characters of ignored come before src[at] on its line. The text
// begins since bytes before at, and so does a line.
func BeginsLine(src []byte, at, since int, ignored string) bool {
	floor := max(0, at-since, at-MaxLine)
	begin := floor + len(bytes.TrimRight(src[floor:at], ignored))
	return begin == at-since || begin > 0 && (src[begin-1] == '\n' || src[begin-1] == '\r')
}

// EndsLine returns whether only emphasis comes before the end of the line at the start of b, and
// what follows the emphasis.
func EndsLine(b []byte, atEOF bool) (rest []byte, m scan.Match) {
	b = b[:min(len(b), MaxLine)]
	rest = bytes.TrimLeft(b, Emphasis)
	switch {
	case len(rest) > 0 && (rest[0] == '\n' || rest[0] == '\r'):
		return rest, scan.MatchYes
	case len(b) == MaxLine || utf8.FullRune(rest):
		return rest, scan.MatchNo
	case atEOF:
		return rest, scan.MatchYes
	}
	return rest, scan.MatchShort
}

// QuotesLine reports whether the line of src[at] begins with the mark of a blockquote. The text
// begins since bytes before at. carried reports that the line on which the text begins has such a
// mark.
func QuotesLine(src []byte, at, since int, carried bool) bool {
	line := src[max(0, at-since, at-MaxLine):at]
	begin := bytes.LastIndexAny(line, "\r\n") + 1
	if begin == 0 && (len(line) < since || carried) {
		return len(line) == since // else the beginning of the line is not known
	}
	line = bytes.TrimLeft(line[begin:], " \t")
	for len(line) > 1 && strings.IndexByte("-*+", line[0]) >= 0 && (line[1] == ' ' || line[1] == '\t') { // list items
		line = bytes.TrimLeft(line[1:], " \t")
	}
	return bytes.HasPrefix(line, []byte(">"))
}
