package tags

import (
	"bytes"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/markdown"
	"github.com/vcpgo/vcp/protocol/scan"
)

// MaxLine limits how many bytes of a line before and after a tag are examined.
const MaxLine = 96

// Emphasis lists the characters that are ignored next to a tag on its line.
const Emphasis = " \t*_~\u3000\ufeff"

// BeginsLine reports whether only ignored characters come before src[at] on its line, at most
// MaxLine-1 bytes of them. since is how many bytes of the text come before src[at]; src may contain
// only the last of them. The start of the text counts as the start of a line.
func BeginsLine(src []byte, at, since int, ignored string) bool {
	floor := max(0, at-since, at-MaxLine+1)
	begin := floor + len(bytes.TrimRight(src[floor:at], ignored))
	return begin == at-since || begin > 0 && (src[begin-1] == '\n' || src[begin-1] == '\r')
}

// EndsLine returns whether b has only emphasis before the end of its first line. rest is what
// follows the emphasis in the first MaxLine bytes of b. m is MatchShort if more input is needed.
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

// QuotesLine reports whether the line of src[at] begins with the mark of a blockquote. since is how
// many bytes of the text come before src[at]. If inLine is set, the text starts within a line, and
// carried says whether that line begins with such a mark.
func QuotesLine(src []byte, at, since int, inLine, carried bool) bool {
	line := src[max(0, at-since, at-MaxLine):at]
	begin := bytes.LastIndexAny(line, "\r\n") + 1
	if begin == 0 && (len(line) < since || inLine) {
		// If the beginning of the line was not examined, the answer is false.
		return carried && len(line) == since
	}
	_, quoted := markdown.ReadMarks(line[begin:])
	return quoted
}
