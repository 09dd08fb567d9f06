package hermes

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol/scan"
)

// scanBody reads between the values of a request: brackets, commas and the keys of members.
func (s *scanner) scanBody(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	b := &s.body
	i := from
	for i < len(src) {
		n := gap(src[i:], b.quoted)
		s.Work += n + 1
		if i += n; i == len(src) || !s.bracket(src[i], i-from) {
			break
		}
		i++
		if c := src[i-1]; b.complete && (c == '}' || c == ']') {
			return s.emitBodyEnd(src, from, i-from)
		}
	}
	switch {
	case i > from:
		return s.EmitAs(i-from, scan.TokenFiller, "")
	case i == len(src) && atEOF:
		return s.endOfInput()
	case i == len(src):
		return s.Short(0)
	}
	switch c := src[from]; {
	case (b.next == expectKey || b.next == expectArgument) && (c == '"' || c == '\''):
		return s.member(src, from, atEOF)
	case b.mayLackBracket() && c == '<', b.mayHaveSurplus() && c == '}':
		return s.wrongBracket(src, from, atEOF)
	case b.next == expectEnd && c == '<':
		return s.endTag(src, from, atEOF)
	case c == '`' || c == '~':
		switch n, m := s.fence(src[from:], atEOF); {
		case m == scan.MatchShort:
			return s.Short(0)
		case m == scan.MatchYes && b.next == expectBody:
			s.Repair(repairFencedBody, 0, len(bytes.TrimRight(src[from:from+n], "\r\n")))
			b.fence = c
			return s.EmitAs(n, scan.TokenFiller, "")
		case m == scan.MatchYes:
			b.fence, b.fenceClosed = 0, true
			return s.emitBodyEnd(src, from, n)
		}
	}
	return s.fail()
}

// bracket reads a bracket or comma at an offset of the token, and reports whether it is allowed
// there.
func (s *scanner) bracket(c byte, at int) bool {
	b := &s.body
	opensCall := c == '{' &&
		(b.next == expectBody || b.next == expectCall || b.next == expectEnd && !b.list && !b.fenceClosed)
	switch {
	case opensCall:
		if b.next == expectEnd {
			s.Repair(repairSeveralCalls, at, at+1)
		}
		b.starts = append(b.starts, callBracket{s.Base + at, b.fields})
		b.next, b.comma, b.complete, b.wrapper = expectKey, -1, false, wrapperNone
		b.named, b.identified, b.arguments = false, false, false
		b.bracket = bracketState{}
	case c == '[' && b.next == expectBody:
		s.Repair(repairSeveralCalls, at, at+1)
		b.list, b.next = true, expectCall
	case c == ',' && b.next == expectComma:
		b.bracket.doubt = b.bracket.doubt || b.arguments
		b.next, b.comma = expectKey, s.Base+at
	case c == ',' && b.next == expectArgumentComma:
		b.bracket.doubt = b.bracket.doubt || b.bracket.object
		b.next, b.comma = expectArgument, s.Base+at
	case c == ',' && b.next == expectEnd && b.list && !b.complete:
		b.next, b.comma = expectCall, s.Base+at
	case c == '}' && (b.next == expectArgument || b.next == expectArgumentComma):
		s.endList()
		b.next = expectComma
	case c == '}' && b.wrapper == wrapperOpen && (b.next == expectKey || b.next == expectComma):
		s.endList()
		b.next, b.wrapper = expectComma, wrapperClosed
	case c == '}' && (b.next == expectKey || b.next == expectComma):
		s.endList()
		b.next, b.complete = expectEnd, !b.list
	case c == ']' && b.list && !b.complete && len(b.starts) > 0 && (b.next == expectCall || b.next == expectEnd):
		s.endList()
		b.next, b.complete = expectEnd, true
	default:
		return false
	}
	return true
}

// endList closes a list of members or calls, and omits a comma before its end (J6).
func (s *scanner) endList() {
	if b := &s.body; b.comma >= 0 {
		s.Repair(repairTrailingComma, b.comma-s.Base, b.comma-s.Base+1)
		b.comma = -1
	}
}

// fence reads the line of a fence around the body: the line that opens it before the body, or the
// line that closes it after the body (J1).
func (s *scanner) fence(b []byte, atEOF bool) (n int, m scan.Match) {
	switch {
	case s.body.next == expectBody:
		return fenceLine(b, atEOF)
	case s.body.next != expectEnd || !s.body.complete || s.body.fence != b[0]:
		return 0, scan.MatchNo
	}
	for n < len(b) && b[n] == b[0] {
		n++
	}
	switch {
	case n == len(b) && !atEOF:
		return 0, scan.MatchShort
	case n < 3:
		return 0, scan.MatchNo
	}
	return n, scan.MatchYes
}
