package hermes

import (
	"github.com/vcpgo/vcp/protocol/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

// emitBodyEnd emits the last n bytes of the body. After them the request lacks only its end tag.
func (s *scanner) emitBodyEnd(src []byte, from, n int) (int, *scan.Token, error) {
	s.body.end = s.Base + n
	s.body.quoteEnd = s.quotedAt(src, from, n)
	s.NewToken(scan.TokenFiller).Complete = true
	return s.Emit(n)
}

// endTag reads the tag that may begin at the '<' at src[from:], after a call.
func (s *scanner) endTag(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	t, m := tagAt(src[from:], false)
	if m == scan.MatchShort && atEOF {
		return s.EmitAs(len(src)-from, scan.TokenFiller, "") // the input ends in the tag
	}
	if m == scan.MatchYes && !t.End {
		m = s.breaksOff(src, from, t, atEOF)
	}
	switch {
	case m == scan.MatchShort:
		return s.Wait()
	case m == scan.MatchNo:
		return s.fail()
	case !s.body.complete:
		return s.fail() // the list of calls has no end (J2, T13)
	case !t.End && t.Kind == tags.Response:
		return s.endUnclosed(src, from)
	case !t.End:
		// Another request begins, and the open one lacks only its end tag (T6).
		s.Repair(repairMissingBlockEnd, s.body.end-s.Base, s.body.end-s.Base)
		s.body.quoteNext = s.quoted(src, from)
		s.mode = modeText
		return s.emitEnd(0, scan.OutcomeUnclosed)
	case t.Kind != tags.Call:
		return s.fail()
	}
	s.RepairTag(&t, 0)
	return s.endRequest(src, from, t.N)
}

// emitEnd emits n bytes as the end of the request.
func (s *scanner) emitEnd(n int, o scan.Outcome) (int, *scan.Token, error) {
	s.NewToken(scan.TokenRequestEnd).Outcome = o
	return s.Emit(n)
}

// endRequest emits the end tag, which is n bytes long.
func (s *scanner) endRequest(src []byte, from, n int) (int, *scan.Token, error) {
	quote := s.quoted(src, from)
	s.mode = modeText
	s.text = textState{blank: true, quote: quote}
	return s.emitEnd(n, scan.OutcomeClosed)
}

// breaksOff returns whether an opening tag ends the open request, because a request follows the
// tag, or because the tag opens a result.
func (s *scanner) breaksOff(src []byte, from int, t tags.Tag, atEOF bool) scan.Match {
	switch t.Kind {
	case tags.Call:
		_, m := s.callFollows(src, from, from+t.N, atEOF)
		return m
	case tags.Response:
		if s.mode == modeBody && s.body.complete {
			return s.standsAlone(src, from, from+t.N, true, atEOF)
		}
		return opensWith(src[from+t.N:], "{", false, atEOF)
	}
	return scan.MatchNo
}

// endUnclosed ends the open request, which has no end tag.
func (s *scanner) endUnclosed(src []byte, from int) (int, *scan.Token, error) {
	s.body.quoteNext = s.quoted(src, from)
	tok := s.NewToken(scan.TokenRequestEnd)
	tok.Outcome, tok.Code, tok.Complete = scan.OutcomeUnclosed, scan.CodeUnclosedBlock, true
	return s.Emit(0)
}

// endOfInput emits the last tokens of a request that is open at the end of the message.
func (s *scanner) endOfInput() (int, *scan.Token, error) {
	if b := &s.body; (s.mode != modeBody || !b.complete) && !b.reportedUnclosed {
		b.reportedUnclosed = true
		return s.EmitAs(0, scan.TokenDefect, scan.CodeUnclosedBlock)
	}
	return s.EmitAs(0, scan.TokenNone, "")
}

// fail gives up on the open request, because its JSON is malformed. A string may have ended too
// early, so the rest may be text of a string (J12).
func (s *scanner) fail() (int, *scan.Token, error) {
	s.mode = modeBroken
	return s.EmitAs(0, scan.TokenFiller, scan.CodeAmbiguousValue)
}
