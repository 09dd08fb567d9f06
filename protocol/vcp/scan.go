package vcp

import (
	"sync"
	"unsafe"

	"github.com/vcpgo/vcp/protocol/scan"
)

// NewScanner returns a scanner for one reply.
func (Protocol) NewScanner(o scan.Options) scan.Scanner {
	s := scanners.Get().(*scanner)
	s.o = o.WithDefaults()
	s.needles = plainNeedles
	if o.Tolerance == scan.Greedy {
		s.needles = greedyNeedles
	}
	return s
}

// scanners contains released scanners, to reuse their memory.
var scanners = sync.Pool{New: func() any { return &scanner{} }}

// Release makes the scanner's memory available to other scanners.
func (s *scanner) Release() {
	clear(s.names[:cap(s.names)])
	clear(s.text.openers[:cap(s.text.openers)])
	clear(s.arguments[:cap(s.arguments)])
	tail, openers, names, head := s.value.tail[:0], s.text.openers[:0], s.names[:0], s.head[:0]
	arguments := s.arguments[:0]
	if cap(arguments) > scan.MaxFields {
		arguments = nil
	}
	clear(unsafe.Slice(s, 1)) // as *s = scanner{}, but faster
	s.value.tail, s.text.openers, s.names, s.head, s.arguments = tail, openers, names, head, arguments
	scanners.Put(s)
}

// Examined returns how many bytes were examined so far. Bytes that are examined twice count twice.
// Tests measure the work by it.
func (s *scanner) Examined() int { return s.examined }

// Scan returns the next token.
func (s *scanner) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	if s.ready {
		s.ready = false
		return s.emitMark(src, from)
	}
	switch s.mode {
	case modeBlock:
		switch {
		case s.bare.open:
			return s.scanBare(src, from, atEOF)
		case s.unmarked.end > 0:
			return s.scanUnmarked()
		}
		return s.scanBlock(src, from, atEOF)
	case modeValue:
		return s.scanValue(src, from, atEOF)
	}
	return s.scanText(src, from, atEOF)
}

// Extend accepts bytes without an anchor, if nothing at their end must be held back.
func (s *scanner) Extend(src []byte, from int) bool {
	b := src[from:]
	last := b[len(b)-1]
	if s.ready || s.looked != 0 || s.halfPair(last) || s.needles.Index(b) >= 0 {
		return false
	}
	if !endsPlainly[last] && mayHold(b) && hold(src, from) < len(src) {
		return false
	}
	switch s.mode {
	case modeText:
		if s.o.Tolerance == scan.Greedy && s.mayBeginBare(src, from) {
			return false
		}
		s.text.since += len(b)
	case modeValue:
		s.value.since += len(b)
	default:
		return false
	}
	s.base += len(b)
	s.examined += len(b)
	return true
}

// Abort returns to text.
func (s *scanner) Abort(back int) {
	s.mode, s.ready, s.looked = modeText, false, 0
	s.unmarked = unmarkedBody{}
	s.base -= back
	s.text.endRequest(s.base)
	s.bare.abort(s.base, s.startEnd)
	if s.base == s.startEnd {
		s.early = s.earlyAtStart // what follows the start marker is read again
	}
	s.style = styleNone
	s.text.since, s.text.afterRequest = 0, true
}
