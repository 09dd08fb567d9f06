package vcp

import (
	"bytes"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol/scan"
)

// What only level greedy reads: escaped markers, as people write them to show a block, and fields
// without a block.

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

// escapedMarkers spell a marker's two sides and its underscore.
var escapedMarkers = [...]struct{ left, right, underscore, open, close string }{
	styleEntity:    {"&lt;", "&gt;", "_", "[", "]"},
	styleBackslash: {`\<`, `\>`, `\_`, `\[`, `\]`},
}

// escapedAt reads an escaped marker at src[at:]. It is a marker only if it is alone on its line.
func escapedAt(src []byte, floor, at int, atEOF bool) (m marker, st style, alone bool, found match) {
	st = styleBackslash
	if src[at] == '&' {
		st = styleEntity
	}
	spelling := &escapedMarkers[st]
	r := markerReader{src: src[at:], atEOF: atEOF}
	if !r.escapedAngles(spelling.left) || r.oneOf([]string{spelling.open, "["}) < 0 {
		return m, st, false, r.verdict()
	}
	if m.end = r.escapedWord("END", spelling.underscore); r.short || !r.escapedWord("TOOL", spelling.underscore) || !r.literal("REQUEST") {
		return m, st, false, r.verdict()
	}
	if r.oneOf([]string{spelling.close, "]"}) < 0 || !r.escapedAngles(spelling.right) {
		return m, st, false, r.verdict()
	}
	m.n, m.repairs = r.i, bitMarkerEscaped
	if len(bytes.Trim(src[lineStart(src, max(floor, at-maxEscapedBlanks), at):at], " \t")) > 0 {
		return m, st, false, matchYes
	}
	rest := r.src[r.i:]
	blanks := len(rest) - len(bytes.TrimLeft(rest, " \t"))
	if blanks == len(rest) && blanks <= maxEscapedBlanks && !atEOF {
		return m, st, false, matchShort
	}
	alone = blanks <= maxEscapedBlanks && (blanks == len(rest) || rest[blanks] == '\n' || rest[blanks] == '\r')
	return m, st, alone, matchYes
}

func (r *markerReader) verdict() match {
	if r.short {
		return matchShort
	}
	return matchNo
}

