package parser

import "github.com/vcpgo/vcp/protocol"

// A definition lies over the text: what stands in it is read as anywhere else, and does not run if the definition has an end (B16). Whether it has
// one is known late.

// barDefined takes note of a definition's end: the requests between it and the definition's mark are quoted (B16), wherever it stands.
func (p *Parser) barDefined() {
	if b := p.block; b != nil && b.defined {
		b.defined, b.barred = false, true
	}
	for i := len(p.requests) - 1; i >= 0 && p.anyDefined; i-- {
		if q := &p.requests[i]; q.defined {
			q.defined, q.barred = false, true
		}
	}
	p.anyDefined = false
	p.unsureNotices = p.unsureNotices[:0]
}

// decideDefined reads what stands behind a definition that is never closed as if its mark were not there: it was mentioned (B16).
func (p *Parser) decideDefined(finish protocol.FinishReason) {
	if !p.line.definition || !finish.Complete() {
		return
	}
	for i := range p.requests {
		if q := &p.requests[i]; q.defined {
			q.defined, q.live = false, !q.barred && p.runsAt(q.place)
		}
	}
	p.line.definition = false
	for _, n := range p.unsureNotices {
		p.notice(n)
	}
}
