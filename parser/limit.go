package parser

import "github.com/vcpgo/vcp/protocol"

// A block past a limit is read on by the same grammar without being stored (B15).

// checkSize tells whether the block passes the limit of its size with a token of it. Filler is none of it until more of it follows.
func (p *Parser) checkSize(start, end int, tok *protocol.Token) {
	b := p.block
	limit := b.start + p.o.Limits.BlockBytes
	if end <= limit {
		return
	}
	if b.open && !b.oversize {
		if tok.Kind != protocol.TokenValue && tok.Evidence != protocol.EvidenceDefinitionEnd || tok.Replaced {
			limit = min(limit, start-tok.Back)
		}
		p.sendDelta(limit)
		p.void()
	}
	p.exceed()
}

// exceed makes the block one that is read on without being stored (B15). The fields that it has are kept.
func (p *Parser) exceed() {
	b := p.block
	b.fail(protocol.CodeLimitExceeded)
	if b.oversize {
		return
	}
	for i := range b.fields {
		f := &b.fields[i]
		if f.end == 0 {
			b.fields = b.fields[:i]
			break
		}
		f.name = string(p.nameOf(f))
		f.value = p.valueOf(f)
	}
	b.oversize = true
}

// mend takes note of what was mended to read a token. Past a limit nothing is stored (B15).
func (b *block) mend(start int, tok *protocol.Token) {
	if !b.oversize {
		b.repairs = appendRepairs(b.repairs, start, tok.Repairs)
	}
}

// forgetBlock accounts for what is sure to be part of an open block that is past a limit, so that it need not be held (B15). A block that may
// turn out to be text, or to stand in a code span, is held.
func (p *Parser) forgetBlock() {
	b := p.block
	to := p.sure(p.at())
	past := to > b.start+p.o.Limits.BlockBytes // then its value ends past the limit, too
	if b.unsure || !b.keyed || b.place == placeText && b.ticks.any() && !past {
		return
	}
	switch {
	case p.dropping:
		p.addAs(partDropped, to-p.acc.end)
	case b.place != placeReasoning && b.live: // else it is shown
		p.acc.takeOut(b.start)
		p.addAs(partRequest, to-p.acc.end)
	}
}

// sure returns up to where what stands before the offset at belongs to the open block for sure.
func (p *Parser) sure(at int) int {
	b := p.block
	switch {
	case !b.open:
		return b.last // what follows may be read afresh
	case b.trims && p.o.Tolerance == protocol.Greedy:
		return max(b.last, at-protocol.History) // the value may have ended before
	case b.mayCloseAtEnd():
		return min(at, b.possible.start)
	}
	return at
}
