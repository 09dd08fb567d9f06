// Package parser reads the reply of a model. It drives a protocol's Scanner over a stream that may
// be cut anywhere, keeps track of code, quotations and reasoning, and says which requests may run.
// Whole text is the stream fed once.
//
// Nothing may run before Close, because the end of a reply can cast doubt on its beginning.
package parser

import (
	"errors"
	"iter"
	"log/slog"
	"sync"
	"unsafe"

	"github.com/vcpgo/vcp/internal/work"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// Parser reads one reply at a time, and belongs to one goroutine. New makes one; Reset makes it
// ready for the next reply.
type Parser struct {
	o        Options
	proto    protocol.Protocol
	scanner  scan.Scanner
	extender scan.Extender // the scanner, if it is one

	w         window
	draft     draft
	text      textReader
	block     *block // the open one, or nil
	spare     block  // memory of block
	extension extension

	fields   []scan.Field // memory
	held     heldToken    // a token that needs more input
	scanned  int          // offset up to which the scanner has returned tokens
	idle     int          // tokens without bytes in a row
	reason   protocol.FinishReason
	stopped  bool   // the reading ended at a fabricated result
	end      *saved // for Resume, if the reply was truncated in a block
	closed   bool
	failed   error
	guarded  bool           // the protocol's code runs
	panicked *ProtocolError // set if it panicked
}

// heldToken is a token that the scanner returned and the parser has not processed yet.
type heldToken struct {
	n   int
	tok *scan.Token // nil for none
}

// New returns a parser for one reply. An option that names an unknown repair is an error.
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
	p.closed = true // if an option is wrong
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

// begin configures a parser that is empty except for its memory, and calls the protocol. A panic of
// the protocol becomes the error.
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
		Tolerance: o.Tolerance, Disabled: p.draft.repairs.disabled, TakesArgument: o.TakesArgument, MaxKey: o.Limits.KeyBytes,
		BlockBytes: p.o.Limits.BlockBytes,
	})
	p.extender, _ = p.scanner.(scan.Extender)
	return nil
}

// ParseToolRequests reads a whole reply, whose finish reason is o.Finish. It fails if an option is
// invalid or the protocol failed. After a failure of the protocol the reply has no requests, and
// its text is the whole text.
func ParseToolRequests(proto protocol.Protocol, text string, o Options) (reply Reply, err error) {
	p := memory.Get().(*Parser)
	p.w.fixed, p.draft.mute = true, true
	if err := p.begin(proto, o); err != nil {
		return Reply{Text: newText(text), Finish: o.Finish}, err
	}
	p.w.buf = unsafe.Slice(unsafe.StringData(text), len(text))
	p.draft.segments.whole = text
	p.finish(&reply, o.Finish)
	p.releaseScanner()
	if err = p.failed; err == nil && p.holdsLittle() {
		p.clear()
		memory.Put(p)
	}
	return reply, err
}

// Feed reads the next piece of the reply, appends its events to dst and returns the extended slice.
// It does not keep the piece.
func (p *Parser) Feed(dst []Event, chunk []byte) []Event {
	if p.closed || p.proto == nil {
		return dst
	}
	if p.extension.kind != extendNone {
		var ok bool
		if dst, ok = p.more(dst, chunk); ok {
			return dst
		}
	}
	p.draft.events = dst
	p.compact()
	p.w.buf = append(p.w.buf, chunk...)
	p.run()
	p.prepareExtension()
	dst, p.draft.events = p.draft.events, nil
	return dst
}

// Close ends the reply with the model's finish reason, appends the last events to dst, and returns
// them and the reply. The parser accepts no more input until Reset or Resume. If it is closed
// again, the Reply is empty.
func (p *Parser) Close(dst []Event, finish protocol.FinishReason) (events []Event, reply Reply) {
	if p.closed || p.proto == nil {
		return dst, Reply{Finish: finish}
	}
	p.draft.events = dst
	p.compact()
	p.end = p.save(finish)
	p.finish(&reply, finish)
	if !p.end.truncated(&reply) {
		p.end = nil
		p.releaseScanner()
	}
	events, p.draft.events = p.draft.events, nil
	return events, reply
}

