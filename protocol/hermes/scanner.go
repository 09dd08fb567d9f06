package hermes

import "github.com/vcpgo/vcp/protocol/scan"

// scanner implements scan.Scanner. For each mode, a method of its name returns the next token.
// What is read does not depend on the level, which only decides what may run.
type scanner struct {
	o    scan.Options
	mode mode
	// single is set if strings in single quotes may be repaired (J9).
	single bool

	base     int // offset in the stream of the next token
	looked   int // number of its bytes that were examined without a decision
	named    int // number of those bytes that are a name after a tag that may begin a call
	examined int

	tok      scan.Token
	repaired []scan.TokenRepair // memory of Token.Repairs
	instead  []byte             // memory of Token.Instead

	readings  []scan.Reading // memory of Requests
	arguments []scan.Field   // memory of the readings

	bare  int // number of notices about calls outside of tags
	whole wholeReply
	text  textState
	body  bodyState
	key   keyState
	value valueState
}

// allows reports whether a greedy repair is applied.
func (s *scanner) allows(repair int) bool {
	return s.o.Tolerance.Allows(scan.Greedy) && s.o.Disabled&(1<<repair) == 0
}

// newToken begins a token.
func (s *scanner) newToken(kind scan.TokenKind) *scan.Token {
	s.tok = scan.Token{Kind: kind}
	return &s.tok
}

// maxRepairs limits the repairs of a request. Each is listed, so a large damaged request would
// otherwise take many times its size.
const maxRepairs = 1000

// repair records a repair of the current token. start and end are relative to the token's start.
func (s *scanner) repair(repair, start, end int) {
	if s.body.repairs++; s.body.repairs > maxRepairs {
		return
	}
	s.repaired = append(s.repaired, scan.TokenRepair{Repair: repair, Start: start, End: end})
}

// repairTag records the repairs of a tag in the token.
func (s *scanner) repairTag(t *tag, start int) {
	if t.cased {
		s.repair(repairMarkerCase, start, start+t.n)
	}
	if t.spaced {
		s.repair(repairMarkerSpacing, start, start+t.n)
	}
}

// emit returns the token with its recorded repairs.
func (s *scanner) emit(n int) (int, *scan.Token, error) {
	s.base += n
	s.looked, s.named = 0, 0
	if s.body.repairs > maxRepairs && s.tok.Kind != scan.TokenText {
		if s.tok.Code != scan.CodeAmbiguousValue { // the doubt concerns other requests too
			s.tok.Code = scan.CodeLimitExceeded
		}
		s.body.repairs = maxRepairs // the next one is over the limit again
	}
	if len(s.repaired) > 0 {
		s.tok.Repairs = s.repaired
		s.repaired = s.repaired[:0:cap(s.repaired)]
	}
	return n, &s.tok, nil
}

// emitEvidence emits n bytes as evidence.
func (s *scanner) emitEvidence(n int, e scan.Evidence) (int, *scan.Token, error) {
	s.newToken(scan.TokenEvidence).Evidence = e
	return s.emit(n)
}

// emitAs emits n bytes as a token of that kind.
func (s *scanner) emitAs(n int, kind scan.TokenKind, code scan.ErrorCode) (int, *scan.Token, error) {
	s.newToken(kind).Code = code
	return s.emit(n)
}

// short asks for more input. The first looked bytes need not be examined again.
func (s *scanner) short(looked int) (int, *scan.Token, error) {
	s.looked = looked
	return 0, nil, scan.ErrShort
}

// beginBody opens a request. A code says that the request cannot be read.
func (s *scanner) beginBody(code scan.ErrorCode, quoted bool) {
	s.mode = modeBody
	if code != "" {
		s.mode = modeBroken
	}
	s.body = bodyState{start: s.base, starts: s.body.starts[:0], comma: -1, quoted: quoted}
}

// wholeReply checks whether a reply is nothing but calls without tags (T14). The reply is held back
// until that is decided.
type wholeReply struct {
	open  bool     // it is not decided yet
	check *scanner // reads the calls; nil until the first one begins
	at    int      // number of bytes after the start that check has read
}

// maxWhole limits such a reply, in bytes.
const maxWhole = 64 << 10
