package vcp

import "github.com/vcpgo/vcp/protocol"

// earlyEnd remembers a value that a repair has ended without its closer (V7, V11), until a closer comes that could be its own. At the other
// levels that value goes on to there, and what the closer shows there it must not show here: that an earlier request is in doubt.
type earlyEnd struct {
	on     bool
	opener edge // a plain one
}

// begin takes note of a value that has been ended early. Of several the first goes on longest.
func (e *earlyEnd) begin(opener *edge) {
	if !e.on {
		*e = earlyEnd{on: true, opener: *opener}
	}
}

// meet takes note of a closer.
func (e *earlyEnd) meet(closer *edge) {
	e.on = e.on && !e.opener.closes(closer)
}

// followEarly takes note of a token that is handed out.
func (s *scanner) followEarly(tok *protocol.Token) {
	switch tok.Kind {
	case protocol.TokenFieldEnd:
		if len(tok.Repairs) == 0 {
			s.early.meet(&s.closer)
		} else if !s.bare.open { // elsewhere bare fields are text
			s.early.begin(&s.value.opener)
		}
	case protocol.TokenDefect:
		s.early.meet(&s.closer)
	case protocol.TokenEvidence:
		if s.mode == modeText && (tok.Evidence == protocol.EvidenceCloser || tok.Evidence == protocol.EvidenceMatchedCloser) {
			s.early.meet(&s.closer)
		}
	default:
	}
}

// doubt is what is wrong with a block that ends here, apart from what its tokens have told.
func (s *scanner) doubt() protocol.ErrorCode {
	if s.early.on {
		return protocol.CodeAmbiguousValue
	}
	return s.foreign.doubt()
}
