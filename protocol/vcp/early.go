package vcp

import "github.com/vcpgo/vcp/protocol/scan"

// earlyEnds are the spellings of the values that a repair has ended without their closers (V7,
// V11), each until a closer comes that could be its own. At the other levels such a value goes on
// to there, and what the closer shows there it must not show here: that an earlier request is in
// doubt.
type earlyEnds uint32

// spelling is the one of an edge of a value that is read as plain.
func spelling(pair int, family family, spaced bool) earlyEnds {
	bit := 4 * pair
	if family == familyExp {
		bit += 2
	}
	if spaced {
		bit++
	}
	return 1 << bit
}

// any reports whether a closer may still be that of a value that has been ended early.
func (e earlyEnds) any() bool { return e != 0 }

// begin takes note of a value that has been ended early.
func (e *earlyEnds) begin(opener *edge) { *e |= spelling(opener.pair, opener.family, opener.spaced) }

// meet takes note of a closer. One with a blank inside closes only what an opener with a blank
// inside has opened.
func (e *earlyEnds) meet(closer *edge) {
	if !closer.plain() {
		return
	}
	*e &^= spelling(closer.pair, closer.family, true)
	if !closer.spaced {
		*e &^= spelling(closer.pair, closer.family, false)
	}
}

// followEarly takes note of a token that is handed out.
func (s *scanner) followEarly(tok *scan.Token) {
	switch tok.Kind {
	case scan.TokenFieldEnd:
		if len(tok.Repairs) == 0 {
			s.early.meet(&s.closer)
		} else if !s.bare.open { // elsewhere bare fields are text
			s.early.begin(&s.value.opener)
		}
	case scan.TokenDefect:
		s.early.meet(&s.closer)
	case scan.TokenEvidence:
		if s.mode == modeText && (tok.Evidence == scan.EvidenceCloser || tok.Evidence == scan.EvidenceMatchedCloser) {
			s.early.meet(&s.closer)
		}
	default:
	}
}

// doubt is what is wrong with a block that ends here, apart from what its tokens have told.
func (s *scanner) doubt() scan.ErrorCode {
	if s.early.any() {
		return scan.CodeAmbiguousValue
	}
	return s.foreign.doubt()
}
