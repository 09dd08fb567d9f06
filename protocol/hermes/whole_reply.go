package hermes

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol/scan"
)

// Scan returns the next token.
func (s *scanner) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	if s.whole.open {
		return s.scanWhole(src, from, atEOF)
	}
	return s.scan(src, from, atEOF)
}

// scanWhole returns the next token as long as the reply may be nothing but calls without tags
// (T14). At the end of such a reply it opens the request.
func (s *scanner) scanWhole(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	w := &s.whole
	if w.check == nil {
		i, m := s.firstCall(src, from, atEOF)
		switch {
		case m == scan.MatchNo:
			w.open = false
			return s.scan(src, from, atEOF)
		case i > from: // the white space before the first call is text in any case
			return s.emitText(src, from, i)
		case m == scan.MatchShort:
			return s.Short(0)
		}
		w.check = &scanner{o: s.o}
		w.check.beginBody("", false)
	}
	counted := w.check.Work
	m := w.follow(src, from, atEOF)
	s.Work += w.check.Work - counted
	if m == scan.MatchShort {
		return s.Short(0)
	}
	*w = wholeReply{}
	if m == scan.MatchNo {
		return s.scan(src, from, atEOF)
	}
	s.beginBody("", false)
	s.NewToken(scan.TokenRequestStart)
	s.Repair(repairBareCall, 0, 0)
	return s.Emit(0)
}

// firstCall returns where the first call of a reply begins, or the fence around it.
func (s *scanner) firstCall(src []byte, from int, atEOF bool) (i int, m scan.Match) {
	const byteOrderMark = "\ufeff"
	i = from
	if b := src[from:]; s.Base == 0 && len(b) > 0 && b[0] == byteOrderMark[0] {
		if len(b) < len(byteOrderMark) && !atEOF {
			return i, scan.MatchShort
		}
		i += len(b) - len(bytes.TrimPrefix(b, []byte(byteOrderMark)))
	}
	n := spaces(src[i:])
	s.Work += n + 1
	i += n
	switch {
	case s.Base+i-from >= maxLead:
		return i, scan.MatchNo
	case i == len(src):
		return i, scan.ShortUnless(atEOF)
	case src[i] == '{':
		return i, scan.MatchYes
	case src[i] == '`' || src[i] == '~':
		n, m := fenceLine(src[i:], atEOF)
		if m == scan.MatchYes {
			m = opensWith(src[i+n:], "{", false, atEOF)
		}
		return i, m
	}
	return i, scan.MatchNo
}

// follow reads more of the calls, and returns whether the reply is nothing else.
func (w *wholeReply) follow(src []byte, from int, atEOF bool) scan.Match {
	for {
		if at := from + w.at; w.check.body.next == expectEnd && at < len(src) && src[at] == '<' {
			return scan.MatchNo // a tag, perhaps incomplete: T14 allows none
		}
		n, tok, err := w.check.scan(src, from+w.at, atEOF)
		w.at += n
		switch {
		case w.at > maxWhole:
			return scan.MatchNo
		case err != nil:
			return scan.MatchShort
		case w.check.unclean(tok):
			return scan.MatchNo
		case tok.Kind == scan.TokenNone:
			return scan.MatchYes
		}
	}
}

// unclean reports whether a token shows that the reply is not only clean calls.
func (s *scanner) unclean(tok *scan.Token) bool {
	b := &s.body
	for _, r := range tok.Repairs {
		if r.Repair != repairFencedBody && r.Repair != repairSeveralCalls {
			return true
		}
	}
	switch {
	case tok.Code != "", tok.Kind == scan.TokenRequestEnd, tok.Kind == scan.TokenEvidence,
		tok.Role == scan.FieldComment, b.escaped, b.list:
		return true
	case b.next == expectEnd: // a call has ended; a fence around all calls must be closed at the end (T14)
		return !b.named || !b.arguments || b.identified || tok.Kind == scan.TokenNone && b.fence != 0
	}
	return tok.Kind == scan.TokenNone // the reply ends within a call
}
