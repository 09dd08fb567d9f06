package hermes

import (
	"sync"

	"github.com/vcpgo/vcp/protocol/scan"
)

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

type mode uint8

const (
	modeText   mode = iota
	modeBody        // between the values of a request
	modeValue       // in a value
	modeBroken      // after what cannot be read: only a tag ends the request
)

// NewScanner returns a scanner for one reply.
func (Protocol) NewScanner(o scan.Options) scan.Scanner {
	if o.MaxKey <= 0 {
		o.MaxKey = scan.MaxKeyBytes
	}
	s := scanners.Get().(*scanner)
	s.o = o
	s.single = s.allows(repairSingleQuotes)
	s.whole.open = s.allows(repairBareCall)
	return s
}

// allows reports whether a greedy repair is applied.
func (s *scanner) allows(repair int) bool {
	return s.o.Tolerance.Allows(scan.Greedy) && s.o.Disabled&(1<<repair) == 0
}

// scanners holds released scanners, to reuse their memory.
var scanners = sync.Pool{New: func() any { return &scanner{} }}

// Limits of the memory that a released scanner keeps.
const (
	keepCalls = 64
	keepDepth = 64 // words of the stack
)

// Release makes the scanner's memory available to other scanners.
func (s *scanner) Release() {
	clear(s.readings)
	clear(s.arguments)
	kept := scanner{
		repaired: s.repaired[:0], readings: s.readings[:0], arguments: s.arguments[:0], instead: s.instead[:0],
		body: bodyState{starts: s.body.starts[:0]}, key: keyState{name: s.key.name[:0]}, value: valueState{stack: s.value.stack[:0]},
	}
	if cap(kept.readings) > keepCalls || cap(kept.body.starts) > keepCalls || cap(kept.repaired) > keepCalls {
		kept.readings, kept.body.starts, kept.repaired = nil, nil, nil
	}
	if cap(kept.arguments) > scan.MaxFields {
		kept.arguments = nil
	}
	if cap(kept.value.stack) > keepDepth {
		kept.value.stack = nil
	}
	*s = kept
	scanners.Put(s)
}

// Examined returns how many bytes were examined so far. Bytes that are examined twice count twice.
// Tests measure the work by it.
func (s *scanner) Examined() int { return s.examined }

// Scan returns the next token.
func (s *scanner) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	if s.whole.open {
		return s.scanWhole(src, from, atEOF)
	}
	return s.scan(src, from, atEOF)
}

func (s *scanner) scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
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

// Extend continues a text without possible tags, or a string.
func (s *scanner) Extend(src []byte, from int) bool {
	b := src[from:]
	switch {
	case s.looked != 0 || len(b) == 0 || s.whole.open:
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
	s.whole = wholeReply{}
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
