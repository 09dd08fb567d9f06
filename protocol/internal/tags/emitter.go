package tags

import "github.com/vcpgo/vcp/protocol/scan"

// Emitter is the part of a scanner that makes tokens. A scanner embeds it.
type Emitter struct {
	Base   int // offset of the next token in the stream
	Looked int // how many bytes of the next token need not be examined again
	Work   int // how many bytes were examined; a byte that is examined twice counts twice
	// Repaired is how many repairs the request needed so far. The scanner sets it to 0 when a
	// request begins.
	Repaired int

	token   scan.Token
	repairs []scan.TokenRepair
}

// The indexes of the repairs of a tag in the list of repairs of each protocol.
const (
	RepairCase = iota
	RepairSpacing
)

// maxRepairs limits the repairs of a request. Each is recorded, so the records of a large damaged
// request would otherwise take many times its size.
const maxRepairs = 1000

// keptRepairs limits the capacity of a buffer of repairs that another reply reuses.
const keptRepairs = 64

// Release returns an emitter for another reply. It reuses the buffer of e unless that is large.
func (e *Emitter) Release() Emitter {
	if cap(e.repairs) > keptRepairs {
		return Emitter{}
	}
	return Emitter{repairs: e.repairs[:0]}
}

// Examined implements scan.Meter.
func (e *Emitter) Examined() int { return e.Work }

// NewToken begins a token.
func (e *Emitter) NewToken(kind scan.TokenKind) *scan.Token {
	e.token = scan.Token{Kind: kind}
	return &e.token
}

// Repair records a repair of the token. repair is its index in the list of repairs of the protocol.
// start and end are relative to the token's start.
func (e *Emitter) Repair(repair, start, end int) {
	if e.Repaired++; e.Repaired <= maxRepairs {
		e.repairs = append(e.repairs, scan.TokenRepair{Repair: repair, Start: start, End: end})
	}
}

// RepairTag records the repairs of the tag t. at is the offset of the tag in the token.
func (e *Emitter) RepairTag(t *Tag, at int) {
	if t.Cased {
		e.Repair(RepairCase, at, at+t.N)
	}
	if t.Spaced {
		e.Repair(RepairSpacing, at, at+t.N)
	}
}

// Emit returns the token, which is n bytes long, with its repairs. Its results are those of
// scan.Scanner.Scan, and so are the results of the methods below.
func (e *Emitter) Emit(n int) (int, *scan.Token, error) {
	e.Base += n
	e.Looked = 0
	if e.Repaired > maxRepairs && e.token.Kind != scan.TokenText {
		if e.token.Code != scan.CodeAmbiguousValue { // that code also affects other requests
			e.token.Code = scan.CodeLimitExceeded
		}
		e.Repaired = maxRepairs // so that the next repair exceeds the limit again
	}
	if len(e.repairs) > 0 {
		e.token.Repairs = e.repairs
		e.repairs = e.repairs[:0]
	}
	return n, &e.token, nil
}

// EmitAs emits n bytes as a token of the given kind.
func (e *Emitter) EmitAs(n int, kind scan.TokenKind, code scan.ErrorCode) (int, *scan.Token, error) {
	e.NewToken(kind).Code = code
	return e.Emit(n)
}

// EmitEvidence emits n bytes as evidence.
func (e *Emitter) EmitEvidence(n int, evidence scan.Evidence) (int, *scan.Token, error) {
	e.NewToken(scan.TokenEvidence).Evidence = evidence
	return e.Emit(n)
}

// Short asks for more input. The first looked bytes need not be examined again.
func (e *Emitter) Short(looked int) (int, *scan.Token, error) {
	e.Looked = looked
	return 0, nil, scan.ErrShort
}

// Wait asks for more input, and leaves Looked as it is.
func (e *Emitter) Wait() (int, *scan.Token, error) { return 0, nil, scan.ErrShort }

// End emits the end of the input if atEOF is set, and otherwise asks for more input.
func (e *Emitter) End(atEOF bool) (int, *scan.Token, error) {
	if !atEOF {
		return e.Wait()
	}
	return e.EmitAs(0, scan.TokenNone, "")
}
