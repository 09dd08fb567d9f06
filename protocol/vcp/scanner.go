package vcp

import "github.com/vcpgo/vcp/protocol/scan"

// scanner implements scan.Scanner. In each mode another method returns the next token: scanText,
// scanBlock or scanValue. In all methods src, from and atEOF are those of Scan, and at is an offset
// in src.
type scanner struct {
	o    scan.Options
	mode mode
	finder

	base   int // offset in the stream of the next token
	looked int // number of bytes after base that were examined without finding anything

	ready     bool                // mark is the next token; it was found together with the token before it
	mark      scan.Token          // the last token found that is a mark
	markN     int                 // length of mark in bytes
	lead      scan.Token          // the token between two marks, reused
	readings  [1]scan.Reading     // buffer for Requests
	names     []string            // buffer for the names that blockReader repairs
	arguments []scan.Field        // buffer for a reading
	head      []byte              // beginning of the filler's last line, as appendHead makes it
	repaired  [8]scan.TokenRepair // buffer for Token.Repairs

	kind  markerKind // the kind of blocks to read; a protocol.Reader also reads results and definitions
	style style      // how the open block's markers are escaped
	// endMissing[st] is set when a block with markers escaped in the style st reached the end of
	// the message without its end. No other such block is begun, because each would be read to the
	// end again.
	endMissing [styleBackslash + 1]bool
	bare       bareState
	text       textState
	ahead      aheadState
	block      blockState
	other      otherBody
	early      earlyEnds
	unmarked   unmarkedBody
	closer     edge // the closer, if mark is the token of one
	value      valueState
	// startEnd is the offset in the stream of the end of the last start marker. earlyAtStart is the
	// value of early at that offset.
	startEnd     int
	earlyAtStart earlyEnds
}

type mode uint8

const (
	modeText mode = iota
	modeBlock
	modeValue
)

// leads are the tokens between marks, by mode.
var leads = [...]scan.TokenKind{modeText: scan.TokenText, modeBlock: scan.TokenFiller, modeValue: scan.TokenValue}

// blockState describes the open block.
type blockState struct {
	// since is the number of bytes of filler since the last mark. No key begins before that mark.
	since int
	// midLine is set if the last filler ended in the middle of a line. scanner.head is the
	// beginning of that line.
	midLine bool
}

// valueState describes the open value.
type valueState struct {
	opener edge
	tail   []byte // buffer for opener.tail
	since  int    // bytes of the value that were returned
	marked bool   // it contains a block marker
}

// aheadState is the progress of the search for the first opener after a start marker. Offsets are
// relative to the marker's start.
type aheadState struct {
	body    int // end of the marker, or of the doubled markers; 0 if there is no search
	looked  int // end of the bytes that were examined
	repairs int // how many of scanner.repaired are the marker's
}

// unmarkedBody is the body of a request without marks around its values: a JSON object, or lines of
// a name and a value (B18, B19). The request begins only after its end marker has been found.
type unmarkedBody struct {
	repair     int // repairJSONBody or repairLineFields
	start, end int // offsets in the stream of the object or the lines; end is 0 if there is no such body
	step       unmarkedStep

	// The search for the end marker.
	startMarker int       // offset in the stream of the start marker, plus one; 0 if there is no search
	looked      int       // number of bytes that were examined, from the start of that marker on
	json        otherBody // the object, as far as it was examined
}

// unmarkedStep says which token of an unmarked body comes next.
type unmarkedStep uint8

const (
	stepField unmarkedStep = iota
	stepValue
	stepEnd
)

// allows reports whether a repair is enabled.
func (s *scanner) allows(repair int) bool {
	return s.o.Tolerance.Allows(repairs[repair].Level) && s.o.Disabled&(1<<repair) == 0
}

// newMark begins a token.
func (s *scanner) newMark(kind scan.TokenKind) *scan.Token {
	s.mark = scan.Token{Kind: kind}
	return &s.mark
}

// newEvidence begins a token that is evidence.
func (s *scanner) newEvidence(e scan.Evidence) *scan.Token {
	s.mark = scan.Token{Kind: scan.TokenEvidence, Evidence: e}
	return &s.mark
}

// newEnd begins a token that ends a request.
func (s *scanner) newEnd(o scan.Outcome) *scan.Token {
	s.mark = scan.Token{Kind: scan.TokenRequestEnd, Outcome: o}
	return &s.mark
}

// emitLead emits n bytes between marks.
func (s *scanner) emitLead(n int, code scan.ErrorCode) (int, *scan.Token, error) {
	s.lead.Kind, s.lead.Code = leads[s.mode], code
	return s.emit(n, &s.lead)
}

