// Package wholecall is a scanner for text forms whose calls are read whole: a call is text until its end
// is there. Such a form needs to know only where a call ends and what its fields are. Its arguments are
// not told of while they stream.
package wholecall

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol"
)

// Form is a text form whose calls begin with one mark.
type Form struct {
	// Open is the mark that every call begins with. It is not empty.
	Open string
	// NewEnd returns a function that finds the end of one call.
	NewEnd func() End
	// Fields returns the fields of a whole call, in the order written and apart from each other. Between
	// them is what means nothing.
	Fields func(call []byte) []Field
	// Requests is that of protocol.Scanner.
	Requests func(fields []protocol.Field) []protocol.Reading
}

// End finds the end of a call. It is called with what is there of the call, first with from 0, and with
// more of it and the next that it has returned until the state is not More. It looks at call[from:]
// only, and at the few bytes before that, so that its work is linear.
type End func(call []byte, from int) (next int, state State)

// State says what is known of a call.
type State uint8

// The states.
const (
	More  State = iota // the end may follow
	Whole              // the call ends before next
	None               // the mark begins no call
)

// Field is one field of a call. Start and End are where its value stands, as offsets in the call. Its
// role should be FieldReserved if the value has escapes.
type Field struct {
	Name       string
	Start, End int
	Role       protocol.FieldRole
	Form       protocol.Form
	Code       protocol.ErrorCode // why it cannot be trusted, or ""
}

// NewScanner returns a scanner for one reply.
func (f *Form) NewScanner() protocol.Scanner { return &scanner{form: f} }

type scanner struct {
	form     *Form
	queue    []token // what is left of a call
	end      End     // of the call that is being looked for; nil for none
	next     int     // what end has returned
	examined int
}

type token struct {
	n int
	protocol.Token
}

func (s *scanner) Scan(src []byte, from int, atEOF bool) (int, *protocol.Token, error) {
	if len(s.queue) == 0 {
		n, err := s.text(src[from:], atEOF)
		if n > 0 || err != nil {
			return n, &protocol.Token{Kind: protocol.TokenText}, err
		}
		if len(s.queue) == 0 {
			return 0, &protocol.Token{Kind: protocol.TokenNone}, nil
		}
	}
	t := &s.queue[0]
	s.queue = s.queue[1:]
	return t.n, &t.Token, nil
}

// text returns how many bytes of b are text. If a call begins b, it is in the queue.
func (s *scanner) text(b []byte, atEOF bool) (int, error) {
	n := bytes.Index(b, []byte(s.form.Open))
	switch {
	case n == 0:
		return s.call(b, atEOF)
	case n < 0:
		n = len(b)
		for k := min(n, len(s.form.Open)-1); k > 0 && !atEOF; k-- {
			if bytes.HasSuffix(b, []byte(s.form.Open[:k])) {
				n -= k // a call may begin there
				break
			}
		}
	}
	s.examined += n + len(s.form.Open)
	if n == 0 && !atEOF {
		return 0, protocol.ErrShort
	}
	return n, nil
}

// call puts the call that begins b into the queue. If it is none, its mark is text.
func (s *scanner) call(b []byte, atEOF bool) (int, error) {
	if s.end == nil {
		s.end, s.next = s.form.NewEnd(), 0
	}
	next, state := s.end(b, s.next)
	s.examined += next - s.next + len(s.form.Open)
	s.next = next
	switch {
	case state == Whole:
		s.end = nil
		s.cut(b[:next])
		return 0, nil
	case state == More && !atEOF:
		return 0, protocol.ErrShort
	}
	s.end = nil
	return len(s.form.Open), nil
}

// cut puts the tokens of a call into the queue.
func (s *scanner) cut(call []byte) {
	s.examined += len(call)
	at := len(s.form.Open)
	s.queue = append(s.queue[:0], token{at, protocol.Token{Kind: protocol.TokenRequestStart}})
	for _, f := range s.form.Fields(call) {
		key := protocol.Token{Kind: protocol.TokenField, Name: []byte(f.Name), Role: f.Role, Form: f.Form, Code: f.Code}
		if i := bytes.Index(call[at:f.Start], key.Name); i >= 0 {
			key.NameStart, key.NameEnd = i, i+len(f.Name)
		}
		s.queue = append(s.queue, token{f.Start - at, key},
			token{f.End - f.Start, protocol.Token{Kind: protocol.TokenValue}}, token{0, protocol.Token{Kind: protocol.TokenFieldEnd}})
		at = f.End
	}
	s.queue = append(s.queue, token{len(call) - at, protocol.Token{Kind: protocol.TokenRequestEnd}})
}

func (s *scanner) Abort(int) { s.queue, s.end = s.queue[:0], nil }

func (s *scanner) Requests(fields []protocol.Field) []protocol.Reading {
	return s.form.Requests(fields)
}

// Examined returns how many bytes have been looked at, those looked at again counted again.
func (s *scanner) Examined() int { return s.examined }
