package vcp

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol/scan"
)

// Markers that a model writes in an ESCAPE value when it means the marker without the suffix (V3).
const (
	suffixedStart = "<<<[TOOL_REQUEST_ESCAPE]>>>"
	suffixedEnd   = "<<<[END_TOOL_REQUEST_ESCAPE]>>>"
)

// scanValue reads inside a value.
func (s *scanner) scanValue(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	i := from + s.looked
	for {
		at, kind := s.find(src, i, s.base-from)
		if at < 0 {
			if atEOF && from == len(src) && s.style != styleNone {
				s.endMissing[s.style] = true
				return s.emit(0, s.newEnd(scan.OutcomeNone))
			}
			return s.rest(src, from, atEOF)
		}
		i = at + 1
		if kind == anchorEscaped {
			continue
		}
		if kind == anchorOpen || kind == anchorClose {
			e, start, m := edgeAround(src, from, at, atEOF)
			if m == scan.MatchShort {
				return s.until(from, start)
			}
			if m == scan.MatchNo && kind == anchorClose {
				start, size, verdict := s.halfCloser(src, from, at, atEOF)
				if verdict == scan.MatchYes {
					s.newMark(scan.TokenFieldEnd).Repairs = s.tokenRepairs(s.repaired[:0], bitHalfCloser, 0, size)
					return s.emitBefore(src, from, start, size, "")
				}
				if verdict == scan.MatchShort {
					return s.until(from, start)
				}
			}
			if m == scan.MatchNo {
				continue
			}
			if n, ok := s.valueEdge(src, from, start, kind, e); ok {
				return s.emitBefore(src, from, start, n, "")
			}
			continue
		}
		if s.value.opener.family == familyEscape && !s.bare.open && bytes.HasPrefix(src[at:], []byte("<<<[")) {
			skip, short := suffixedMarker(src[at:], atEOF)
			if short {
				return s.until(from, at)
			}
			if skip > 0 {
				s.newMark(scan.TokenValue).Replaced = true
				return s.emitBefore(src, from, at+skip, len(escapeSuffix), "")
			}
		}
		m, found := markerAt(src, at, atEOF)
		switch {
		case found == scan.MatchShort:
			return s.until(from, at)
		case found == scan.MatchNo:
			continue
		case s.bare.open: // fields whose value contains a marker are no bare request (B12)
			s.newEnd(scan.OutcomeNone)
			return s.emitBefore(src, from, at, 0, "")
		}
		s.value.marked = true
		if m.kind == markerDefinition && m.end && !m.suffixed && s.kind == markerRequest {
			s.newEvidence(scan.EvidenceDefinitionEnd)
			return s.emitBefore(src, from, at, m.n, "")
		}
		if m.suffixed || m.kind != markerRequest || !m.end {
			continue
		}
		tok := s.newEvidence(scan.EvidenceEnd)
		tok.Repairs = s.tokenRepairs(s.repaired[:0], m.repairs, 0, m.n)
		if s.value.opener.plain() {
			v := s.endCloses(src, from, at, at+m.n, atEOF)
			if v == scan.MatchShort {
				return s.until(from, at)
			}
			if v == scan.MatchYes {
				tok.Evidence = scan.EvidencePossibleEnd
			}
		}
		return s.emitBefore(src, from, at, m.n, "")
	}
}

// valueEdge makes the token of an opener or closer inside the value; ok is false if the opener or
// closer is only text of the value.
func (s *scanner) valueEdge(src []byte, from, start int, kind anchor, e edge) (n int, ok bool) {
	own := &s.value.opener
	if kind == anchorClose {
		switch {
		case own.closes(&e):
			s.newMark(scan.TokenFieldEnd)
			s.closer = e
			return e.n, true
		case own.plain():
			s.newEvidence(scan.EvidenceCloser)
			return e.n, true
		}
		return 0, false
	}
	if !own.plain() && !own.same(&e) {
		return 0, false
	}
	floor, far := backFloor(from, s.value.since, start)
	k, keyed := s.keyBefore(src, floor, start, s.o.MaxKey)
	if !keyed {
		return 0, false
	}
	lead, begins, unsure := beginsLine(src, floor, k.start)
	unsure = unsure && far
	// A key that the opener touches must begin a line (V11). If it is unsure whether the key does,
	// the opener casts doubt on the value.
	if k.sepStart == start && !begins && !unsure {
		return 0, false
	}
	if own.plain() && begins && !unsure && !s.value.marked && s.allows(repairMissingValueEnd) {
		if end := floor + trimValueEnd(src[floor:lead]); !endsInCloser(src[floor:end]) {
			// In a stream the value up to the opener may have been emitted, and may have passed a
			// limit. So that part of the value is always emitted.
			tok := s.newMark(scan.TokenFieldEnd)
			tok.Back = start - end
			if s.other.on {
				s.other.follow(src[end:k.start])
			}
			tok.Repairs = s.tokenRepairs(s.repaired[:0], bitMissingValueEnd, -tok.Back, -tok.Back)
			return 0, true
		}
	}
	s.newEvidence(scan.EvidenceOpener)
	return e.n, true
}

// lineLeads are the characters that may precede a field on its line (V11): blanks, zero-width
// characters, bullets and comment marks.
const lineLeads = wideBlanks + zeroWidth + "-*+>#/•·"

