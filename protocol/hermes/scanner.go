package hermes

import (
	"sync"

	"github.com/vcpgo/vcp/protocol"
)

// scanner implements protocol.Scanner. A mode is what is being read; a method named for it returns
// the next token. What is read does not depend on the level: the level says only what of it may
// run.
type scanner struct {
	o    protocol.ScanOptions
	mode mode
	// single is set if strings in single quotes may be repaired (J9).
	single bool

	base     int // offset in the stream of the byte at which the next token begins
	looked   int // how many bytes of it have been looked at without settling what it is
	named    int // how many of them, behind a tag that may begin a call, have been found to be a name
	examined int

	tok      protocol.Token
	repaired []protocol.TokenRepair // memory of Token.Repairs
	readings []protocol.Reading     // memory of Requests
	instead  []byte                 // memory of Token.Instead

	bare  int // how many calls that stand in no tag have been told of
	text  textState
	body  bodyState
	key   keyState
	value valueState
}

type mode uint8

const (
	modeText   mode = iota
	modeBody        // between the values of a request
	modeValue       // inside of a value
	modeBroken      // behind what cannot be read: only a tag ends the request
)

// NewScanner returns a scanner for one reply.
func (Protocol) NewScanner(o protocol.ScanOptions) protocol.Scanner {
	if o.MaxKey <= 0 {
		o.MaxKey = protocol.MaxKeyBytes
	}
	s := scanners.Get().(*scanner)
	s.o = o
	s.single = o.Tolerance.Allows(protocol.Greedy) && o.Disabled&(1<<repairSingleQuotes) == 0
	return s
}

// scanners holds those that are closed, for their memory.
var scanners = sync.Pool{New: func() any { return &scanner{} }}

// What a scanner may hold on to when it is closed.
const (
	keepCalls = 64
	keepDepth = 64 // words of the stack
)

// Release gives the scanner's memory back.
func (s *scanner) Release() {
	clear(s.readings)
	kept := scanner{
		repaired: s.repaired[:0], readings: s.readings[:0], instead: s.instead[:0],
		body: bodyState{starts: s.body.starts[:0]}, key: keyState{name: s.key.name[:0]}, value: valueState{stack: s.value.stack[:0]},
	}
	if cap(kept.readings) > keepCalls || cap(kept.body.starts) > keepCalls || cap(kept.repaired) > keepCalls {
		kept.readings, kept.body.starts, kept.repaired = nil, nil, nil
	}
	if cap(kept.value.stack) > keepDepth {
		kept.value.stack = nil
	}
	*s = kept
	scanners.Put(s)
}

// Examined returns how many bytes have been looked at so far, those looked at again counted again.
// It is what tests measure the work by.
func (s *scanner) Examined() int { return s.examined }

// Scan returns the next token.
func (s *scanner) Scan(src []byte, from int, atEOF bool) (int, *protocol.Token, error) {
	switch s.mode {
	case modeBody:
		return s.scanBody(src, from, atEOF)
	case modeValue:
		return s.scanValue(src, from, atEOF)
	case modeBroken:
		return s.scanBroken(src, from, atEOF)
	}
	return s.scanText(src, from, atEOF)
}

// Extend takes more of a text in which nothing stands that may be a tag, and more of a string.
func (s *scanner) Extend(src []byte, from int) bool {
	b := src[from:]
	switch {
	case s.looked != 0 || len(b) == 0:
		return false
	case s.mode == modeText:
		if last := b[len(b)-1]; textNeedles.Index(b) >= 0 || last == '"' || last == '<' {
			return false
		}
		s.text.pass(b)
	case s.mode == modeValue:
		if v := &s.value; v.state != stateString || v.quote != '"' || v.decode || textRun(b) < len(b) {
			return false
		}
	default:
		return false
	}
	s.base += len(b)
	s.examined += len(b)
	return true
}

// Abort returns to text.
func (s *scanner) Abort(back int) {
	s.mode, s.looked, s.named = modeText, 0, 0
	s.base -= back
	s.text = textState{after: true, blank: true, quote: back == 0 && s.body.quoteNext}
}

// newToken begins a token.
func (s *scanner) newToken(kind protocol.TokenKind) *protocol.Token {
	s.tok = protocol.Token{Kind: kind}
	return &s.tok
}

// maxRepairs bounds how many repairs a request may need: each is listed, so without a bound a large
// request that is broken all over would cost many times its size.
const maxRepairs = 1000

// repair notes a repair of the token that is being read; start and end are relative to its start.
func (s *scanner) repair(repair, start, end int) {
	if s.body.repairs++; s.body.repairs > maxRepairs {
		return
	}
	s.repaired = append(s.repaired, protocol.TokenRepair{Repair: repair, Start: start, End: end})
}

// repairTag notes what was repaired to read a tag of the token.
func (s *scanner) repairTag(t *tag, start int) {
	if t.cased {
		s.repair(repairMarkerCase, start, start+t.n)
	}
	if t.spaced {
		s.repair(repairMarkerSpacing, start, start+t.n)
	}
}

// emit hands the token out, with the repairs noted for it.
func (s *scanner) emit(n int) (int, *protocol.Token, error) {
	s.base += n
	s.looked, s.named = 0, 0
	if s.body.repairs > maxRepairs && s.tok.Kind != protocol.TokenText {
		if s.tok.Code != protocol.CodeAmbiguousValue { // the doubt reaches further than the request
			s.tok.Code = protocol.CodeLimitExceeded
		}
		s.body.repairs = maxRepairs // the next one is one too many again
	}
	if len(s.repaired) > 0 {
		s.tok.Repairs = s.repaired
		s.repaired = s.repaired[:0:cap(s.repaired)]
	}
	return n, &s.tok, nil
}

// emitEvidence hands out n bytes as evidence.
func (s *scanner) emitEvidence(n int, e protocol.Evidence) (int, *protocol.Token, error) {
	s.newToken(protocol.TokenEvidence).Evidence = e
	return s.emit(n)
}

// emitAs hands out n bytes as a token of that kind.
func (s *scanner) emitAs(n int, kind protocol.TokenKind, code protocol.ErrorCode) (int, *protocol.Token, error) {
	s.newToken(kind).Code = code
	return s.emit(n)
}

// short asks for more input. The first looked bytes need not be looked at again.
func (s *scanner) short(looked int) (int, *protocol.Token, error) {
	s.looked = looked
	return 0, nil, protocol.ErrShort
}

// spaces returns how many bytes of white space b begins with.
func spaces(b []byte) int {
	for i, c := range b {
		if c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return i
		}
	}
	return len(b)
}
