package parser

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol"
)

// Most pieces of a stream are nothing but more of what came before: of plain text, or of an
// argument. While nothing is pending the parser is calm, and tells of such a piece at once, without
// a token.

// calmKind says what the stream is in the middle of.
type calmKind uint8

const (
	calmNone calmKind = iota
	calmText
	calmValue
)

// calm is determined after each piece that was read as tokens.
type calm struct {
	kind calmKind
	// trims is set if white space at the end of a piece may be the value's end.
	trims bool
	// limit is how far the stream may continue like this, as a length of window.buf.
	limit int
	// event is what is told of each piece: all but its Data.
	event Event
}

// becalm finds out whether the next piece may be more of the same.
func (p *Parser) becalm() {
	c := &p.calm
	c.kind = calmNone
	if p.failed != nil || p.held.tok != nil || p.extender == nil || p.stopped {
		return
	}
	rest := p.w.buf[p.w.pos:]
	c.limit = cap(p.w.buf)
	if b := p.block; b != nil {
		if len(rest) == 0 {
			b.becalm(c)
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
	if p.draft.dropping || s.end != p.w.at() || n == 0 || s.parts[n-1].kind != kind {
		return
	}
	c.kind = calmText
	c.event = Event{Kind: event}
}

// becalm is Parser.becalm for the open value.
func (b *block) becalm(c *calm) {
	if b.place != placeText || !b.tellsValue() || b.delta.sent == 0 {
		return
	}
	f := b.lastField()
	if c.trims = f.rule == protocol.TextTrim; c.trims && b.delta.state != deltaBody && b.delta.state != deltaLines {
		return
	}
	c.kind = calmValue
	c.limit = min(c.limit, b.start-b.w.base+b.d.o.Limits.BlockBytes)
	c.event = Event{Kind: EventArgumentDelta, RequestID: b.d.nextID(), Name: b.nameOf(f)}
}

// more reads a piece that is nothing but more of the same and appends to dst what it tells. It
// returns false if the piece may be anything else.
func (p *Parser) more(dst []Event, chunk []byte) ([]Event, bool) {
	was, end := len(p.w.buf), len(p.w.buf)+len(chunk)
	if len(chunk) == 0 || end > p.calm.limit { // which is within the capacity
		return dst, false
	}
	p.w.buf = p.w.buf[:end]
	copy(p.w.buf[was:], chunk)
	at := p.w.pos
	b := p.w.buf[at:end]
	if p.calm.kind == calmText {
		if b[len(b)-1] == '<' {
			b = b[:len(b)-1]
		}
		if len(b) > 0 && !(p.text.plain(b) && p.extend(at, at+len(b))) {
			p.w.buf = p.w.buf[:was]
			return dst, false
		}
		p.draft.segments.end += len(b)
	} else if !p.extend(at, end) {
		p.w.buf = p.w.buf[:was]
		return dst, false
	}
	p.w.pos += len(b)
	p.w.examined += len(b)
	if p.calm.kind == calmValue {
		b = p.block.finalValue(b, p.calm.trims)
	}
	if len(b) == 0 {
		return dst, true
	}
	if len(dst) == cap(dst) {
		dst = slices.Grow(dst, 1)
	}
	dst = dst[:len(dst)+1]
	e := &dst[len(dst)-1]
	*e = p.calm.event
	e.Data = b
	return dst, true
}

// extend asks the scanner whether the bytes from at to end are more of the same. If it panics, the
// next run fails.
func (p *Parser) extend(at, end int) (ok bool) {
	done := false
	defer func() {
		if !done {
			p.panicked = &ProtocolError{Panic: recover()}
		}
	}()
	ok = p.extender.Extend(p.w.buf[:end], at)
	done = true
	return ok
}

// finalValue returns what has become final of the open value with the bytes of more, which end it
// so far: without white space at its end, and with white space that was kept back before.
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

// endsInSpace reports whether b ends in white space.
func endsInSpace(b []byte) bool {
	last := b[len(b)-1]
	if last < utf8.RuneSelf {
		return last <= ' ' && unicode.IsSpace(rune(last))
	}
	r, _ := utf8.DecodeLastRune(b)
	return unicode.IsSpace(r)
}