// beginsLine reports whether only lineLeads, or the number of a list item, precede src[at:] on its
// line, which begins at lead. The value's first line does not count, because it begins with the
// opener. reached reports that the search ended at floor.
func beginsLine(src []byte, floor, at int) (lead int, begins, reached bool) {
	lead = fieldLead(src, floor, at, lineLeads)
	return lead, lead > floor && (src[lead-1] == '\n' || src[lead-1] == '\r'), lead == floor
}

// fieldLead returns the start of the run of characters of set before the field at src[at:]. The
// number of a list item and the beginning of a comment belong to the run.
func fieldLead(src []byte, floor, at int, set string) int {
	lead := leadBefore(src, floor, at, set)
	if n := len("<!"); lead-n >= floor && string(src[lead-n:lead]) == "<!" {
		return leadBefore(src, floor, lead-n, set)
	}
	if lead > floor && (src[lead-1] == '.' || src[lead-1] == ')') {
		if number := leadBefore(src, floor, lead-1, "0123456789"); number < lead-1 {
			return leadBefore(src, floor, number, set)
		}
	}
	return lead
}

// endsInCloser reports whether b ends in a closer of any family, or in the second half of one
// (V11).
func endsInCloser(b []byte) bool {
	for _, pair := range bracketPairs {
		if bytes.HasSuffix(b, []byte(wordClose+pair[1])) {
			return true
		}
	}
	b = b[max(0, len(b)-maxEdge):]
	for at := 0; ; at++ {
		n := bytes.Index(b[at:], []byte(wordClose))
		if n < 0 {
			return false
		}
		at += n
		if e, start, m := edgeAround(b, 0, at, true); m == scan.MatchYes && start+e.n == len(b) {
			return true
		}
	}
}

// trimValueEnd returns the length of b without the commas and white space at its end.
func trimValueEnd(b []byte) int {
	return len(bytes.TrimRightFunc(b, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(commas, r) }))
}

// halfCloser reads the first half of a closer, which a comma or a line break and then a key must
// follow (V7). start is its offset and n its length.
func (s *scanner) halfCloser(src []byte, from, at int, atEOF bool) (start, n int, m scan.Match) {
	bracket := bracketPairs[s.value.opener.pair][0]
	if !s.value.opener.plain() || !s.allows(repairHalfCloser) || !bytes.HasSuffix(src[from:at], []byte(bracket)) {
		return 0, 0, scan.MatchNo
	}
	start, halfEnd := at-len(bracket), at+len(wordClose)
	n = halfEnd - start
	rest := src[halfEnd:]
	gap := len(rest) - len(bytes.TrimLeft(rest, wideBlanks))
	separator, size := utf8.DecodeRune(rest[gap:])
	switch {
	case !atEOF && gap <= keyWindow && !utf8.FullRune(rest[gap:]):
		return start, n, scan.MatchShort
	case gap > keyWindow || separator != '\n' && separator != '\r' && !strings.ContainsRune(commas, separator):
		return start, n, scan.MatchNo
	}
	gap += size
	window := rest[:min(len(rest), gap+keyWindow)]
	_, opener, m := firstOpener(src, halfEnd, halfEnd+len(window), atEOF)
	if m == scan.MatchNo && len(window) == len(rest) && !atEOF {
		return start, n, scan.MatchShort
	}
	if m != scan.MatchYes {
		return start, n, m
	}
	k, ok := s.keyBefore(src, halfEnd, opener, s.o.MaxKey)
	afterSeparator := halfEnd + gap
	if !ok || k.start < afterSeparator {
		return start, n, scan.MatchNo
	}
	_, begins, _ := beginsLine(src, halfEnd, k.start)
	if fieldLead(src, afterSeparator, k.start, lineLeads+commas+"\r\n") > afterSeparator ||
		k.sepStart == opener && !begins {
		return start, n, scan.MatchNo // by V11 no field begins there either
	}
	return start, n, scan.MatchYes
}

// suffixedMarker returns the offset of _ESCAPE in a marker from which V3 removes it, or 0 if src
// begins with no such marker.
func suffixedMarker(src []byte, atEOF bool) (skip int, short bool) {
	for _, m := range [...]string{suffixedStart, suffixedEnd} {
		if n := min(len(src), len(m)); string(src[:n]) == m[:n] {
			if n == len(m) {
				return len(m) - len(escapeSuffix) - len("]>>>"), false
			}
			short = short || !atEOF
		}
	}
	return 0, short
}

// maxBlanksAfterEnd limits the blanks after an end marker that still counts as the end of its line,
// in bytes.
const maxBlanksAfterEnd = 256

// endCloses reports whether the end marker src[at:end] in an unclosed value may end the value and
// the block (V9). It examines only the text around the marker.
func (s *scanner) endCloses(src []byte, from, at, end int, atEOF bool) scan.Match {
	rest := src[end:]
	blanks := 0
	for blanks < len(rest) && blanks < maxBlanksAfterEnd {
		n := leadingBlank(rest[blanks:])
		if n == 0 {
			break
		}
		blanks += n
	}
	switch {
	case !atEOF && !utf8.FullRune(rest[blanks:]):
		return scan.MatchShort
	case blanks < len(rest) && rest[blanks] != '\n' && rest[blanks] != '\r':
		return scan.MatchNo
	}
	if floor, _ := backFloor(from, s.value.since, at); endsWhole(src[floor:at]) {
		return scan.MatchYes
	}
	return scan.MatchNo
}
