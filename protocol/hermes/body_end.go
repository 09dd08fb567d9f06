package hermes

import (
	"github.com/vcpgo/vcp/protocol/scan"
)

func (s *scanner) emitBodyEnd(n int) (int, *scan.Token, error) {
	s.body.end = s.base + n
	s.newToken(scan.TokenFiller).Complete = true
	return s.emit(n)
}

// endTag reads the tag that may begin at the '<' at src[from:], after a call.
func (s *scanner) endTag(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	t, m := tagAt(src[from:], false)
	if m == matchShort && atEOF {
		return s.emitAs(len(src)-from, scan.TokenFiller, "") // the input ends in it
	}
	if m == matchYes && !t.end {
		m = s.breaksOff(src, from, t, atEOF)
	}
	switch {
	case m == matchShort:
		return 0, nil, scan.ErrShort
	case m == matchNo:
		return s.fail()
	case !s.body.complete:
		return s.fail() // a list without its end (J2, T13)
	case !t.end && t.kind == tagResponse:
		return s.unclosed(src, from)
	case !t.end:
		// Another request begins, and this one is complete (T6).
		s.repair(repairMissingBlockEnd, s.body.end-s.base, s.body.end-s.base)
		s.body.quoteNext = s.quoted(src, from)
		s.mode = modeText
		return s.emitEnd(0, scan.OutcomeUnclosed)
	case t.kind != tagCall:
		return s.fail()
	}
	s.repairTag(&t, 0)
	return s.endRequest(t.n)
}

// emitEnd emits n bytes as the end of the request.
func (s *scanner) emitEnd(n int, o scan.Outcome) (int, *scan.Token, error) {
	s.newToken(scan.TokenRequestEnd).Outcome = o
	return s.emit(n)
}

// endRequest emits the end tag, which is n bytes long.
func (s *scanner) endRequest(n int) (int, *scan.Token, error) {
	s.mode = modeText
	s.text = textState{after: true, blank: true}
	return s.emitEnd(n, scan.OutcomeClosed)
}

// breaksOff reports whether an opening tag ends the open request, because a request follows the
// tag, or because the tag opens a result.
func (s *scanner) breaksOff(src []byte, from int, t tag, atEOF bool) match {
	switch t.kind {
	case tagCall:
		_, m := s.callFollows(src, from, from+t.n, atEOF)
		return m
	case tagResponse:
		if s.mode == modeBody && s.body.complete {
			return s.standsAlone(src, from, from+t.n, true, atEOF)
		}
		return opensWith(src[from+t.n:], "{", false, atEOF)
	}
	return matchNo
}

// unclosed ends the open request, which has no end tag.
func (s *scanner) unclosed(src []byte, from int) (int, *scan.Token, error) {
	s.body.quoteNext = s.quoted(src, from)
	tok := s.newToken(scan.TokenRequestEnd)
	tok.Outcome, tok.Code, tok.Complete = scan.OutcomeUnclosed, scan.CodeUnclosedBlock, true
	return s.emit(0)
}

// endOfInput emits the last tokens of a request that is open at the end of the message.
func (s *scanner) endOfInput() (int, *scan.Token, error) {
	if b := &s.body; (s.mode != modeBody || !b.complete) && !b.unclosed {
		b.unclosed = true
		return s.emitAs(0, scan.TokenDefect, scan.CodeUnclosedBlock)
	}
	return s.emitAs(0, scan.TokenNone, "")
}
