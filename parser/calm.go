package parser

import (
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol"
)

// Most pieces of a stream are nothing but more of what came before: of a line of text, or of an argument. While nothing is pending, the
// parser is calm, and such a piece is told of at once, without a token: what it costs is little more than its copy.

// calm says what the stream is in the middle of.
type calm uint8

const (
	calmNone calm = iota
	calmText
	calmValue
)

// calmState is set after each piece that was read as tokens.
type calmState struct {
	calm calm
	// limit is how far the stream may go on like this, as a length of Parser.buf.
	limit int
	// event is what is told of each piece: all but its Data.
	event Event
	// inner is set where white space at the end of a piece may be a value's end.
	inner bool
}

// becalm finds out whether the next piece may be more of the same.
func (p *Parser) becalm() {
	s := &p.calm
	s.calm = calmNone
	if p.failed != nil || p.held.tok != nil || p.pos != len(p.buf) || p.mute {
		return
	}
	s.limit = cap(p.buf)
	f := &p.flow
	switch {
	case p.block != nil:
		p.becalmValue()
	case p.acc.end != p.at() || len(p.acc.parts) == 0 || f.prefix || f.candidate || f.first || f.bare || p.dropping:
	case f.tag == "" && p.fence.listens(f):
	default:
		kind := partText
		s.event = Event{Kind: EventText}
		if f.tag != "" {
			kind = partReasoning
			s.event.Kind = EventReasoning
		}
		if p.acc.parts[len(p.acc.parts)-1].kind == kind {
			s.calm = calmText
		}
	}
}

func (p *Parser) becalmValue() {
	b := p.block
	if !b.open || b.place != placeText || !p.tellsValue() || b.delta.at != p.at() {
		return
	}
	f := &b.fields[len(b.fields)-1]
	s := &p.calm
	switch s.inner = f.rule == protocol.TextTrim; {
	case s.inner && b.delta.state != deltaBody && b.delta.state != deltaLines, b.delta.sent == 0:
		return
	}
	s.calm = calmValue
	s.limit = min(s.limit, b.start-p.base+p.o.Limits.BlockBytes)
	s.event = Event{Kind: EventArgumentDelta, Request: p.nextID(), Name: p.bytes(f.nameStart, f.nameEnd)}
}

// more reads a piece that is nothing but more of the same, and returns false where it may be anything else.
func (p *Parser) more(chunk []byte) bool {
	at := len(p.buf)
	s := &p.calm
	if len(chunk) == 0 || at+len(chunk) > s.limit {
		return false
	}
	if s.calm == calmText && stirs(chunk) || s.calm == calmValue && s.inner && endsInSpace(chunk) {
		return false
	}
	p.buf = p.buf[:at+len(chunk)]
	copy(p.buf[at:], chunk)
	if !p.extend(at) {
		p.buf = p.buf[:at]
		return false
	}
	p.pos += len(chunk)
	if s.calm == calmText {
		p.acc.end += len(chunk)
		p.acc.parts[len(p.acc.parts)-1].end = p.acc.end
	} else {
		p.block.delta.at += len(chunk)
		p.block.delta.sent += len(chunk)
	}
	p.events = append(p.events, s.event)
	p.events[len(p.events)-1].Data = p.buf[at:]
	return true
}

// extend asks the scanner. If it panics, it is asked for a token the next time, and fails there.
func (p *Parser) extend(at int) bool { return p.scanner.Extend(p.buf, at) }

// stirs reports whether b holds what may change the state of the text: a line break, or the beginning of a tag.
func stirs(b []byte) bool {
	for _, c := range b {
		if c == '\n' || c == '\r' || c == '<' {
			return true
		}
	}
	return false
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