// finish reads the rest and fills in the reply, which is empty.
func (p *Parser) finish(reply *Reply, finish protocol.FinishReason) {
	p.w.atEOF = true
	p.reason = finish
	p.run()
	p.closed = true
	d := &p.draft
	switch {
	case p.w.fixed:
	case p.w.base == 0 && len(p.w.buf) <= firstBuffer: // nothing was forgotten: one copy costs less than one of each part
		d.segments.whole = string(p.w.buf)
	default:
		d.segments.keep(p.w.buf, p.w.base)
	}
	reply.Finish, reply.Notices = finish, d.notices
	if p.failed != nil {
		reply.Text = d.segments.pieces(allKinds, "", d.rawOf)
		return
	}
	if len(d.requests) > 0 && !p.stopped {
		p.text.follow(d.at(), d.at(), nextEOF)
	}
	d.settle(reply, &ending{
		finish: finish, definition: p.text.line.definition, fenced: p.text.line.fence.Run > 0, fence: p.text.fence,
		foreign: p.text.foreign,
	})
	d.write(reply)
	d.remarkBareCall(reply)
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

// Err returns the error of a protocol that failed; nil if none did. All requests of such a reply
// are lost. Its text is kept, except for requests over a limit, which a stream does not store.
func (p *Parser) Err() error { return p.failed }

// Events reads the pieces of a reply and yields their events, and at the end an EventReply, whose
// requests may run. The finish reason is o.Finish. Data and Name of an event are valid until the
// next item. The first error, of the pieces or of an option, is the last item; then there is no
// reply. If the protocol failed, its error comes with the reply, which has no requests.
func Events(proto protocol.Protocol, chunks iter.Seq2[[]byte, error], o Options) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		p, err := New(proto, o)
		if err != nil {
			yield(Event{}, err)
			return
		}
		var events []Event
		for chunk, err := range chunks {
			if err != nil {
				yield(Event{}, err)
				return
			}
			events = p.Feed(events[:0], chunk)
			for _, e := range events {
				if !yield(e, nil) {
					return
				}
			}
		}
		events, reply := p.Close(events[:0], o.Finish)
		for _, e := range events {
			if !yield(e, nil) {
				return
			}
		}
		yield(Event{Kind: EventReply, Reply: &reply}, p.Err())
	}
}

// compact forgets what is no longer needed of the stream.
func (p *Parser) compact() {
	keep, worth := p.w.needed()
	if !worth {
		return
	}
	keep = min(keep, p.draft.at())
	if b := p.block; b == nil && p.failed == nil && !p.stopped {
		t := &p.text
		t.follow(p.draft.at(), p.draft.at(), nextUnknown)
		t.countTicks(t.line.at)
		keep = min(keep, t.line.at, t.line.ticksAt)
	} else if b != nil && !b.oversize {
		keep = min(keep, b.start)
	}
	if n := keep - p.w.base; n >= compactAt {
		p.draft.segments.keep(p.w.buf[:n], p.w.base)
		p.w.forget(n)
	}
}

// memory holds parsers of whole texts after use, to reuse their allocations.
var memory = sync.Pool{New: func() any { return &Parser{} }}

// clear empties p except for its memory.
func (p *Parser) clear() {
	if p.end != nil {
		p.releaseScanner()
	}
	buf := p.w.buf[:0]
	if p.w.fixed { // it is the caller's
		buf = nil
	}
	clear(p.draft.requests)
	clear(p.fields)
	spare := &p.spare
	clear(spare.fields)
	requests, parts, fields, around := p.draft.requests[:0], p.draft.segments.parts[:0], p.fields[:0], spare.around
	blockFields, repairs, possible := spare.fields[:0], spare.repairs[:0], spare.possible.repairs[:0]
	clear(unsafe.Slice(p, 1)) // as *p = Parser{}, but by the vector unit
	p.w.buf, p.draft.requests, p.draft.segments.parts, p.fields, spare.around = buf, requests, parts, fields, around
	spare.fields, spare.repairs, spare.possible.repairs = blockFields, repairs, possible
}

// Limits of the memory that a parser keeps after use. Most replies need less.
const (
	keepRequests = 64
	keepParts    = 1024
)

// holdsLittle reports whether the memory of p is worth keeping.
func (p *Parser) holdsLittle() bool {
	return cap(p.draft.requests) <= keepRequests && cap(p.draft.segments.parts) <= keepParts &&
		cap(p.spare.fields) <= scan.MaxFields && cap(p.spare.repairs) <= keepParts
}
