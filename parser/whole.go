package parser

import "github.com/vcpgo/vcp/protocol"

// wholeStart is the start mark of a whole request.
var wholeStart = protocol.Token{Kind: protocol.TokenRequestStart}

// wholeRequest deals with a request that the scanner has read at once. Where it stands in plain text and within the limits, all that its
// tokens could bring about is known.
func (p *Parser) wholeRequest(start, end int, tok *protocol.Token) {
	o := &p.o.Limits
	if p.dropping || p.line.place() != placeText || p.line.definition || !p.line.ticksClosed(p, start) ||
		p.blocks >= o.Blocks || len(tok.Fields) > o.Fields || end-start > o.BlockBytes {
		p.spreadRequest(start, end, tok)
		return
	}
	p.beginBlock(start, start+tok.Start, &wholeStart)
	b := p.block
	p.pos = end - p.base
	if !p.whole {
		p.tellWhole(start, tok)
		p.endBlock(end, true)
		return
	}
	raw := p.acc.whole[start:end]
	p.emptyFields()
	for i := range tok.Fields {
		w := &tok.Fields[i]
		p.examined += w.ValueEnd - w.ValueStart
		from, to := w.Rule.Cut(p.bytes(start+w.ValueStart, start+w.ValueEnd))
		p.fields = append(p.fields, protocol.Field{Name: raw[w.Lead:w.NameEnd], Value: raw[w.ValueStart:][from:to]})
	}
	readings := p.readFields()
	if len(readings[0].Repairs) > 0 { // they are told of with the places of their fields
		for _, w := range tok.Fields {
			b.fields = append(b.fields, field{nameStart: start + w.Lead, nameEnd: start + w.NameEnd})
		}
	}
	p.leaveBlock(end, true)
	p.addRequests(b, readings, raw, end)
}

// tellWhole reads and tells of the fields of a whole request.
func (p *Parser) tellWhole(start int, tok *protocol.Token) {
	for i := range tok.Fields {
		w := &tok.Fields[i]
		f := protocol.Token{
			Kind: protocol.TokenWholeField, Rule: w.Rule, NamesTool: w.NamesTool, Quiet: w.Quiet,
			Name: p.bytes(start+w.Lead, start+w.NameEnd), NameStart: w.Lead, NameEnd: w.NameEnd,
		}
		p.beginField(start, start+w.ValueStart, &f)
		p.endField(start+w.ValueEnd, start+w.End, &f)
	}
}

// spreadRequest deals with a whole request as with the tokens that it stands for. Where one of them ends the block, the scanner is called
// back to where it ended.
func (p *Parser) spreadRequest(start, end int, tok *protocol.Token) {
	p.scanned = end
	p.beginBlock(start, start+tok.Start, &wholeStart)
	b := p.block
	at := tok.Start
	for i := range tok.Fields {
		w := &tok.Fields[i]
		p.token(w.End-at, &protocol.Token{
			Kind: protocol.TokenWholeField, Rule: w.Rule, NamesTool: w.NamesTool, Quiet: w.Quiet, Name: p.bytes(start+w.Lead, start+w.NameEnd),
			NameStart: w.Lead - at, NameEnd: w.NameEnd - at, Lead: w.Lead - at, ValueStart: w.ValueStart - at, ValueEnd: w.ValueEnd - at,
		})
		if p.at() != start+w.End {
			p.scanned = 0
			return
		}
		at = w.End
	}
	if tok.End > at {
		p.token(tok.End-at, &protocol.Token{Kind: protocol.TokenFiller})
	}
	if n, last := end-start-tok.End, (&protocol.Token{Kind: protocol.TokenRequestEnd}); p.block == b && p.at() == start+tok.End && !p.token(n, last) {
		p.held = heldToken{n, last}
	}
	p.scanned = 0
}
