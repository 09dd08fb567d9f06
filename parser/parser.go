// Package parser reads the reply of a model: it drives a protocol's Scanner over a stream that may be cut anywhere, keeps track of
// code, quotations and reasoning, and tells which requests may run. Whole text is the stream fed once.
//
// Nothing may run before Close: what stands late in a reply can cast doubt on what stood early.
package parser

import (
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"unsafe"

	"github.com/vcpgo/vcp/internal/work"
	"github.com/vcpgo/vcp/protocol"
)

// keepHistory is how much of the stream is kept behind the next token; compactAt is how much may pile up before it is cut back to
// that, so that moving bytes costs little a byte.
const (
	keepHistory = protocol.History
	compactAt   = 4 << 10

	// firstBuffer is what a stream begins with, so that none of its pieces waits for a larger one unless a request is long.
	firstBuffer = 16 << 10
	// keptBuffer is up to what a stream keeps memory that is hardly used any more: a long block needs it, and is over at some time.
	keptBuffer = 1 << 20

	// firstRequests is how many requests of a reply, and fields of a request, there is room for at first.
	firstRequests = 8
)

// Parser reads one reply at a time, and belongs to one goroutine. New makes one; Reset makes it ready for the next reply.
type Parser struct {
	o        Options
	proto    protocol.Protocol
	repairs  []protocol.Repair
	disabled uint64 // repairs switched off
	scanner  protocol.Scanner
	extender protocol.Extender // the scanner, if it is one

	// buf[0] is the byte of the stream at offset base; buf[:pos] has been read as tokens.
	buf   []byte
	base  int
	pos   int
	whole bool // buf is the caller's whole text: it is neither changed nor grown
	atEOF bool
	mute  bool // no events are wanted
	idle  int  // tokens without bytes in a row

	examined int // how many bytes have been looked at, those looked at again counted again; what the scanner looks at it counts itself

	events   []Event
	calm     calm
	panicked *ProtocolError // the protocol did, while it was asked to extend a token
	line     lineState
	noTag    int // no reasoning tag begins between the account and this offset in the stream
	noFence  int // nor does a fence between the line state and this one
	// noParagraph is up to where paragraphs have been searched for.
	noParagraph int
	block       *block
	around      *surroundings // of the block where it stands in no plain text, else of an earlier one or nil
	spare       block         // memory of block
	acc         account

	requests []pending
	notices  []Notice
	fields   []protocol.Field // memory
	dropping bool             // inside what is dropped
	// unread counts the requests that are past a limit and not reported one by one (B15); unreadSpan is from the first of their blocks to
	// the last.
	unread     int
	unreadSpan Span
	strayAt    int // how many requests a stray closer after them has cast doubt on
	doubtAt    int // the same for one in code, if an end mark follows or the fence, which is the one numbered doubtFence, is never closed
	doubtFence int
	fence      fenceContent
	// endedAt is where the last request ends; unmarked is set where a value of a request may have been written without marks.
	endedAt  int
	unmarked bool
	// anyDefined is set where a request stands behind the mark of a definition that is open; unsureNotices are those of such places.
	anyDefined    bool
	unsureNotices []Notice
	blocks        int
	reason        protocol.FinishReason
	held          heldToken // a token that more input must settle
	failed        error
	closed        bool
	guarded       bool // the protocol's code is running
}

type heldToken struct {
	n   int
	tok *protocol.Token // nil for none
}

// New returns a parser for one reply. An option that names an unknown repair is an error.
func New(p protocol.Protocol, o Options) (*Parser, error) {
	parser := &Parser{}
	if err := parser.Reset(p, o); err != nil {
		return nil, err
	}
	return parser, nil
}

// Reset makes p ready for another reply, as New does, with the memory that it has taken for the last one. The zero Parser is ready for it.
// Events of the last reply are no longer valid; its Reply stays as it is. After an error p takes no input.
func (p *Parser) Reset(proto protocol.Protocol, o Options) error {
	p.clear()
	p.closed = true // where an option is wrong
	if p.buf == nil {
		p.buf = make([]byte, 0, firstBuffer)
		p.requests = make([]pending, 0, firstRequests)
		p.fields = make([]protocol.Field, 0, firstRequests)
	}
	if err := p.begin(proto, o); err != nil {
		return err
	}
	p.closed = false
	return nil
}

