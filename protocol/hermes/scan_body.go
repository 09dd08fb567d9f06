package hermes

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol/scan"
)

// bodyState describes the open request.
type bodyState struct {
	start    int  // offset in the stream of its start tag
	quoted   bool // it is in a blockquote, whose marks are white space
	next     expect
	comma    int  // offset in the stream of the comma before the next member or call; -1 if there is none
	list     bool // the calls are in a list
	complete bool // all brackets are closed
	// The open call has these members.
	named, labelled, arguments bool
	wrapper                    wrapper
	fence                      byte  // mark of the fence before the body; 0 if there is none
	sealed                     bool  // that fence has been closed
	fields                     int   // number of fields emitted so far
	opening                    bool  // the bracket of a call has been read
	starts                     []int // number of fields before each call
	unclosed                   bool  // a defect for the missing end was emitted
	quoteNext                  bool  // the request that ends this one is on a line that begins with the mark of a blockquote
	raw                        int   // number of raw control characters in its strings
	repairs                    int   // number of repairs it needed
	end                        int   // offset in the stream of the body's end
	escaped                    bool  // a key of a call contains an escape
	bracket                    bracketState
	surplus                    bool // its last bracket has been repaired
}

// wrapper says how far the object around the open call was read (J19).
type wrapper uint8

const (
	wrapperNone   wrapper = iota
	wrapperOpen           // the call in it is being read
	wrapperClosed         // the call has ended
)

// expect says what may come next in a body. The method of the same name reads it.
type expect uint8

const (
	expectBody     expect = iota // the first bracket, or a fence
	expectCall                   // in a list: an object
	expectKey                    // of a call
	expectComma                  // after a member of a call
	expectArgument               // a key of the arguments
	expectArgumentComma
	expectEnd // after a call: the end tag, another call, the list's end
)

// beginBody opens a request. A code says that the request cannot be read.
func (s *scanner) beginBody(code scan.ErrorCode, quoted bool) {
	s.mode = modeBody
	if code != "" {
		s.mode = modeBroken
	}
	s.body = bodyState{start: s.base, starts: s.body.starts[:0], comma: -1, quoted: quoted}
}

// scanBody reads between the values of a request: brackets, commas and the keys of members.
func (s *scanner) scanBody(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	b := &s.body
	s.beginCall()
	i := from
	for {
		n := spaces(src[i:])
		s.examined += n + 1
		if i += n; i == len(src) {
			switch {
			case i > from:
				return s.emitAs(i-from, scan.TokenFiller, "")
			case atEOF:
				return s.endOfInput()
			}
			return s.short(0)
		}
		c := src[i]
		switch {
		case c == '>' && b.quoted:
			i++
			continue
		case (b.next == expectKey || b.next == expectArgument) && (c == '"' || c == '\''):
			if i > from {
				return s.emitAs(i-from, scan.TokenFiller, "")
			}
			return s.member(src, from, atEOF)
		case b.mayLackBrace() && c == '<', b.mayHaveBrace() && c == '}':
			if i > from {
				return s.emitAs(i-from, scan.TokenFiller, "")
			}
			return s.wrongBrace(src, from, atEOF)
		case b.next == expectEnd && c == '<':
			if i > from {
				return s.emitAs(i-from, scan.TokenFiller, "")
			}
			return s.endTag(src, from, atEOF)
		case c == '`' || c == '~':
			n, m := s.fence(src[i:], atEOF)
			switch {
			case m == matchShort && i > from:
				return s.emitAs(i-from, scan.TokenFiller, "")
			case m == matchShort:
				return s.short(0)
			case m == matchYes && b.next == expectBody:
				s.repair(repairFencedBody, i-from, i-from+len(bytes.TrimRight(src[i:i+n], "\r\n")))
				b.fence = c
				i += n
				continue
			case m == matchYes:
				b.fence, b.sealed = 0, true
				return s.emitBodyEnd(i + n - from)
			}
		case s.bracket(c, i-from):
			i++
			if b.complete && (c == '}' || c == ']') {
				return s.emitBodyEnd(i - from)
			}
			continue
		}
		if i > from {
			return s.emitAs(i-from, scan.TokenFiller, "")
		}
		return s.fail()
	}
}

// beginCall takes note of the call whose bracket has been read. This is done when reading continues
// after the bracket, because the request may have ended before it.
func (s *scanner) beginCall() {
	if b := &s.body; b.opening {
		b.starts, b.opening = append(b.starts, b.fields), false
	}
}