// emitMark emits the mark, and sets the mode after it.
func (s *scanner) emitMark(src []byte, from int) (int, *scan.Token, error) {
	switch tok := &s.mark; tok.Kind {
	case scan.TokenRequestStart, scan.TokenFieldEnd:
		s.mode = modeBlock
	case scan.TokenField:
		s.mode = modeValue
		if tok.Name == nil {
			tok.Name = src[from+tok.NameStart : from+tok.NameEnd]
		}
	case scan.TokenRequestEnd:
		if tok.Outcome == scan.OutcomeClosed { // after another outcome the caller aborts
			s.mode = modeText
		}
	}
	return s.emit(s.markN, &s.mark)
}

// emit emits a token.
func (s *scanner) emit(n int, tok *scan.Token) (int, *scan.Token, error) {
	s.base += n
	s.looked = 0
	s.ahead = aheadState{}
	if s.early.any() || tok.Kind == scan.TokenFieldEnd {
		s.followEarly(tok)
	}
	ends := tok.Kind == scan.TokenRequestEnd && tok.Outcome != scan.OutcomeNone
	if ends {
		s.text.endRequest(s.base)
	}
	switch s.mode {
	case modeText:
		s.text.since += n
		if ends {
			s.style = styleNone
			s.text.since, s.text.afterRequest, s.text.openers = 0, true, s.text.openers[:0]
		}
	case modeBlock:
		if tok.Kind == scan.TokenFiller || tok.Kind == scan.TokenEvidence {
			s.block.since += n
		} else {
			s.block = blockState{since: tok.Back} // the next key may begin in what was read as the value
			if tok.Kind == scan.TokenRequestStart {
				s.startEnd, s.earlyAtStart = s.base, s.early
				s.other = otherBody{on: tok.Code == scan.CodeNoFields}
			}
		}
	case modeValue:
		if tok.Kind == scan.TokenField {
			s.value.since, s.value.marked = 0, false
			if s.text.fieldAt == 0 {
				s.text.fieldAt = s.base
			}
		} else {
			s.value.since += n
		}
	}
	return n, tok, nil
}

// followEarly updates s.early for a token that is emitted.
func (s *scanner) followEarly(tok *scan.Token) {
	switch tok.Kind {
	case scan.TokenFieldEnd:
		if len(tok.Repairs) == 0 {
			s.early.close(&s.closer)
		} else if !s.bare.open { // at the other levels bare fields are text
			s.early.add(&s.value.opener)
		}
	case scan.TokenDefect:
		s.early.close(&s.closer)
	case scan.TokenEvidence:
		if s.mode == modeText && (tok.Evidence == scan.EvidenceCloser || tok.Evidence == scan.EvidenceMatchedCloser) {
			s.early.close(&s.closer)
		}
	default:
	}
}

// emitBefore emits what is before the mark at src[at:], with the code. The next call emits the
// mark, which is n bytes long. If nothing is before the mark and code is "", emitBefore emits the
// mark at once.
func (s *scanner) emitBefore(src []byte, from, at, n int, code scan.ErrorCode) (int, *scan.Token, error) {
	s.markN = n
	if at == from && code == "" {
		return s.emitMark(src, from)
	}
	s.ready = true
	return s.emitLead(at-from, code)
}

// short asks for more input. looked is the number of bytes in which nothing was found.
func (s *scanner) short(looked int) (int, *scan.Token, error) {
	s.looked = looked
	return 0, nil, scan.ErrShort
}

// rest emits the remaining input if no mark was found, except what may still become a mark.
func (s *scanner) rest(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	end := len(src)
	if !atEOF {
		end = hold(src, from)
	}
	switch {
	case end > from:
		return s.emitLead(end-from, "")
	case atEOF:
		return 0, s.newMark(scan.TokenNone), nil
	}
	return s.short(0)
}

// until emits the input before src[at:]. Only more input can decide what src[at:] means.
func (s *scanner) until(from, at int) (int, *scan.Token, error) {
	if at > from {
		return s.emitLead(at-from, "")
	}
	return s.short(0)
}

// tokenRepairs appends the repairs in bits to list, all with the range from start to end.
func (s *scanner) tokenRepairs(list []scan.TokenRepair, bits uint64, start, end int) []scan.TokenRepair {
	for i := 0; bits != 0; i, bits = i+1, bits>>1 {
		if bits&1 != 0 {
			list = append(list, scan.TokenRepair{Repair: i, Start: start, End: end})
		}
	}
	return list
}
