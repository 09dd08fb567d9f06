package parser

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol"
)

// delta follows the open value and knows which part of its text is final.
type delta struct {
	at   int // offset in the stream up to which the value has been looked at
	sent int // how many bytes of the value's text have been told
	// looked is up to where white space at the end has been looked for, held up to where, in state deltaHeld, a line break inside.
	looked, held int
	void         bool
	state        deltaState
}

type deltaState uint8

const (
	deltaStart deltaState = iota // nothing but white space so far
	deltaHeld                    // white space came first: whether it stays is known at the first line break inside
	deltaBody                    // the text has begun with no white space before it
	deltaLines                   // a line break stands inside: the white space before it stays
)

// skip passes over bytes that are no part of the value.
func (d *delta) skip(end int) { d.at = end }

// tellsValue reports whether the open value is told of while it is read.
func (p *Parser) tellsValue() bool {
	b := p.block
	if p.mute || b == nil || !b.open || b.oversize || b.quiet || b.delta.void || len(b.fields) == 0 {
		return false
	}
	f := &b.fields[len(b.fields)-1]
	return f.role == protocol.FieldArgument && !f.quiet &&
		(f.rule != protocol.TextTrim || b.ends == 0 && p.o.Tolerance != protocol.Greedy)
}

// sendDelta tells of what has become final of the open value up to the offset limit.
func (p *Parser) sendDelta(limit int) {
	if !p.tellsValue() {
		return
	}
	b := p.block
	f := &b.fields[len(b.fields)-1]
	d := &b.delta
	if d.at >= limit {
		return
	}
	if f.rule == protocol.TextTrim {
		p.tellTrimmed(f, limit)
		return
	}
	raw := p.bytes(d.at, limit)
	p.examined += len(raw)
	switch f.rule {
	case protocol.TextLine:
		if d.at == f.start {
			switch {
			case raw[0] == '\n':
				raw = raw[1:]
			case raw[0] == '\r' && len(raw) == 1:
				return
			case raw[0] == '\r' && raw[1] == '\n':
				raw = raw[2:]
			}
		}
		d.at = limit
		p.tell(f, raw)
	default:
		d.at = limit
		p.tell(f, raw)
	}
}

// tellTrimmed tells of what is final of a value whose outer white space may go. White space at its end is kept back.
func (p *Parser) tellTrimmed(f *field, limit int) {
	d := &p.block.delta
	from := max(d.at, d.looked)
	raw := wholeRunes(p.bytes(from, limit))
	p.examined += len(raw)
	d.looked = from + len(raw)
	fresh := bytes.TrimRightFunc(raw, unicode.IsSpace)
	if len(fresh) == 0 {
		return
	}
	end := from + len(fresh)
	if d.state == deltaStart {
		d.state = deltaBody
		if r, _ := utf8.DecodeRune(p.bytes(d.at, end)); unicode.IsSpace(r) {
			d.state = deltaHeld
		}
	}
	if d.state == deltaHeld {
		inner := p.bytes(max(f.start, d.held), end)
		p.examined += len(inner)
		if d.held == 0 {
			inner = bytes.TrimLeftFunc(inner, unicode.IsSpace)
		}
		d.held = end
		if !bytes.ContainsAny(inner, "\r\n") {
			return
		}
		d.state = deltaLines
		all := p.bytes(f.start, end)
		s, _ := protocol.TextLine.Cut(all)
		d.at = end
		p.tell(f, all[s:])
		return
	}
	body := p.bytes(d.at, end)
	d.at = end
	p.tell(f, body)
}

// wholeRunes returns b less a rune at its end of which only some bytes are there.
func wholeRunes(b []byte) []byte {
	for back := 1; back <= min(3, len(b)); back++ {
		if c := b[len(b)-back]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-back:]) {
				return b[:len(b)-back]
			}
			break
		}
	}
	return b
}

func (p *Parser) tell(f *field, b []byte) {
	if len(b) == 0 {
		return
	}
	p.block.delta.sent += len(b)
	p.emit(Event{Kind: EventArgumentDelta, RequestID: p.nextID(), Name: p.nameOf(f), Data: b})
}

// endDelta tells of the rest of a value that has ended.
func (p *Parser) endDelta(f *field) {
	d := &p.block.delta
	if p.mute || p.block.quiet || d.void || f.role != protocol.FieldArgument || f.quiet {
		return
	}
	raw := p.bytes(f.start, f.end)
	if len(f.skips) > 0 {
		at := max(d.at, f.start)
		if at < f.end {
			p.tell(f, p.bytes(at, f.end))
		}
		return
	}
	s, e := f.rule.Cut(raw)
	if text := raw[s:e]; d.sent < len(text) {
		p.tell(f, text[d.sent:])
	}
}
