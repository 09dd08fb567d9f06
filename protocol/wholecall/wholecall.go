// Package wholecall scans text forms in which a call can be read only when it is complete. The
// scanner holds a call back until its end has arrived, so arguments are not reported while they
// stream. A form only finds the end of a call, and the fields in it.
package wholecall

import (
	"bytes"
	"maps"
	"slices"

	"github.com/vcpgo/vcp/protocol/scan"
)

// Form is a text form whose calls begin with one mark. Several scanners may use it at the same
// time, so its functions must be safe for concurrent use.
type Form struct {
	// Open is the start mark of every call. It is not empty.
	Open string
	// NewEnd returns a function that finds the end of one call.
	NewEnd func() End
	// Fields returns the fields of a whole call, in the order written. They do not overlap, and the
	// bytes between them mean nothing.
	Fields func(call []byte) []Field
	// Requests implements scan.Scanner.Requests.
	Requests func(fields []scan.Field) []scan.Reading
	// Unclosed is the code of a call that is open at the end of the reply. If values may contain
	// marks, as in JSON, it is CodeAmbiguousValue. If they cannot, it may be "": then the opening
	// mark is text, and the rest is read again.
	Unclosed scan.ErrorCode
	// Marks are marks that may cast doubt on requests if they are in text, such as the end mark of
	// a call; scan.Evidence says what each of them shows. A mark counts at any place, also in a
	// longer word, and may contain line breaks. No mark is empty.
	Marks map[string]scan.Evidence
}

// End finds the end of a call. It returns scan.MatchYes if the call ends before next, and
// scan.MatchNo if the mark begins no call.
//
// scan.MatchShort means that the end may follow: End is called again with more of the call, and
// with next as from. The first from is 0, and next is at most len(call). End examines only
// call[from:] and a few bytes before that, so that its work is linear. With scan.MatchNo it
// examines little, and next is how far it examined the call. End does not see the end of the reply,
// so an end must be complete without the byte after it.
type End func(call []byte, from int) (next int, found scan.Match)

// Field is one field of a call. Start and End are the offsets of its value in the call. Its role
// should be FieldReserved if the value has escapes, unless JSON is set.
type Field struct {
	Name       string
	Start, End int
	Role       scan.FieldRole
	JSON       bool           // the value is one JSON value
	Code       scan.ErrorCode // why the field cannot be trusted, or ""
}

// NewScanner returns a scanner for one reply.
func (f *Form) NewScanner(o scan.Options) scan.Scanner {
	marks := append([]string{f.Open}, slices.Collect(maps.Keys(f.Marks))...)
	return &scanner{form: f, marks: marks, maxKey: o.WithDefaults().MaxKey}
}

type scanner struct {
	form     *Form
	marks    []string // all marks, the start mark first
	maxKey   int      // bytes
	queue    []token  // tokens that were read and not yet returned
	end      End      // of the call being read; nil for none
	next     int      // how far end has read
	examined int
}

type token struct {
	n int // bytes
	scan.Token
}

func (s *scanner) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	if len(s.queue) == 0 {
		if err := s.fill(src[from:], atEOF); err != nil {
			return 0, nil, err
		}
	}
	t := &s.queue[0]
	if s.queue = s.queue[1:]; len(s.queue) == 0 {
		s.queue = nil
	}
	return t.n, &t.Token, nil
}

// fill puts the start of b into the queue: text, a mark or a call.
func (s *scanner) fill(b []byte, atEOF bool) error {
	n, mark := s.nextMark(b, atEOF)
	switch {
	case n > 0:
		s.put(n, scan.Token{Kind: scan.TokenText})
	case mark == s.form.Open:
		return s.call(b, atEOF)
	case mark != "":
		s.put(len(mark), scan.Token{Kind: scan.TokenEvidence, Evidence: s.form.Marks[mark]})
	case !atEOF:
		return scan.ErrShort
	default:
		s.put(0, scan.Token{Kind: scan.TokenNone})
	}
	return nil
}

