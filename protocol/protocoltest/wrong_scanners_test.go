package protocoltest

import (
	"errors"
	"slices"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// Each of these scanners has a single defect.

// wrapping is the correct protocol with scanners that wrap changes.
type wrapping struct {
	correct
	wrap func(scan.Scanner, scan.Options) scan.Scanner
}

func (w wrapping) NewScanner(o scan.Options) scan.Scanner {
	return w.wrap(w.correct.NewScanner(o), o)
}

// wrapped is a scanner without its optional methods, such as Examined.
type wrapped struct{ scan.Scanner }

// hasty reads the end of a piece as text, although more input could change it.
type hasty struct{ wrapped }

func (h hasty) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	n, tok, err := h.Scanner.Scan(src, from, atEOF)
	if errors.Is(err, scan.ErrShort) && from < len(src) {
		h.Abort(-(len(src) - from)) // the scanner continues after the piece
		return len(src) - from, &scan.Token{Kind: scan.TokenText}, nil
	}
	return n, tok, err
}

// slow returns nothing before the end of the text.
type slow struct{ wrapped }

func (s slow) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	if !atEOF {
		return 0, nil, scan.ErrShort
	}
	return s.Scanner.Scan(src, from, atEOF)
}

// frozen examines all of the remaining input for each token.
type frozen struct {
	scan.Scanner
	examined int
}

func (f *frozen) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	f.examined += len(src) - from
	return f.Scanner.Scan(src, from, atEOF)
}

func (f *frozen) Examined() int { return f.examined }

// shouting adds an exclamation mark to each value that it reads.
type shouting struct{ wrapped }

func (s shouting) Requests(fields []scan.Field) []scan.Reading {
	readings := s.Scanner.Requests(fields)
	for i := range readings {
		arguments := slices.Clone(readings[i].Arguments)
		for k := range arguments {
			arguments[k].Value += "!"
		}
		readings[i].Arguments = arguments
	}
	return readings
}

// careless ignores errors in the fields.
type careless struct{ wrapped }

func (c careless) Requests(fields []scan.Field) []scan.Reading {
	readings := c.Scanner.Requests(fields)
	for i := range readings {
		readings[i].Err = nil
	}
	return readings
}

// fragile fails at the end of the second request.
type fragile struct {
	wrapped
	seen *int // requests that have ended
}

func (f fragile) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	n, tok, err := f.Scanner.Scan(src, from, atEOF)
	if err == nil && tok.Kind == scan.TokenRequestEnd {
		if *f.seen++; *f.seen == 2 {
			return 0, nil, errors.New("a second request")
		}
	}
	return n, tok, err
}

// eager ends a request at the end of the input.
type eager struct {
	wrapped
	betweenFields *bool // a field of the open request has ended, and no other has begun
}

func (e eager) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	n, tok, err := e.Scanner.Scan(src, from, atEOF)
	if err != nil {
		return n, tok, err
	}
	switch tok.Kind {
	case scan.TokenFieldEnd:
		*e.betweenFields = true
	case scan.TokenRequestStart, scan.TokenRequestEnd, scan.TokenField:
		*e.betweenFields = false
	case scan.TokenNone:
		if *e.betweenFields {
			*e.betweenFields = false
			e.Abort(0)
			return 0, &scan.Token{Kind: scan.TokenRequestEnd}, nil
		}
	}
	return n, tok, err
}

// moody refuses every request. The test wraps only scanners of the level strict in it.
type moody struct{ wrapped }

func (m moody) Requests(fields []scan.Field) []scan.Reading {
	readings := m.Scanner.Requests(fields)
	for i := range readings {
		readings[i].Err = &scan.RequestError{Code: scan.CodeBadKey, Message: "not at this level"}
	}
	return readings
}

// scribbling changes its input.
type scribbling struct{ wrapped }

func (s scribbling) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	n, tok, err := s.Scanner.Scan(src, from, atEOF)
	if err == nil && n > 0 {
		src[from] ^= 1
	}
	return n, tok, err
}

// literal says of each argument that it is JSON.
type literal struct{ wrapped }

func (l literal) Requests(fields []scan.Field) []scan.Reading {
	readings := l.Scanner.Requests(fields)
	for i := range readings {
		arguments := slices.Clone(readings[i].Arguments)
		for k := range arguments {
			arguments[k].JSON = true
		}
		readings[i].Arguments = arguments
	}
	return readings
}

// blind reads a kind of evidence as text.
type blind struct {
	wrapped
	evidence scan.Evidence
}

func (b blind) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	n, tok, err := b.Scanner.Scan(src, from, atEOF)
	if err == nil && tok.Kind == scan.TokenEvidence && tok.Evidence == b.evidence {
		tok = &scan.Token{Kind: scan.TokenText}
	}
	return n, tok, err
}

// shared is a protocol with one scanner for all replies.
type shared struct {
	correct
	scanner scan.Scanner
}

func (s shared) NewScanner(scan.Options) scan.Scanner { return wrapped{s.scanner} }

// wrapper is wrapping for a change that does not depend on the options.
func wrapper(wrap func(wrapped) scan.Scanner) protocol.Protocol {
	return wrapping{wrap: func(s scan.Scanner, _ scan.Options) scan.Scanner { return wrap(wrapped{s}) }}
}
