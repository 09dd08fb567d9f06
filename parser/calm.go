package parser

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol"
)

// Most pieces of a stream are nothing but more of what came before: of plain lines of text, or of an argument. While nothing is pending the
// parser is calm, and such a piece is told of at once, without a token: what it costs is little more than its copy.

// calmKind says what the stream is in the middle of.
type calmKind uint8

const (
	calmNone calmKind = iota
	calmText
	calmValue
)

// calm is found out after each piece that was read as tokens.
type calm struct {
	kind calmKind
	// trims is set where white space at the end of a piece may be the value's end.
	trims bool
	// limit is how far the stream may go on like this, as a length of Parser.buf.
	limit int
	// event is what is told of each piece: all but its Data.
	event Event
}

// becalm finds out whether the next piece may be more of the same.
func (p *Parser) becalm() {
	c := &p.calm
	c.kind = calmNone
	if p.failed != nil || p.held.tok != nil || p.extender == nil {
		return
	}
	rest := p.buf[p.pos:]
	c.limit = cap(p.buf)
	if p.block != nil {
		if len(rest) == 0 {
			p.becalmValue()
		}
		return
	}
	if len(rest) > 1 || len(rest) == 1 && rest[0] != '<' { // a bracket that waits for the next byte is most often text
		return
	}
	kind, event := partText, EventText
	if p.line.tag != "" {
		kind, event = partReasoning, EventReasoning
	}
	n := len(p.acc.parts)
	if p.dropping || p.acc.end != p.at() || n == 0 || p.acc.parts[n-1].kind != kind {
		return
	}
	c.kind = calmText
	c.event = Event{Kind: event}
}

func (p *Parser) becalmValue() {
	b := p.block
	if b.place != placeText || !p.tellsValue() || b.delta.sent == 0 {
		return
	}
	c := &p.calm
	f := &b.fields[len(b.fields)-1]
	if c.trims = f.rule == protocol.TextTrim; c.trims && b.delta.state != deltaBody && b.delta.state != deltaLines {
		return
	}
	c.kind = calmValue
	c.limit = min(c.limit, b.start-p.base+p.o.Limits.BlockBytes)
	c.event = Event{Kind: EventArgumentDelta, RequestID: p.nextID(), Name: p.nameOf(f)}
}

// more reads a piece that is nothing but more of the same and appends to dst what it tells. It returns false where the piece may be anything
// else.
func (p *Parser) more(dst []Event, chunk []byte) ([]Event, bool) {
	was, end := len(p.buf), len(p.buf)+len(chunk)
	if len(chunk) == 0 || end > p.calm.limit { // which is within the capacity
		return dst, false
	}
	p.buf = p.buf[:end]
	copy(p.buf[was:], chunk)
	at := p.pos
	var b []byte
	if p.calm.kind == calmText {
		b = p.buf[at:end]
		if b[len(b)-1] == '<' {
			b = b[:len(b)-1]
		}
		if len(b) > 0 && !(p.plainText(b) && p.extend(at, at+len(b))) {
			p.buf = p.buf[:was]
			return dst, false
		}
		p.pos += len(b)
		p.acc.end += len(b)
		p.examined += len(b)
	} else {
		if !p.extend(at, end) {
			p.buf = p.buf[:was]
			return dst, false
		}
		p.pos = end
		p.examined += end - at
		b = p.finalValue(at)
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

// extend asks the scanner whether the bytes from at to end are more of the same.
func (p *Parser) extend(at, end int) (ok bool) {
	done := false
	defer func() {
		if !done {
			p.panicked = &ProtocolError{Panic: recover()}
		}
	}()
	ok = p.extender.Extend(p.buf[:end], at)
	done = true
	return ok
}

// plainText reports whether b, the next bytes of the stream, is text whatever follows, as far as reasoning
// tags and fabricated results go.
func (p *Parser) plainText(b []byte) bool {
	for rest := b; ; {
		i := bytes.IndexByte(rest, '<')
		if i < 0 {
			break
		}
		if rest = rest[i+1:]; len(rest) == 0 || rest[0] == '/' || tagBytes[rest[0]] {
			return false
		}
	}
	last := b[len(b)-1]
	if last >= utf8.RuneSelf && len(wholeRunes(b)) < len(b) {
		return false
	}
	end := p.at() + len(b)
	return !endsEmphasis[last] || p.emphasis(end) == end
}

// finalValue returns what has become final of the open value with the bytes behind at: white space at its end is left out.
func (p *Parser) finalValue(at int) []byte {
	d := &p.block.delta
	b := p.buf[at:]
	if p.calm.trims {
		if endsInSpace(b) {
			if b = bytes.TrimRightFunc(b, unicode.IsSpace); len(b) == 0 {
				return nil
			}
		}
		b = p.buf[d.at-p.base : at+len(b)] // white space may have been kept back
	}
	d.at += len(b)
	d.sent += len(b)
	return b
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
