package qwencoder

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

// scanner implements scan.Scanner. For each mode, such as modeText, a method, such as scanText,
// returns the next token.
type scanner struct {
	tags.Emitter
	o      scan.Options
	greedy bool // the repair of P8 is applied
	mode   mode
	queue  []queued // tokens for the rest of the tag of a function
	lead   int      // bytes of white space after START that were examined

	// endMissing is set when an unreadable request without START reached the end of the message. No
	// END follows later requests without START either, so no such request begins any more. Reading
	// each of them to the end would take work in proportion to the square of the message's length.
	endMissing bool

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
	modeText  mode = iota // outside of requests
	modeBody              // between the tags of a request
	modeValue             // in a value
)

// textState describes the text since the last request.
type textState struct {
	since int  // bytes of this text so far
	blank bool // there was a request, and only white space follows it
}

// pass records text.
func (t *textState) pass(b []byte) {
	t.since += len(b)
	t.blank = t.blank && leading(b, white) == len(b)
}

// bodyState describes the open request.
type bodyState struct {
	start            int    // offset in the stream
	bare             bool   // it has no START (Q7)
	white            string // what may come between its tags
	phase            phase
	functions        int  // how many have begun
	parameters       int  // how many the open function has so far
	nameless         bool // parameters precede the first function, so the first call has no name (Q18)
	reportedUnclosed bool // the code for a missing end has been returned
}

// phase says how far the open function is read.
type phase uint8

const (
	beforeFunction phase = iota
	inFunction
	afterFunction
	broken // after what cannot be read (Q16)
)

// valueState describes the open value.
type valueState struct {
	size         int  // bytes read of it
	openingBreak int  // bytes of the line break after its opening tag
	marks        bool // it contains a mark
}

// repairTag records the repairs of a tag. at is the offset of the tag in the token.
func (s *scanner) repairTag(t *tag, at int) {
	s.RepairTag(&t.Tag, at)
	if t.styled {
		s.Repair(repairTagAttributes, at, at+t.N)
	}
}

// tag reads the tag at the start of b. most limits its length in bytes. If the end of the tag was
// missing before, only new bytes are examined.
func (s *scanner) tag(b []byte, most int) (tag, scan.Match) {
	t, m := tag{}, scan.MatchShort
	if s.Looked <= maxWord || len(b) >= most || bytes.ContainsAny(b[s.Looked:], notInTag) {
		t, m = tagAt(b, most)
		s.Work += min(len(b), max(t.N, maxWord))
		s.Looked = 0
	}
	if m == scan.MatchShort {
		s.Work += len(b) - s.Looked
		s.Looked = len(b)
	}
	return t, m
}

// Limits of white space, in bytes: between START and a call (Q5), and elsewhere.
const (
	maxLead = 1024
	maxGap  = 32
)
