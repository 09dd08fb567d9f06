package qwencoder

import (
	"bytes"
	"strings"

	"github.com/vcpgo/vcp/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

// scanner implements scan.Scanner. For each mode, a method of its name returns the next token.
type scanner struct {
	tags.Emitter
	o      scan.Options
	greedy bool // the repair of P8 is applied
	mode   mode
	queue  []queued // the rest of the tag of a function
	lead   int      // bytes of white space after START that were examined

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
	modeText  mode = iota
	modeBody       // between the tags of a request
	modeValue      // in a value
)

// textState describes the text since the last request.
type textState struct {
	since int  // bytes of text since its end
	blank bool // there was a request, and only white space follows it
}

// pass records text.
func (t *textState) pass(b []byte) {
	t.since += len(b)
	t.blank = t.blank && leading(b, white) == len(b)
}

// bodyState describes the open request.
type bodyState struct {
	start      int    // offset in the stream
	bare       bool   // it has no START (Q7)
	white      string // what may come between its tags
	phase      phase
	functions  int
	parameters int  // of the open function
	nameless   bool // parameters precede the first function, so the first call has no name (Q18)
	ended      bool // the code for a missing end has been returned
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
	size  int  // bytes read of it
	first int  // bytes of the line break after its opening tag
	marks bool // it contains a mark
}

// NewScanner returns a scanner for one reply.
func (Protocol) NewScanner(o scan.Options) scan.Scanner {
	return &scanner{o: o.WithDefaults(), greedy: o.Tolerance == scan.Greedy && o.Disabled&(1<<repairMissingValueEnd) == 0}
}

// Scan returns the next token.
func (s *scanner) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	if len(s.queue) > 0 {
		next := s.queue[0]
		s.queue = s.queue[1:]
		*s.NewToken(0) = next.Token
		return s.Emit(next.n)
	}
	switch s.mode {
	case modeBody:
		return s.scanBody(src, from, atEOF)
	case modeValue:
		return s.scanValue(src, from, atEOF)
	}
	return s.scanText(src, from, atEOF)
}

// Requests reads the fields of one ended request: one reading for each function (Q12).
func (s *scanner) Requests(fields []scan.Field) []scan.Reading {
	readings := []scan.Reading{{}}
	var arguments scan.ArgumentSet
	for i, f := range fields {
		if f.Role == scan.FieldToolName && i > 0 {
			readings, arguments = append(readings, scan.Reading{}), scan.ArgumentSet{}
		}
		r := &readings[len(readings)-1]
		switch {
		case f.Role == scan.FieldToolName:
			r.ToolName = strings.TrimSpace(f.Value)
		case !arguments.Add(f):
			r.Fail(scan.CodeDuplicateKey, english[scan.CodeDuplicateKey])
		}
		r.Arguments = arguments.List
	}
	for i := range readings {
		if r := &readings[i]; r.ToolName == "" {
			r.Fail(scan.CodeMissingToolName, english[scan.CodeMissingToolName])
		}
	}
	scan.ShareError(readings)
	return readings
}

// Abort returns to text.
func (s *scanner) Abort(int) {
	s.mode, s.Looked, s.lead, s.queue = modeText, 0, 0, s.queue[:0]
	s.text = textState{blank: true}
}

// repairTag records the repairs of a tag at the offset at of the token.
func (s *scanner) repairTag(t *tag, at int) {
	s.RepairTag(&t.Tag, at)
	if t.styled {
		s.Repair(repairTagAttributes, at, at+t.N)
	}
}

// tag reads the tag at the start of b. If the end of a tag has not come, only new bytes are
// examined.
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
