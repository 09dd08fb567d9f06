package parser

import (
	"bytes"
	"encoding/binary"
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
	if p.failed != nil || p.held.tok != nil {
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
	f := &p.flow
	if f.tag != "" {
		kind, event = partReasoning, EventReasoning
	}
	n := len(p.acc.parts)
	switch {
	case p.dropping, p.acc.end != p.at(), n == 0 || p.acc.parts[n-1].kind != kind:
	case f.candidate, f.fenceLine, f.quote, f.blocks.depth != 0, p.fence.listens(f):
	case f.prefix || !f.first && !f.bare:
		c.kind = calmText
		c.event = Event{Kind: event}
	}
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
		var breaks, ok bool
		b, breaks, ok = p.plainText()
		if !ok || len(b) > 0 && !p.extend(at, at+len(b)) {
			p.buf = p.buf[:was]
			return dst, false
		}
		p.passText(b, breaks)
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

// passText accounts for text of plain lines.
func (p *Parser) passText(b []byte, breaks bool) {
	p.pos += len(b)
	p.examined += len(b)
	p.acc.end += len(b)
	if breaks || p.flow.prefix && len(b) > 0 {
		p.passLines(b)
	}
}

// extend asks the scanner whether the bytes from at to end are more of the same.
func (p *Parser) extend(at, end int) (ok bool) {
	done := false
	defer func() {
		if !done {
			p.panicked = &ProtocolError{Panic: recover()}
		}
	}()
	ok = p.scanner.Extend(p.buf[:end], at)
	done = true
	return ok
}

// plainBytes tells of a byte that a line which begins with it is plain text: no mark can begin it, nor white space of any kind.
var plainBytes = func() (t [256]bool) {
	for c := range t {
		t[c] = c > ' ' && !lineBytes[c]
	}
	for _, space := range [...]string{"\u0085", "\u00a0", "\u1680", "\u2000", "\u3000", "\ufeff"} {
		t[space[0]] = false
	}
	return t
}()

// plainText returns what has not been read yet, but for a bracket at its end, where that is nothing but text of plain lines: no tag, and no
// line that begins with what could be a mark. breaks tells that there is a line break.
func (p *Parser) plainText() (b []byte, breaks, ok bool) {
	end := len(p.buf)
	if p.buf[end-1] == '<' {
		end--
	}
	b = p.buf[p.pos:end]
	if len(b) == 0 || !hasMark(p.buf[:end], p.pos) && (!p.flow.prefix || plainBytes[b[0]]) {
		return b, false, true
	}
	begins := p.flow.prefix
	for i := 0; i < len(b); i++ {
		if begins {
			indent := i
			for i < len(b)-1 && i-indent < maxIndent && b[i] == ' ' {
				i++
			}
			if !plainBytes[b[i]] && (b[i] != '\n' || i > indent) {
				return b, breaks, false
			}
		}
		switch c := b[i]; {
		case c == '\r', c == '<' && (i == len(b)-1 || tagBytes[b[i+1]]):
			return b, breaks, false
		case c == '\n':
			begins, breaks = true, true
		default:
			begins = false
		}
	}
	return b, breaks, true
}

// tagBytes are those that a reasoning tag may begin with, behind its bracket.
var tagBytes = byteSet("/tTrR")

// hasMark tells of most of what src[from:] may be that it holds neither a line break nor a bracket: then it is false. Eight bytes are looked at at
// once, at the end with what stands before: in (v-n)&^v the lowest high bit is that of the first byte less than n.
func hasMark(src []byte, from int) bool {
	const (
		every = 0x0101010101010101
		high  = 0x80 * every
		below = '\r' + 1
		word  = 8
	)
	if len(src) < word {
		return true
	}
	v := binary.LittleEndian.Uint64(src[len(src)-word:])
	bracket := v ^ '<'*every
	found := (v-below*every)&^v | (bracket-every)&^bracket
	for ; from+word < len(src); from += word {
		v = binary.LittleEndian.Uint64(src[from:])
		bracket = v ^ '<'*every
		found |= (v-below*every)&^v | (bracket-every)&^bracket
	}
	return found&high != 0
}

// passLines follows the flow through plain lines, which have just been accounted for.
func (p *Parser) passLines(b []byte) {
	f := &p.flow
	for {
		if f.prefix && b[0] != '\n' {
			f.beginPlain()
		}
		end := bytes.IndexByte(b, '\n')
		if end < 0 {
			return
		}
		b = b[end+1:]
		if f.prefix {
			f.beginBlank()
		}
		f.endLine()
		f.ticksAt, f.lineAt = p.acc.end-len(b), p.acc.end-len(b)
		if len(b) == 0 {
			return
		}
	}
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