// minSearch is how many bytes are searched for a mark first.
const minSearch = 64

// nextMark returns the first mark in b and its offset n. If several marks begin there, it returns
// the longest. If b has no mark, mark is "", and n is how much of b is surely text.
func (s *scanner) nextMark(b []byte, atEOF bool) (n int, mark string) {
	// A mark that is absent would be searched for in all of b, again before each other mark. So the
	// search begins with few bytes.
	for size := minSearch; mark == "" && n < len(b); size *= 2 {
		n = min(len(b), size)
		for _, m := range s.marks {
			searched := b[:min(len(b), n+len(m))]
			s.examined += len(searched)
			at := bytes.Index(searched, []byte(m))
			if at >= 0 && (at < n || at == n && len(m) > len(mark)) {
				n, mark = at, m
			}
		}
	}
	if mark != "" || atEOF {
		return n, mark
	}
	for _, m := range s.marks {
		for k := min(len(b), len(m)-1); k > len(b)-n; k-- {
			if bytes.HasSuffix(b, []byte(m[:k])) {
				n = len(b) - k // a mark may begin there
			}
		}
	}
	return n, ""
}

// call puts the call at the start of b into the queue. If there is no call, it puts the start mark
// there as text.
func (s *scanner) call(b []byte, atEOF bool) error {
	if s.end == nil {
		s.end, s.next = s.form.NewEnd(), 0
	}
	next, found := s.end(b, s.next)
	s.examined += max(0, next-s.next)
	s.next = next
	switch {
	case found == scan.MatchShort && !atEOF:
		return scan.ErrShort
	case found == scan.MatchYes:
		s.tokenize(b[:next])
	case found == scan.MatchShort && s.form.Unclosed != "":
		s.put(len(s.form.Open), scan.Token{Kind: scan.TokenRequestStart})
		s.put(len(b)-len(s.form.Open), scan.Token{Kind: scan.TokenFiller})
		// A request without an end reaches up to its last defect, so the filler belongs to it.
		s.put(0, scan.Token{Kind: scan.TokenDefect, Code: s.form.Unclosed})
	default:
		s.put(len(s.form.Open), scan.Token{Kind: scan.TokenText})
	}
	s.end = nil
	return nil
}

// put adds a token to the queue.
func (s *scanner) put(n int, t scan.Token) { s.queue = append(s.queue, token{n, t}) }

// tokenize puts the tokens of a call into the queue.
func (s *scanner) tokenize(call []byte) {
	s.examined += len(call)
	at := len(s.form.Open)
	s.put(at, scan.Token{Kind: scan.TokenRequestStart})
	for _, f := range s.form.Fields(call) {
		key := scan.Token{Kind: scan.TokenField, Name: []byte(f.Name), Role: f.Role, JSON: f.JSON, Code: f.Code}
		if i := bytes.Index(call[at:f.Start], key.Name); i >= 0 {
			key.NameStart, key.NameEnd = i, i+len(f.Name)
		}
		s.put(f.Start-at, key)
		s.put(f.End-f.Start, scan.Token{Kind: scan.TokenValue})
		s.put(0, scan.Token{Kind: scan.TokenFieldEnd})
		at = f.End
	}
	s.put(len(call)-at, scan.Token{Kind: scan.TokenRequestEnd})
}

func (s *scanner) Abort(int) { s.queue, s.end = s.queue[:0], nil }

func (s *scanner) Requests(fields []scan.Field) []scan.Reading {
	readings := s.form.Requests(fields)
	for i := range readings {
		for _, a := range readings[i].Arguments {
			if len(a.Name) > s.maxKey {
				readings[i].Fail(scan.CodeLimitExceeded, "")
			}
		}
	}
	return readings
}

// Examined returns how many bytes were examined; bytes that are examined twice count twice.
func (s *scanner) Examined() int { return s.examined }