// begin sets a parser up that is empty but for memory.
func (p *Parser) begin(proto protocol.Protocol, o Options) error {
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
	return p.meet()
}

// meet asks the protocol for all that is needed of it. A panic of it is the error.
func (p *Parser) meet() (err error) {
	defer recovered(&err)
	p.repairs = p.proto.Repairs()
	p.line.reset(p.proto)
	for _, name := range p.o.Disabled {
		bit, err := p.repairBit(name)
		if err != nil {
			return err
		}
		p.disabled |= bit
	}
	p.scanner = p.proto.NewScanner(protocol.ScanOptions{
		Tolerance: p.o.Tolerance, Disabled: p.disabled, TakesArgument: p.o.TakesArgument, MaxKey: p.o.Limits.KeyBytes,
		BlockBytes: p.o.Limits.BlockBytes,
	})
	p.extender, _ = p.scanner.(protocol.Extender)
	return nil
}

// refused returns those of the repairs in bits that are not applied.
func (p *Parser) refused(bits uint64) uint64 {
	allowed := uint64(0)
	for i := 0; bits != 0 && i < len(p.repairs); i++ {
		if p.o.Tolerance.Allows(p.repairs[i].Level) {
			allowed |= 1 << i
		}
	}
	return bits &^ (allowed &^ p.disabled)
}

// closeScanner tells the scanner that it is done. What it does with that is its own affair, a panic included.
func (p *Parser) closeScanner() {
	work.Add(p.examined)
	if p.failed != nil {
		return
	}
	_ = guard(func() {
		if s, ok := p.scanner.(interface{ Examined() int }); ok {
			work.Add(s.Examined())
		}
		if s, ok := p.scanner.(protocol.Releaser); ok {
			s.Release()
		}
	})
}

func (l *Limits) setDefaults() {
	if l.BlockBytes <= 0 {
		l.BlockBytes = protocol.MaxBlockBytes
	}
	if l.Blocks <= 0 {
		l.Blocks = protocol.MaxBlocks
	}
	if l.Fields <= 0 {
		l.Fields = protocol.MaxFields
	}
}

func (p *Parser) repairBit(name string) (uint64, error) {
	names := make([]string, len(p.repairs))
	for i, r := range p.repairs {
		if r.Name == name {
			return 1 << i, nil
		}
		names[i] = r.Name
	}
	return 0, fmt.Errorf("parser: repair %q is not one of %v", name, names)
}

// ParseToolRequests reads a whole reply, whose finish reason is o.Finish. The error is that of an option, or of a protocol that
// failed: then the reply holds no requests, and its text is the whole text.
func ParseToolRequests(proto protocol.Protocol, text string, o Options) (reply Reply, err error) {
	p := memory.Get().(*Parser)
	p.whole, p.mute, p.atEOF = true, true, true
	if err := p.begin(proto, o); err != nil {
		return Reply{Text: newText(text), Finish: o.Finish}, err
	}
	p.buf = unsafe.Slice(unsafe.StringData(text), len(text))
	p.acc.whole = text
	p.reason = o.Finish
	p.run()
	p.finish(&reply, o.Finish)
	if err = p.failed; err == nil && p.holdsLittle() {
		p.release()
	}
	return reply, err
}

// Feed reads the next piece of the reply, appends the events that it settles to dst and returns it. The piece is not kept.
func (p *Parser) Feed(dst []Event, chunk []byte) []Event {
	if p.closed || p.proto == nil {
		return dst
	}
	if p.calm.kind != calmNone {
		var ok bool
		if dst, ok = p.more(dst, chunk); ok {
			return dst
		}
	}
	p.events = dst
	p.compact()
	p.buf = append(p.buf, chunk...)
	p.run()
	p.becalm()
	dst, p.events = p.events, nil
	return dst
}

