package parser

import (
	"bytes"
	"slices"
	"unicode"

	"github.com/vcpgo/vcp/protocol/scan"
)

// prepareExtension determines whether the next piece may continue the last one.
func (p *Parser) prepareExtension() {
	c := &p.extension
	c.kind = extendNone
	if p.failed != nil || p.held.tok != nil || p.extender == nil || p.stopped {
		return
	}
	rest := p.w.buf[p.w.pos:]
	c.limit = cap(p.w.buf)
	if b := p.block; b != nil {
		if len(rest) == 0 {
			b.prepareExtension(c)
		}
		return
	}
	if len(rest) > 1 || len(rest) == 1 && rest[0] != '<' { // a bracket that waits for the next byte is most often text
		return
	}
	kind, event := partText, EventText
	if p.text.line.tag != "" {
		kind, event = partReasoning, EventReasoning
	}
	s := &p.draft.segments
	n := len(s.parts)
	if p.draft.dropping || n == 0 || s.parts[n-1].kind != kind {
		return
	}
	if s.end < p.w.at() && p.w.bytes(s.end, s.end+1)[0] == '<' { // a tag is held back, and not only emphasis
		return
	}
	c.kind = extendText
	c.event = Event{Kind: event}
}

// prepareExtension is Parser.prepareExtension for the open value.
func (b *block) prepareExtension(c *extension) {
	if b.place != placeText || !b.streamsValue() || b.delta.sent == 0 {
		return
	}
	f := b.lastField()
	if c.trims = f.rule == scan.TextTrim; c.trims && b.delta.state != deltaBody && b.delta.state != deltaLines {
		return
	}
	c.kind = extendValue
	c.limit = min(c.limit, b.start-b.w.base+b.d.o.Limits.BlockBytes)
	c.event = Event{Kind: EventArgumentDelta, RequestID: b.d.nextID(), Name: b.nameOf(f)}
}

// continueLast reads a piece that only continues the last one, and appends its event to dst. It
// returns false if the piece may be anything else.
func (p *Parser) continueLast(dst []Event, piece []byte) ([]Event, bool) {
	oldEnd, end := len(p.w.buf), len(p.w.buf)+len(piece)
	if len(piece) == 0 || end > p.extension.limit { // the limit is within the capacity of the buffer
		return dst, false
	}
	p.w.buf = p.w.buf[:end]
	copy(p.w.buf[oldEnd:], piece)
	at := p.w.pos
	b := p.w.buf[at:end]
	if p.extension.kind == extendText {
		if b[len(b)-1] == '<' { // the next byte shows whether a tag begins
			b = b[:len(b)-1]
		}
		if len(b) == 0 {
			return dst, true
		}
		if !p.text.plain(b) {
			p.w.buf = p.w.buf[:oldEnd]
			return dst, false
		}
	}
	if !p.extend(at, at+len(b)) {
		p.w.buf = p.w.buf[:oldEnd]
		return dst, false
	}
	p.w.pos += len(b)
	p.scanned = p.w.at()
	p.w.examined += len(b)
	if s := &p.draft.segments; p.extension.kind == extendText {
		p.extension.event.At = s.end
		b = p.w.bytes(s.end, p.w.at()) // with emphasis that was held back
		s.end = p.w.at()
	} else if b = p.block.finalValue(b, p.extension.trims); len(b) == 0 {
		return dst, true
	}
	if len(dst) == cap(dst) {
		dst = slices.Grow(dst, 1)
	}
	dst = dst[:len(dst)+1]
	e := &dst[len(dst)-1]
	*e = p.extension.event
	e.Data = b
	return dst, true
}

// finalValue returns the part of the open value that became final when more bytes were added to it.
// If the value loses its outer white space, that part excludes white space at the end, and includes
// white space that was held back before.
func (b *block) finalValue(more []byte, trims bool) []byte {
	end := b.w.at()
	if trims {
		if endsInSpace(more) {
			n := len(more)
			if more = bytes.TrimRightFunc(more, unicode.IsSpace); len(more) == 0 {
				return nil
			}
			end -= n - len(more)
		}
		more = b.w.bytes(b.delta.at, end)
	}
	b.delta.at += len(more)
	b.delta.sent += len(more)
	return more
}
