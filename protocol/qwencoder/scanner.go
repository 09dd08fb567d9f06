package qwencoder

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol/scan"
)

// scanner implements scan.Scanner. For each mode, a method of its name returns the next token.
type scanner struct {
	o      scan.Options
	greedy bool // the repair of P8 is applied
	mode   mode

	// looked is how many bytes of a tag were examined without a decision.
	looked int
	// lead is how much white space after START was examined.
	lead     int
	examined int

	tok      scan.Token
	repaired [4]scan.TokenRepair // memory of Token.Repairs
	queue    []queued            // the rest of the tag of a function
	readings []scan.Reading      // memory of Requests

	text  textState
	body  bodyState
	value valueState
}

// queued is a token that waits to be returned.
type queued struct {
	n int
	scan.Token
}

type mode uint8

const (
	modeText   mode = iota
	modeBody        // between the tags of a request
	modeValue       // in a value
	modeBroken      // after what cannot be read (Q16)
)

// textState describes the text since the last request.
type textState struct {
	since int  // bytes of text since its end
	after bool // there was a request
	blank bool // only white space follows it
}

// bodyState describes the open request.
type bodyState struct {
	bare       bool   // it has no START (Q7)
	white      string // what may come between its tags
	phase      phase
	functions  int
	parameters int  // of the open function
	nameless   bool // parameters precede the first function, so the first call has no name (Q18)
	ended      bool // what the message's end means has been told
	size       int  // bytes since the request's start
}

// phase says how far the open function is.
type phase uint8

const (
	beforeFunction phase = iota
	inFunction
	afterFunction
)

// valueState describes the open value.
type valueState struct {
	size   int  // bytes read of it
	breaks bool // a line break follows its opening tag
	lone   bool // that is "\n"
	marks  bool // it contains a mark
}

// newToken begins a token.
func (s *scanner) newToken(kind scan.TokenKind) *scan.Token {
	s.tok = scan.Token{Kind: kind, Repairs: s.repaired[:0]}
	return &s.tok
}

// repair records a repair of the current token. start and end are relative to the token's start.
func (s *scanner) repair(repair, start, end int) {
	s.tok.Repairs = append(s.tok.Repairs, scan.TokenRepair{Repair: repair, Start: start, End: end})
}

// repairTag records the repairs of a tag at the offset at of the token.
func (s *scanner) repairTag(t *tag, at int) {
	for i, needed := range [...]bool{repairMarkerCase: t.cased, repairMarkerSpacing: t.spaced, repairTagAttributes: t.styled} {
		if needed {
			s.repair(i, at, at+t.n)
		}
	}
}

// emit returns the token.
func (s *scanner) emit(n int) (int, *scan.Token, error) {
	s.looked, s.lead = 0, 0
	s.body.size += n
	if s.mode == modeText {
		s.body.size = 0
	}
	return n, &s.tok, nil
}

// emitAs emits n bytes as a token of that kind.
func (s *scanner) emitAs(n int, kind scan.TokenKind, code scan.ErrorCode) (int, *scan.Token, error) {
	s.newToken(kind).Code = code
	return s.emit(n)
}

// emitEvidence emits n bytes as evidence.
func (s *scanner) emitEvidence(n int, e scan.Evidence) (int, *scan.Token, error) {
	s.newToken(scan.TokenEvidence).Evidence = e
	return s.emit(n)
}

func (s *scanner) short() (int, *scan.Token, error) { return 0, nil, scan.ErrShort }

// tag reads the tag at the start of b. If the end of a tag has not come, only new bytes are
// examined.
func (s *scanner) tag(b []byte, most int) (tag, match) {
	if s.looked > maxWord && len(b) < most && !bytes.ContainsAny(b[s.looked:], notInTag) {
		s.examined += len(b) - s.looked
		s.looked = len(b)
		return tag{}, matchShort
	}
	t, m := tagAt(b, most)
	s.examined += min(len(b), max(t.n, maxWord))
	if s.looked = 0; m == matchShort {
		s.examined += len(b)
		s.looked = len(b)
	}
	return t, m
}

const (
	// maxLead limits the white space between START and a call, in bytes (Q5).
	maxLead = 1024
	// maxGap limits other white space that is waited for, in bytes.
	maxGap = 32
)

func shortUnless(atEOF bool) match {
	if atEOF {
		return matchNo
	}
	return matchShort
}
