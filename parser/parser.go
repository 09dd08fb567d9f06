// Package parser reads the reply of a model. It drives a protocol's Scanner over a stream that may
// be cut anywhere, keeps track of code, quotations and reasoning, and says which requests may run.
// A whole text is a stream of one piece.
//
// Nothing may run before Close, because the end of a reply can cast doubt on its beginning.
//
// Words that all files use:
//
//   - A mark is text with a meaning in the protocol, such as the start of a request. The scanner
//     finds marks; package scan lists their kinds.
//   - A block is a request as written, from its start mark on. It contains fields, each a key and a
//     value, and filler between them. A block of several requests is a batch.
//   - The place of a block is plain text, fenced code, a quotation or reasoning. A live block is in
//     a place in which requests run, as far as is known so far.
//   - A stray mark is one that belongs to no request, such as a second end. It casts doubt on the
//     requests before it, since one of them may have ended too early. These requests become invalid.
//   - The parts of a reply are stretches that are handled alike: text, reasoning, requests, and
//     what is dropped.
package parser

import (
	"errors"
	"log/slog"
	"sync"
	"unsafe"

	"github.com/vcpgo/vcp/internal/work"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// Parser reads one reply at a time. It is not safe for concurrent use. New makes one; Reset makes
// it ready for the next reply.
type Parser struct {
	o        Options
	proto    protocol.Protocol
	scanner  scan.Scanner
	extender scan.Extender // the scanner, or nil if it is no Extender

	w         window
	draft     draft
	text      textReader
	block     *block // the open one, or nil
	spare     block  // storage for block
	extension extension

	fields   []scan.Field // buffer
	held     heldToken    // a token that needs more input
	scanned  int          // offset up to which the scanner has returned tokens
	idle     int          // tokens without bytes in a row
	reason   protocol.FinishReason
	stopped  bool   // the reading ended at a fabricated result
	saved    *saved // for Resume, if the reply was truncated in a block
	closed   bool
	failed   error
	guarded  bool           // the protocol's code is running
	panicked *ProtocolError // set if that code panicked
}

// heldToken is a token that the scanner returned and the parser has not processed yet.
type heldToken struct {
	n   int
	tok *scan.Token // nil for none
}

// extendKind says what the next piece of the stream may continue.
type extendKind uint8

const (
	extendNone extendKind = iota
	extendText
	extendValue
)

// extension says how the next piece may continue the last one. Most pieces of a stream only
// continue plain text or an argument. If nothing is pending, the parser emits such a piece at once,
// without a token. extension is determined after each piece that was read as tokens.
type extension struct {
	kind extendKind
	// trims is set if white space at the end of a piece may be the value's end.
	trims bool
	// limit is how far the stream may continue like this, as a length of window.buf.
	limit int
	// event is the event for each piece, without its Data.
	event Event
}

// saved is the state of a parser before the end of a reply that was truncated in a block.
type saved struct {
	draft draft
	text  textReader
	start int // start of the block
	// started is set if EventRequestStarted was sent for the block. Values that begin at or before
	// streamedTo were reported. voided is the event that withdraws what was reported of a value
	// that is not whole; nil means that nothing was reported.
	started    bool
	streamedTo int
	voided     *Event

	wholeEnd int // end of the last whole field
	fields   int // number of whole fields
}

// resumable reports whether the reply ended in the block after at least one whole field, and
// records where the last whole field ends.
func (s *saved) resumable(r *Reply) bool {
	if s == nil || len(r.Requests) == 0 {
		return false
	}
	q := &r.Requests[len(r.Requests)-1]
	if q.Span.Start != s.start || q.Status != StatusIncomplete || q.Truncation == nil || q.Truncation.At == s.start {
		return false
	}
	s.wholeEnd, s.fields = q.Truncation.At, len(q.Fields)
	if s.fields > 0 && q.Fields[s.fields-1].Open {
		s.fields--
	}
	return true
}

// New returns a parser for one reply. A wrong option, such as an unknown repair, is an error.
func New(p protocol.Protocol, o Options) (*Parser, error) {
	parser := &Parser{}
	if err := parser.Reset(p, o); err != nil {
		return nil, err
	}
	return parser, nil
}

// Reset makes p ready for another reply, as New does, and reuses its memory. It also accepts the
// zero Parser. Events of the last reply are no longer valid; its Reply stays valid. After an error
// p accepts no input.
func (p *Parser) Reset(proto protocol.Protocol, o Options) error {
	p.clear()
	p.closed = true // and stays so if an option is wrong
	if p.w.buf == nil {
		p.w.buf = make([]byte, 0, firstBuffer)
		p.draft.requests = make([]pending, 0, firstRequests)
		p.fields = make([]scan.Field, 0, firstRequests)
	}
	if err := p.begin(proto, o); err != nil {
		return err
	}
	p.closed = false
	return nil
}

// begin configures a parser that is empty except for its buffers, and calls the protocol. A panic
// of the protocol becomes the error.
func (p *Parser) begin(proto protocol.Protocol, o Options) (err error) {
	if proto == nil {
		return errors.New("parser: the protocol is nil; pass one, such as vcp.Protocol{}")
	}
	if err := o.check(); err != nil {
		return err
	}
	p.o, p.proto = o, proto
	if p.o.Logger == nil {
		p.o.Logger = slog.Default()
	}
	p.o.Limits.setDefaults()
	p.draft.w, p.draft.o, p.draft.proto = &p.w, &p.o, proto
	p.text.w, p.text.d = &p.w, &p.draft
	p.spare.w, p.spare.d, p.spare.t = &p.w, &p.draft, &p.text.textContext
	defer recovered(&err)
	if err := p.draft.repairs.reset(proto.Repairs(), &p.o); err != nil {
		return err
	}
	var infos []string
	if fencer, ok := proto.(protocol.Fencer); ok {
		infos = fencer.FenceInfo()
	}
	p.text.reset(proto.ID(), infos)
	p.scanner = proto.NewScanner(scan.Options{
		Tolerance: o.Tolerance, Disabled: p.draft.repairs.disabled, TakesArgument: o.TakesArgument,
		MaxKey: o.Limits.KeyBytes, BlockBytes: p.o.Limits.BlockBytes,
	})
	p.extender, _ = p.scanner.(scan.Extender)
	return nil
}

// Err returns the error of the protocol, or nil if it did not fail. After a failure all requests of
// the reply are lost. Its text is kept, except for requests over a limit, which a stream does not
// store.
func (p *Parser) Err() error { return p.failed }

// pool contains parsers of whole texts after use, to reuse their allocations.
var pool = sync.Pool{New: func() any { return &Parser{} }}

// clear empties p, but keeps its buffers for the next reply.
func (p *Parser) clear() {
	if p.saved != nil { // Close left the scanner to Resume
		p.releaseScanner()
	}
	buf := p.w.buf[:0]
	if p.w.fixed { // buf is the caller's text
		buf = nil
	}
	clear(p.draft.requests)
	clear(p.fields)
	spare := &p.spare
	clear(spare.fields)
	requests, parts, fields, around := p.draft.requests[:0], p.draft.segments.parts[:0], p.fields[:0], spare.around
	blockFields, repairs, possible := spare.fields[:0], spare.repairs[:0], spare.possible.repairs[:0]
	clear(unsafe.Slice(p, 1)) // like *p = Parser{}, but with vector instructions
	p.w.buf, p.draft.requests, p.draft.segments.parts, p.fields, spare.around = buf, requests, parts, fields, around
	spare.fields, spare.repairs, spare.possible.repairs = blockFields, repairs, possible
}

// Limits of the buffers that a parser in the pool keeps, in elements. Most replies need less.
const (
	keepRequests = 64
	keepParts    = 1024
)

// holdsLittle reports whether p's buffers are small enough for the pool.
func (p *Parser) holdsLittle() bool {
	return cap(p.draft.requests) <= keepRequests && cap(p.draft.segments.parts) <= keepParts &&
		cap(p.spare.fields) <= scan.MaxFields && cap(p.spare.repairs) <= keepParts
}

// releaseScanner tells the scanner that it is no longer used. A panic of the scanner is ignored.
func (p *Parser) releaseScanner() {
	work.Add(p.w.examined)
	if p.failed != nil {
		return
	}
	_ = guard(func() {
		if s, ok := p.scanner.(scan.Meter); ok {
			work.Add(s.Examined())
		}
		if s, ok := p.scanner.(scan.Releaser); ok {
			s.Release()
		}
	})
}
