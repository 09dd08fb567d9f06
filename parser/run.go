package parser

import (
	"errors"

	"github.com/vcpgo/vcp/protocol/scan"
)

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
			if b := p.block; b.open || !p.endWithPlace(b, p.w.at(), nextEOF) {
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
