package hermes

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol"
)

// The keys of a call.
const (
	keyName       = "name"
	keyArguments  = "arguments"
	keyParameters = "parameters"
	keyID         = "id"
	keyType       = "type"
	keyFunction   = "function"
)

// bodyState is what is known of the open request.
type bodyState struct {
	start     int  // offset in the stream of its start tag
	quoted    bool // it stands in a quotation: the marks of one are white space
	next      expect
	comma     int  // offset in the stream of the comma before the next member or call, -1 if none stands there
	list      bool // the calls stand in a list
	complete  bool // all brackets are closed
	arguments bool // the open call has its arguments
	wrapper   wrapper
	fence     byte  // mark of the fence that the body began with, 0 if there is none
	fields    int   // how many fields have been handed out
	starts    []int // how many of them before each call
	unclosed  bool  // a defect for the missing end has been handed out
	quoteNext bool  // the request that breaks this one off stands on a line that begins as a quotation does
	raw       int   // how many raw control characters its strings hold
	repairs   int   // how many repairs it has needed
	end       int   // offset in the stream of where the body ended
}

// wrapper is how far the object around the open call has been read (J19).
type wrapper uint8

const (
	wrapperNone   wrapper = iota
	wrapperBare           // there is none: the call has a name or arguments
	wrapperOpen           // the call is being read
	wrapperClosed         // the call is behind
)

// expect is what may come next in a body. A method of the same name reads it.
type expect uint8

const (
	expectBody     expect = iota // the first bracket, or a fence
	expectCall                   // in a list: an object
	expectKey                    // of a call
	expectComma                  // behind a member of a call
	expectArgument               // a key of the arguments
	expectArgumentComma
	expectEnd // behind a call: the end tag, a further call, the list's end
)

// beginBody opens a request. With a code it is one that cannot be read.
func (s *scanner) beginBody(code protocol.ErrorCode, quoted bool) {
	s.mode = modeBody
	if code != "" {
		s.mode = modeBroken
	}
	s.body = bodyState{start: s.base, starts: s.body.starts[:0], comma: -1, quoted: quoted}
}

