package parser

import (
	"errors"
	"fmt"

	"github.com/vcpgo/vcp/protocol/scan"
)

// maxIdle is how many tokens without bytes a scanner may return in a row.
const maxIdle = 8

// run reads tokens until more input is needed, and emits events for what is decided. If the
// protocol fails, the rest is text.
func (p *Parser) run() {
	if p.failed == nil && p.panicked == nil {
		p.runTokens()
	}
	if p.failed == nil && p.panicked != nil {
		p.fail(p.panicked)
	}
	if p.failed != nil || p.stopped {
		kind := partText
		if p.failed == nil {
			kind = partDropped
		}
		p.block = nil
		p.w.pos = len(p.w.buf)
		p.draft.add(kind, p.w.at()-p.draft.at())
		return
	}
	if b := p.block; b != nil {
		b.show(p.w.at())
		b.sendDelta(p.w.at())
		if b.oversize && !p.w.fixed {
			b.forget()
		}
		return
	}
	after := nextUnknown
	if p.w.atEOF {
		after = nextEOF
	}
	p.text.read(p.w.at(), after)
}

// runTokens reads tokens until more input is needed or the protocol fails.
func (p *Parser) runTokens() {
	defer p.recoverProtocol()
	for !p.stopped {
		n, tok, err := p.scan()
		if err != nil && !p.w.atEOF && errors.Is(err, scan.ErrShort) {
			return
		}
		if err != nil {
			p.fail(err)
			return
		}
		if tok.Kind == scan.TokenNone {
			if p.block == nil {
				return
			}
			if b := p.block; b.open || !p.leaves(b, p.w.at(), nextEOF) {
				p.endBlock(b.endAtEOF(p.reason), false)
			}
			if p.w.pos == len(p.w.buf) {
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
		return 0, nil, fmt.Errorf("the scanner returned a token of %d bytes where %d are left", n, left)
	case n > 0:
		p.idle = 0
	case p.idle == maxIdle:
		return 0, nil, fmt.Errorf("the scanner returned %d tokens without bytes in a row", p.idle+1)
	case tok.Kind == scan.TokenNone && (!p.w.atEOF || left > 0):
		return 0, nil, errors.New("the scanner returned no token where input is left")
	default:
		p.idle++
	}
	return n, tok, nil
}

// token processes one token of n bytes. It returns false if more input is needed.
func (p *Parser) token(n int, tok *scan.Token) bool {
	start := p.w.at()
	end := start + n
	if b := p.block; b != nil {
		return p.blockToken(b, start, end, tok)
	}
	switch tok.Kind {
	case scan.TokenText:
		p.w.pos += n
		// The text is processed with the next token, or at the end of the input so far.
		return true
	case scan.TokenRequestStart:
		if !p.text.readTo(start, nextRequest) {
			return false
		}
		p.beginBlock(start, end, tok)
		return true
	}
	if !p.text.readMark(start, end, tok) {
		return false
	}
	p.w.pos += n
	if p.draft.dropping && p.o.StopAtResult {
		p.stopped = true
		return true
	}
	p.text.read(end, nextMark)
	return true
}

// rewind goes back to the offset at, to continue from there as text.
func (p *Parser) rewind(at int) {
	p.w.pos -= p.w.at() - at
	p.abort(at)
}

// abort makes the scanner return to text at the offset at. The scanner may have returned a token
// that the parser has not passed.
func (p *Parser) abort(at int) {
	back := p.scanned - at
	p.scanned = at
	p.guarded = true
	p.scanner.Abort(back)
	p.guarded = false
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
