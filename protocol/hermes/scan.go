package hermes

import (
	"slices"
	"sync"

	"github.com/vcpgo/vcp/protocol/scan"
)

// NewScanner returns a scanner for one reply.
func (Protocol) NewScanner(o scan.Options) scan.Scanner {
	s := scanners.Get().(*scanner)
	s.o = o.WithDefaults()
	s.singleQuotes = s.allows(repairSingleQuotes)
	s.whole.open = s.allows(repairBareCall)
	return s
}

// scanners contains released scanners, to reuse their memory.
var scanners = sync.Pool{New: func() any { return &scanner{} }}

// Limits of the buffers that a released scanner keeps.
const (
	keepCalls      = 64 // calls of a request
	keepStackWords = 64 // words of valueState.stack
)

// Release makes the scanner's memory available to other scanners.
func (s *scanner) Release() {
	clear(s.readings)
	clear(s.arguments)
	kept := scanner{
		Emitter: s.Emitter.Release(), readings: s.readings[:0], arguments: s.arguments[:0], instead: s.instead[:0],
		body: bodyState{starts: s.body.starts[:0]}, key: keyState{name: s.key.name[:0]},
		value: valueState{stack: s.value.stack[:0]},
	}
	if cap(kept.readings) > keepCalls || cap(kept.body.starts) > keepCalls {
		kept.readings, kept.body.starts = nil, nil
	}
	if cap(kept.arguments) > scan.MaxFields {
		kept.arguments = nil
	}
	if cap(kept.value.stack) > keepStackWords {
		kept.value.stack = nil
	}
	*s = kept
	scanners.Put(s)
}

// scan returns the next token in the current mode. Scan calls scanWhole instead while the reply may
// be nothing but calls without tags.
func (s *scanner) scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	if s.Looked == 0 {
		s.nameLen, s.leadBreak = 0, false
	}
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
	case s.Looked != 0 || len(b) == 0 || s.whole.open:
		return false
	case s.mode == modeText:
		// A pair of textNeedles may begin with the last byte.
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
	s.Base += len(b)
	s.Work += len(b)
	return true
}

// Abort returns to text. Calls that begin after the request's end are not part of it (J2).
func (s *scanner) Abort(back int) {
	s.mode, s.Looked, s.nameLen, s.leadBreak = modeText, 0, 0, false
	s.Base -= back
	s.body.starts = slices.DeleteFunc(s.body.starts, func(c callBracket) bool { return c.at >= s.Base })
	s.text = textState{blank: true, quote: back == 0 && s.body.quoteNext || back > 0 && s.body.quoteEnd}
	s.whole = wholeReply{}
}