// scanBody reads between the values of a request: brackets, commas and the keys of members.
func (s *scanner) scanBody(src []byte, from int, atEOF bool) (int, *protocol.Token, error) {
	b := &s.body
	i := from
	for {
		n := spaces(src[i:])
		s.examined += n + 1
		if i += n; i == len(src) {
			switch {
			case i > from:
				return s.emitAs(i-from, protocol.TokenFiller, "")
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
				return s.emitAs(i-from, protocol.TokenFiller, "")
			}
			return s.member(src, from, atEOF)
		case b.next == expectEnd && c == '<':
			if i > from {
				return s.emitAs(i-from, protocol.TokenFiller, "")
			}
			return s.endTag(src, from, atEOF)
		case c == '`' || c == '~':
			n, m := s.fence(src[i:], atEOF)
			switch {
			case m == matchShort && i > from:
				return s.emitAs(i-from, protocol.TokenFiller, "")
			case m == matchShort:
				return s.short(0)
			case m == matchYes && b.next == expectBody:
				s.repair(repairFencedBody, i-from, i-from+len(bytes.TrimRight(src[i:i+n], "\r\n")))
				b.fence = c
				i += n
				continue
			case m == matchYes:
				b.fence = 0
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
			return s.emitAs(i-from, protocol.TokenFiller, "")
		}
		return s.fail()
	}
}

func (s *scanner) emitBodyEnd(n int) (int, *protocol.Token, error) {
	s.body.end = s.base + n
	s.newToken(protocol.TokenFiller).Complete = true
	return s.emit(n)
}

// bracket takes a bracket or comma, which stands at the offset at of the token, if it may stand;
// false if it may not.
func (s *scanner) bracket(c byte, at int) bool {
	b := &s.body
	opensCall := c == '{' && (b.next == expectBody || b.next == expectCall || b.next == expectEnd && !b.list)
	switch {
	case opensCall:
		if b.next == expectEnd {
			s.repair(repairSeveralCalls, at, at+1)
		}
		b.starts = append(b.starts, b.fields)
		b.next, b.comma, b.arguments, b.complete, b.wrapper = expectKey, -1, false, false, wrapperNone
	case c == '[' && b.next == expectBody:
		s.repair(repairSeveralCalls, at, at+1)
		b.list, b.next = true, expectCall
	case c == ',' && b.next == expectComma:
		b.next, b.comma = expectKey, s.base+at
	case c == ',' && b.next == expectArgumentComma:
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
	case c == ']' && b.list && !b.complete && len(b.starts) > 0 && (b.next == expectCall || b.next == expectEnd):
		s.endList()
		b.next, b.complete = expectEnd, true
	default:
		return false
	}
	return true
}

// endList closes a list of members or calls; a comma before its end is left out (J6).
func (s *scanner) endList() {
	if b := &s.body; b.comma >= 0 {
		s.repair(repairTrailingComma, b.comma-s.base, b.comma-s.base+1)
		b.comma = -1
	}
}

// fence reads the line of a fence around the body: the opening one before it, the closing one
// behind it (J1).
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

// endTag settles what the '<' at src[from:] means behind a call.
func (s *scanner) endTag(src []byte, from int, atEOF bool) (int, *protocol.Token, error) {
	t, m := tagAt(src[from:], false)
	if m == matchShort && atEOF {
		return s.emitAs(len(src)-from, protocol.TokenFiller, "") // it is cut
	}
	if m == matchYes && !t.end {
		m = s.breaksOff(src, from, t, atEOF)
	}
	switch {
	case m == matchShort:
		return 0, nil, protocol.ErrShort
	case m == matchNo:
		return s.fail()
	case !s.body.complete:
		return s.fail() // a list without end (J2, T13)
	case !t.end && t.kind == tagResponse:
		return s.unclosed(src, from)
	case !t.end:
		// Another request begins, and this one is whole (T6).
		s.repair(repairMissingBlockEnd, s.body.end-s.base, s.body.end-s.base)
		s.body.quoteNext = s.quoted(src, from)
		s.mode = modeText
		return s.emitEnd(0, protocol.OutcomeUnclosed)
	case t.kind != tagCall:
		return s.fail()
	}
	s.repairTag(&t, 0)
	return s.endRequest(t.n)
}

// emitEnd hands out n bytes as the end of the request.
func (s *scanner) emitEnd(n int, o protocol.Outcome) (int, *protocol.Token, error) {
	s.newToken(protocol.TokenRequestEnd).Outcome = o
	return s.emit(n)
}

// endRequest hands out the end tag, n bytes long.
func (s *scanner) endRequest(n int) (int, *protocol.Token, error) {
	s.mode = modeText
	s.text = textState{after: true, blank: true}
	return s.emitEnd(n, protocol.OutcomeClosed)
}

// breaksOff tells whether a tag that opens something ends the open request: a request follows it,
// or it is a result's.
func (s *scanner) breaksOff(src []byte, from int, t tag, atEOF bool) match {
	switch t.kind {
	case tagCall:
		_, m := s.callFollows(src, from, from+t.n, atEOF)
		return m
	case tagResponse:
		if s.mode == modeBody && s.body.complete {
			return s.standsAlone(src, from, from+t.n, true, atEOF)
		}
		return opensWith(src[from+t.n:], "{", atEOF)
	}
	return matchNo
}

// unclosed ends the open request, whose end is missing, before what comes next.
func (s *scanner) unclosed(src []byte, from int) (int, *protocol.Token, error) {
	if !s.body.unclosed {
		s.body.unclosed = true
		return s.emitAs(0, protocol.TokenDefect, protocol.CodeUnclosedBlock) // all of it belongs to the request
	}
	s.body.quoteNext = s.quoted(src, from)
	return s.emitEnd(0, protocol.OutcomeUnclosed)
}

// endOfInput is what remains to be said of a request that the message ends in.
func (s *scanner) endOfInput() (int, *protocol.Token, error) {
	if b := &s.body; (s.mode != modeBody || !b.complete) && !b.unclosed {
		b.unclosed = true
		return s.emitAs(0, protocol.TokenDefect, protocol.CodeUnclosedBlock)
	}
	return s.emitAs(0, protocol.TokenNone, "")
}

// fail gives up on the open request where its JSON cannot go on: what was taken for a string's end
// may be none, so it is not known what of the rest is text of a string (J12).
func (s *scanner) fail() (int, *protocol.Token, error) {
	s.mode = modeBroken
	return s.emitAs(0, protocol.TokenDefect, protocol.CodeAmbiguousValue)
}

// scanBroken reads on behind what cannot be read: to the next end tag, or to where another request
// begins.
func (s *scanner) scanBroken(src []byte, from int, atEOF bool) (int, *protocol.Token, error) {
	i := from
	for {
		n := bytes.IndexByte(src[i:], '<')
		if n < 0 {
			s.examined += len(src) - i
			switch {
			case len(src) > from:
				return s.emitAs(len(src)-from, protocol.TokenFiller, "")
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
			return s.emitAs(i-from, protocol.TokenFiller, "")
		}
		if m == matchYes && !t.end {
			m = s.breaksOff(src, from, t, atEOF)
		}
		switch {
		case m == matchShort:
			return 0, nil, protocol.ErrShort
		case m == matchNo:
			return s.emitAs(t.n, protocol.TokenFiller, "")
		case !t.end:
			return s.unclosed(src, from)
		case t.kind == tagTools:
			return s.emitEvidence(t.n, protocol.EvidenceDefinitionEnd)
		}
		s.repairTag(&t, 0)
		return s.endRequest(t.n)
	}
}