// bracket reads a bracket or comma at offset at of the token, and reports whether it is allowed
// there.
func (s *scanner) bracket(c byte, at int) bool {
	b := &s.body
	opensCall := c == '{' && (b.next == expectBody || b.next == expectCall || b.next == expectEnd && !b.list && !b.sealed)
	switch {
	case opensCall:
		if b.next == expectEnd {
			s.repair(repairSeveralCalls, at, at+1)
		}
		s.beginCall()
		b.opening = true
		b.next, b.comma, b.complete, b.wrapper = expectKey, -1, false, wrapperNone
		b.named, b.labelled, b.arguments = false, false, false
		b.bracket = bracketState{}
	case c == '[' && b.next == expectBody:
		s.repair(repairSeveralCalls, at, at+1)
		b.list, b.next = true, expectCall
	case c == ',' && b.next == expectComma:
		b.bracket.doubt = b.bracket.doubt || b.arguments
		b.next, b.comma = expectKey, s.base+at
	case c == ',' && b.next == expectArgumentComma:
		b.bracket.doubt = b.bracket.doubt || b.bracket.object
		b.next, b.comma = expectArgument, s.base+at
	case c == ',' && b.next == expectEnd && b.list && !b.complete:
		b.next, b.comma = expectCall, s.base+at
	case c == '}' && (b.next == expectArgument || b.next == expectArgumentComma):
		s.endList()
		b.next = expectComma
	case c == '}' && b.wrapper == wrapperOpen && (b.next == expectKey || b.next == expectComma):
		s.endList()
		b.next, b.wrapper = expectComma, wrapperClosed
	case c == '}' && (b.next == expectKey || b.next == expectComma):
		s.endList()
		b.next, b.complete = expectEnd, !b.list
	case c == ']' && b.list && !b.complete && (b.opening || len(b.starts) > 0) && (b.next == expectCall || b.next == expectEnd):
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
		s.repair(repairTrailingComma, b.comma-s.base, b.comma-s.base+1)
		b.comma = -1
	}
}

// fence reads the line of a fence around the body: the opening one before it or the closing one
// after it (J1).
func (s *scanner) fence(b []byte, atEOF bool) (n int, m match) {
	switch {
	case s.body.next == expectBody:
		return fenceLine(b, atEOF)
	case s.body.next != expectEnd || !s.body.complete || s.body.fence != b[0]:
		return 0, matchNo
	}
	for n < len(b) && b[n] == b[0] {
		n++
	}
	switch {
	case n == len(b) && !atEOF:
		return 0, matchShort
	case n < 3:
		return 0, matchNo
	}
	return n, matchYes
}

// fail gives up on the open request if its JSON is malformed. A string may have ended too early, so
// the rest may be text of a string (J12).
func (s *scanner) fail() (int, *scan.Token, error) {
	s.mode = modeBroken
	return s.emitAs(0, scan.TokenFiller, scan.CodeAmbiguousValue)
}

// scanBroken skips what cannot be read, up to the next end tag or the start of another request.
func (s *scanner) scanBroken(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	i := from
	for {
		n := bytes.IndexByte(src[i:], '<')
		if n < 0 {
			s.examined += len(src) - i
			switch {
			case len(src) > from:
				return s.emitAs(len(src)-from, scan.TokenFiller, "")
			case atEOF:
				return s.endOfInput()
			}
			return s.short(0)
		}
		s.examined += n + 1
		i += n
		t, m := tagAt(src[i:], atEOF)
		if m == matchNo || m == matchYes && t.end && t.kind == tagResponse {
			i++
			continue
		}
		if i > from {
			return s.emitAs(i-from, scan.TokenFiller, "")
		}
		if m == matchYes && !t.end {
			m = s.breaksOff(src, from, t, atEOF)
		}
		switch {
		case m == matchShort:
			return 0, nil, scan.ErrShort
		case m == matchNo:
			return s.emitAs(t.n, scan.TokenFiller, "")
		case !t.end:
			return s.unclosed(src, from)
		case t.kind == tagTools:
			switch s.standsAlone(src, from, from+t.n, false, atEOF) {
			case matchShort:
				return 0, nil, scan.ErrShort
			case matchYes:
				return s.emitEvidence(t.n, scan.EvidenceDefinitionEnd)
			}
			return s.emitAs(t.n, scan.TokenFiller, "")
		}
		s.repairTag(&t, 0)
		return s.endRequest(t.n)
	}
}