// escapedAngles reads two to four brackets.
func (r *markerReader) escapedAngles(spelling string) bool {
	count := 0
	for count <= maxEscapedAngles && r.literal(spelling) {
		count++
	}
	if r.short {
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
	if !r.short {
		r.i = start
	}
	return false
}

// bareState describes a request whose fields are not in a block (B12).
type bareState struct {
	open    bool
	fresh   bool // no field was read so far
	fields  int  // number of fields read
	marked  bool // the text contained a marker: no bare fields are read after it
	refused int  // offset in the stream, plus one, at which the caller refused to read one
}

// bareStart reports whether a bare request begins with the key k of the opener at src[opener:]. It
// does not if holdBare would not have held the key back.
func (s *scanner) bareStart(src []byte, from, opener int, k key) bool {
	if s.bare.marked || !s.allows(bitBareFields) || k.start < from || s.bare.refused == s.base+k.start-from+1 {
		return false
	}
	begin := lineStart(src, min(k.start, historyFloor(opener)), k.start)
	if k.tooLong || opener-begin > maxBareKey {
		return false
	}
	line := src[begin:k.start]
	return len(bytes.Trim(line, " \t\u3000\ufeff")) == 0
}

// scanBare reads between the fields of a bare request.
func (s *scanner) scanBare(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	begin := max(0, from-s.block.since) // the next key may begin in what was read as the value before
	rest := src[begin:]
	gap := len(rest) - len(bytes.TrimLeft(rest, wideBlanks+zeroWidth+"\r\n"+commas))
	if gap > keyWindow {
		return s.endBare()
	}
	body := rest[gap:]
	if !atEOF && len(body) > 0 && !utf8.FullRune(body) { // it may be a blank or a comma
		return s.short(0)
	}
	if !s.bare.fresh && !bytes.ContainsAny(rest[:gap], "\r\n") && len(body) > 0 {
		return s.endBare()
	}
	window := body[:min(len(body), keyWindow)]
	e, start, m := firstOpener(src, begin+gap, begin+gap+len(window), atEOF)
	switch m {
	case matchShort:
		return s.short(0)
	case matchYes:
		if k, ok := s.keyBefore(src, begin+gap, start, s.o.MaxKey); ok && !k.tooLong && k.start == begin+gap {
			if s.bare.fields++; s.bare.fields == 2 && string(k.name) == keyStatus {
				// The frame of a result that the model quotes (section 7).
				s.newEnd(scan.OutcomeNone)
				return s.emitBefore(src, from, 0, scan.TokenNone, "", 0, modeBlock)
			}
			s.bare.fresh = false
			return s.field(src, begin+gap, from, start, e)
		}
		return s.endBare()
	}
	if !atEOF && len(window) == len(body) && s.mayBeKey(body) {
		return s.short(0)
	}
	return s.endBare()
}

// endBare ends a bare request at its last closer.
func (s *scanner) endBare() (int, *scan.Token, error) {
	s.bare.open = false
	s.mode = modeText
	end := s.newEnd(scan.OutcomeClosed)
	end.Back = s.block.since // what was read as the last value
	return s.emit(0, end)
}

// mayBeKey reports whether b can be the beginning of a key, its separator and its opener.
func (s *scanner) mayBeKey(b []byte) bool {
	b = bytes.TrimLeft(b, "*`\"'“")
	key := bytes.TrimLeftFunc(b, func(r rune) bool { return isKeyRune(r) || r == '\\' || r == '\ufffd' })
	return len(b)-len(key) <= s.o.MaxKey && len(bytes.TrimLeft(key, "*`\"'” \t\u3000:：=＝\r\n「『【｢{\xe3\x80\xef\xbd\xbc")) == 0
}

// mayBegin reports whether the key of a bare request may begin in src[from:].
func (s *scanner) mayBegin(src []byte, from int) bool {
	return !s.bare.marked && (from == 0 || src[from-1] == '\n' || src[from-1] == '\r' || bytes.ContainsAny(src[from:], "\r\n"))
}

// holdBare returns the start of the tail of src[from:end] that may become the first key of a bare
// request.
func (s *scanner) holdBare(src []byte, from, end int) int {
	if s.bare.marked || !s.allows(bitBareFields) {
		return end
	}
	line := lineStart(src, from, end)
	begins := func(at int) bool {
		return at > from || s.base == 0 || from > 0 && (src[from-1] == '\n' || src[from-1] == '\r')
	}
	if above := bytes.TrimRight(src[from:line], "\r\n"); line > from && line-from-len(above) <= 2 {
		if before := lineStart(src, from, from+len(above)); begins(before) && s.mayName(src[before:end]) {
			return before
		}
	}
	if begins(line) && s.mayName(src[line:end]) {
		return line
	}
	return end
}

// maxBareKey limits the first key of a bare request with its decoration and separator, in bytes.
const maxBareKey = 64

// mayName reports whether b, which begins a line, can be the beginning of a field that names a
// tool.
func (s *scanner) mayName(b []byte) bool {
	if len(b) > maxBareKey {
		return false
	}
	if b = bytes.TrimLeft(b, " \t\u3000\ufeff"); !s.mayBeKey(b) {
		return false
	}
	folded := foldKey(string(bytes.TrimRight(bytes.ReplaceAll(bytes.Trim(b, "*`\"'“”"), []byte(`\`), nil), "*`\"'” \t\u3000:：=＝\r\n「『【｢{\xe3\x80\xef\xbd\xbc")))
	return len(folded) <= len(foldedToolName) && foldedToolName[:len(folded)] == folded
}