// Close ends the reply with the model's finish reason, appends the last events to dst and returns it with all that was read. The
// parser takes no more input until Reset: closed again, it returns a Reply that holds nothing.
func (p *Parser) Close(dst []Event, finish protocol.FinishReason) (events []Event, reply Reply) {
	if p.closed || p.proto == nil {
		return dst, Reply{Finish: finish}
	}
	p.events = dst
	p.compact()
	p.atEOF = true
	p.reason = finish
	p.run()
	p.finish(&reply, finish)
	events, p.events = p.events, nil
	return events, reply
}

// Err returns the error of a protocol that failed, nil where none did. All requests of such a reply are lost, and none of its text but what a
// stream has let go of: that of requests past a limit.
func (p *Parser) Err() error { return p.failed }

// Events reads the pieces of a reply and yields what they settle, and an EventReply at last, whose requests may run. The finish reason is
// o.Finish. Data and Name of an event are valid until the next item. The first error, of the pieces or of an option, is the last item: then
// there is no reply. Where the protocol failed, its error comes beside the reply, which holds no requests.
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

// run reads tokens until more input is needed. Where the protocol fails, what is left is text.
func (p *Parser) run() {
	if p.panicked != nil && p.failed == nil {
		p.fail(p.panicked)
	}
	if p.failed == nil {
		p.runTokens()
	}
	if p.failed != nil {
		p.block = nil
		p.pos = len(p.buf)
		p.addAs(partText, p.at()-p.acc.end)
		return
	}
	p.flush()
}

// runTokens reads tokens until more input is needed or the protocol fails. A panic of the protocol is recovered; any other goes on.
func (p *Parser) runTokens() {
	defer func() {
		if !p.guarded {
			return
		}
		if r := recover(); r != nil {
			p.guarded = false
			p.fail(&ProtocolError{Panic: r})
		}
	}()
	for {
		known := p.held.tok != nil
		n, tok, err := p.scan()
		if err != nil && !p.atEOF && errors.Is(err, protocol.ErrShort) {
			return
		}
		if err == nil && !known {
			err = p.check(n, tok)
		}
		if err != nil {
			p.fail(err)
			return
		}
		if tok.Kind == protocol.TokenNone {
			if p.block == nil || !p.endAtEOF() {
				return
			}
			continue
		}
		if !p.token(n, tok) {
			p.held = heldToken{n, tok}
			return
		}
	}
}

// scan returns the next token.
func (p *Parser) scan() (n int, tok *protocol.Token, err error) {
	if h := p.held; h.tok != nil {
		p.held = heldToken{}
		return h.n, h.tok, nil
	}
	p.guarded = true
	n, tok, err = p.scanner.Scan(p.buf, p.pos, p.atEOF)
	p.guarded = false
	return n, tok, err
}

// check refuses an answer of a scanner that breaks its contract.
func (p *Parser) check(n int, tok *protocol.Token) error {
	if tok == nil {
		return errors.New("the scanner returned neither a token nor an error")
	}
	if n < 0 || n > len(p.buf)-p.pos {
		return fmt.Errorf("the scanner returned a token of %d bytes where %d are left", n, len(p.buf)-p.pos)
	}
	if n > 0 {
		p.idle = 0
		return nil
	}
	if p.idle++; p.idle > 8 {
		return fmt.Errorf("the scanner returned %d tokens without bytes in a row", p.idle)
	}
	if tok.Kind == protocol.TokenNone && (!p.atEOF || p.pos < len(p.buf)) {
		return errors.New("the scanner returned no token where input is left")
	}
	return nil
}

func (p *Parser) emit(e Event) {
	if !p.mute {
		p.events = append(p.events, e)
	}
}

// bytes returns the stream's bytes from start to end, offsets in the stream.
func (p *Parser) bytes(start, end int) []byte { return p.buf[start-p.base : end-p.base] }

// at is the offset in the stream of the next token.
func (p *Parser) at() int { return p.base + p.pos }
