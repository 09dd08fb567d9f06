package qwencoder

import "github.com/vcpgo/vcp/protocol/scan"

// NewScanner returns a scanner for one reply.
func (Protocol) NewScanner(o scan.Options) scan.Scanner {
	if o.MaxKey <= 0 {
		o.MaxKey = scan.MaxKeyBytes
	}
	return &scanner{o: o, greedy: o.Tolerance == scan.Greedy && o.Disabled&(1<<repairMissingValueEnd) == 0}
}

// Examined returns how many bytes were examined so far. Bytes that are examined twice count twice.
func (s *scanner) Examined() int { return s.examined }

// Scan returns the next token.
func (s *scanner) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	if len(s.queue) > 0 {
		next := s.queue[0]
		s.queue = s.queue[1:]
		s.tok = next.Token
		return s.emit(next.n)
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

// Abort returns to text.
func (s *scanner) Abort(int) {
	s.mode, s.looked, s.queue = modeText, 0, s.queue[:0]
	s.lead = 0
	s.text = textState{after: true, blank: true}
}
