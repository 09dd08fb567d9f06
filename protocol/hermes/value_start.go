package hermes

import "github.com/vcpgo/vcp/protocol/scan"

// openValue begins a value.
func (s *scanner) openValue(first state) {
	s.mode = modeValue
	s.value = valueState{state: first, stack: s.value.stack[:0]}
}

// openText begins the text of a string. at is the offset of its opening quote in the token.
func (s *scanner) openText(tok *scan.Token, quote byte, at int) {
	s.openValue(stateString)
	s.value.inner, s.value.quote = true, quote
	if quote == '\'' {
		s.singleQuote(tok, at)
	}
}

// singleQuote records that a string of the token is in single quotes (J9). at is the offset of the
// opening quote in the token.
func (s *scanner) singleQuote(tok *scan.Token, at int) {
	s.Repair(repairSingleQuotes, at, at+1)
	if !s.singleQuotes {
		tok.Code = worse(tok.Code, scan.CodeAmbiguousValue)
	}
}

// worse returns the more serious of two codes.
func worse(a, b scan.ErrorCode) scan.ErrorCode {
	if b.Before(a) {
		return b
	}
	return a
}
