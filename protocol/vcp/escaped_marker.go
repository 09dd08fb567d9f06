package vcp

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol/scan"
)

// style is the way in which the markers of a block are escaped (B5).
type style uint8

const (
	styleNone style = iota
	styleEntity
	styleBackslash
)

const (
	minEscapedAngles = 2
	maxEscapedAngles = 4
	// maxEscapedBlanks limits the blanks next to an escaped marker on its line, in bytes.
	maxEscapedBlanks = 64
)

// escapedMarkers spell the parts of a marker that may be escaped.
var escapedMarkers = [...]struct{ left, right, underscore, open, close string }{
	styleEntity:    {"&lt;", "&gt;", "_", "[", "]"},
	styleBackslash: {`\<`, `\>`, `\_`, `\[`, `\]`},
}

// escapedAt reads an escaped marker at src[at:], which begins with '&' or a backslash. It counts as
// a marker only if it is alone on its line.
func escapedAt(src []byte, floor, at int, atEOF bool) (m marker, st style, alone bool, found scan.Match) {
	st = styleBackslash
	if src[at] == '&' {
		st = styleEntity
	}
	spelling := &escapedMarkers[st]
	r := markerReader{src: src[at:], atEOF: atEOF}
	ok := r.escapedAngles(spelling.left) && r.oneOf([]string{spelling.open, "["}) >= 0
	m.end = ok && r.escapedWord("END", spelling.underscore)
	ok = ok && !r.undecided && r.escapedWord("TOOL", spelling.underscore) && r.literal("REQUEST") &&
		r.oneOf([]string{spelling.close, "]"}) >= 0 && r.escapedAngles(spelling.right)
	switch {
	case r.undecided:
		return m, st, false, scan.MatchShort
	case !ok:
		return m, st, false, scan.MatchNo
	}
	m.n, m.repairs = r.i, bitMarkerEscaped
	if len(bytes.Trim(src[lineStart(src, max(floor, at-maxEscapedBlanks), at):at], " \t")) > 0 {
		return m, st, false, scan.MatchYes
	}
	rest := r.src[r.i:]
	blanks := len(rest) - len(bytes.TrimLeft(rest, " \t"))
	if blanks == len(rest) && blanks <= maxEscapedBlanks && !atEOF {
		return m, st, false, scan.MatchShort
	}
	alone = blanks <= maxEscapedBlanks && (blanks == len(rest) || rest[blanks] == '\n' || rest[blanks] == '\r')
	return m, st, alone, scan.MatchYes
}

// escapedAngles reads two to four brackets.
func (r *markerReader) escapedAngles(spelling string) bool {
	count := 0
	for count <= maxEscapedAngles && r.literal(spelling) {
		count++
	}
	if r.undecided {
		return false
	}
	return count >= minEscapedAngles && count <= maxEscapedAngles
}

// escapedWord reads a word and the underscore after it, plain or escaped.
func (r *markerReader) escapedWord(word, underscore string) bool {
	start := r.i
	if r.literal(word) && r.oneOf([]string{underscore, "_"}) >= 0 {
		return true
	}
	if !r.undecided {
		r.i = start
	}
	return false
}
