package parser

import (
	"errors"
	"fmt"

	"github.com/vcpgo/vcp/protocol/scan"
)

// maxIdle is how many tokens without bytes a scanner may return in a row, as scan.Scanner says.
const maxIdle = 8

// scan returns the next token. A token that breaks the scanner's contract is an error.
func (p *Parser) scan() (n int, tok *scan.Token, err error) {
	if h := p.held; h.tok != nil {
		p.held = heldToken{}
		return h.n, h.tok, nil
	}
	p.guarded = true
	n, tok, err = p.scanner.Scan(p.w.buf, p.w.pos, p.w.atEOF)
	p.guarded = false
	if err != nil {
		return 0, nil, err
	}
	p.scanned = p.w.at() + n
	left := len(p.w.buf) - p.w.pos
	switch {
	case tok == nil:
		return 0, nil, errors.New("the scanner returned neither a token nor an error")
	case n < 0 || n > left:
		return 0, nil, fmt.Errorf("the scanner returned a token of %d bytes, but only %d are left", n, left)
	case n > 0:
		p.idle = 0
	case p.idle == maxIdle:
		return 0, nil, fmt.Errorf("the scanner returned %d tokens without bytes in a row", p.idle+1)
	case tok.Kind == scan.TokenNone && (!p.w.atEOF || left > 0):
		return 0, nil, errors.New("the scanner returned no token before the end of the reply")
	default:
		p.idle++
	}
	return n, tok, nil
}

// extend asks the scanner whether p.w.buf[at:end] continues its last token. If the scanner panics,
// the next run fails.
func (p *Parser) extend(at, end int) bool {
	defer p.recoverProtocol()
	p.guarded = true
	ok := p.extender.Extend(p.w.buf[:end], at)
	p.guarded = false
	return ok
}

// readFields turns the fields of a block into requests. raw is the block's text.
func (p *Parser) readFields(b *block, raw string) []scan.Reading {
	clear(p.fields) // else the text of earlier requests would stay in memory
	p.fields = b.appendFields(p.fields[:0], raw)
	p.guarded = true
	readings := p.scanner.Requests(p.fields)
	p.guarded = false
	return readings
}

// rewind goes back to an offset, to continue from there as text.
func (p *Parser) rewind(at int) {
	p.w.pos -= p.w.at() - at
	p.abort(at)
}

// abort makes the scanner return to text at an offset. The scanner may have returned a token that
// the parser has not passed.
func (p *Parser) abort(at int) {
	back := p.scanned - at
	p.scanned = at
	p.guarded = true
	p.scanner.Abort(back)
	p.guarded = false
}

// recoverProtocol is deferred in methods that set guarded while they call the protocol. It recovers
// from a panic of the protocol, and from no other.
func (p *Parser) recoverProtocol() {
	if !p.guarded {
		return
	}
	p.guarded = false
	if r := recover(); r != nil {
		p.panicked = &ProtocolError{Panic: r}
	}
}

// fail gives up on the protocol: the rest is text.
func (p *Parser) fail(err error) {
	var known *ProtocolError
	if !errors.As(err, &known) {
		known = &ProtocolError{Err: err}
	}
	p.failed = known
	p.o.Logger.Error("a reply could not be read", "error", p.failed)
	p.draft.emit(Event{Kind: EventError, Err: p.failed})
}
