package parser

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol"
)

// next says what follows the text at hand.
type next uint8

const (
	nextUnknown next = iota // more text may follow
	nextMark                // a token that is no request
	nextRequest
	nextResult
	nextEOF
)

// text accounts for the text up to the offset limit, all but what may still turn out to be something else.
func (p *Parser) text(limit int, after next) {
	if p.acc.end == 0 && limit > 0 && !p.passByteOrderMark(p.bytes(0, limit), after) {
		return
	}
	for p.acc.end < limit {
		if p.skipLines(limit) {
			continue
		}
		start := p.acc.end
		b := p.bytes(start, limit)
		if p.flow.prefix {
			if !p.beginLine(b, after) {
				return
			}
			continue
		}
		end := p.lineEnd(b, start)
		if end >= 0 && b[end] == '\r' && end+1 == len(b) && after == nextUnknown && p.lineFeedAt(limit) {
			b, end = b[:end], -1
			if len(b) == 0 {
				return
			}
		}
		line := b
		if end >= 0 {
			line = b[:end]
		}
		if p.tagInLine(line, end >= 0, after) {
			if p.acc.end == start {
				return
			}
			continue
		}
		p.checkInfo(p.acc.end + len(line))
		if end < 0 {
			if after == nextUnknown { // what a rune is of which bytes are missing cannot be told: it may be white space
				if b = wholeRunes(b); len(b) == 0 {
					return
				}
			}
			if (after == nextResult || after == nextUnknown) && p.acc.end+len(b)-p.flow.lineAt <= maxLinePrefix && p.flow.bare && isEmphasis(b) {
				return // a made-up result takes it along; what is longer is shown, and taken back
			}
			p.show(len(b))
			continue
		}
		end++
		if b[end-1] == '\r' && end < len(b) && b[end] == '\n' {
			end++
		}
		p.show(end)
		p.flow.endLine()
		p.flow.ticksAt, p.flow.lineAt = p.acc.end, p.acc.end
	}
}

// lineFeedAt reports whether a line feed stands at the offset at, or may come there.
func (p *Parser) lineFeedAt(at int) bool {
	rest := p.buf[at-p.base:]
	return len(rest) == 0 || rest[0] == '\n'
}

// byteOrderMark may begin a message. Its first line begins behind it.
const byteOrderMark = "\ufeff"

// passByteOrderMark accounts for a byte order mark at the start of b, which begins the message. It returns false where more input is needed.
func (p *Parser) passByteOrderMark(b []byte, after next) bool {
	n := min(len(b), len(byteOrderMark))
	switch {
	case string(b[:n]) != byteOrderMark[:n]:
	case n == len(byteOrderMark):
		p.addAs(partText, n)
	default:
		return after != nextUnknown
	}
	return true
}

// beginLine settles what the line at the end of the account is; false where more input is needed.
func (p *Parser) beginLine(b []byte, after next) bool {
	if p.dropping {
		p.flow.prefix = false
		return true
	}
	b = b[:min(len(b), maxLinePrefix+1)]
	end := lineEnd(b)
	if end >= 0 {
		b = b[:end]
	}
	p.examined += len(b)
	b = b[:min(len(b), maxLinePrefix)] // what was here later must not matter
	tagAt, tagLen, ok := p.flow.beginLine(b, end >= 0 || after != nextUnknown)
	if !ok {
		return false
	}
	if p.flow.candidate {
		p.flow.infoAt = p.acc.end + len(b)
		p.fence = fenceContent{number: p.fence.number + 1}
	}
	if tagLen > 0 {
		p.addAs(partText, tagAt)
		p.addAs(partTag, tagLen)
		p.flow.first = false
	}
	return true
}

// checkInfo searches the info string of a line that may open fenced code, up to the offset limit: it holds no backtick.
func (p *Parser) checkInfo(limit int) {
	if !p.flow.candidate || p.flow.opening.mark != '`' || limit <= p.flow.infoAt {
		return
	}
	p.examined += limit - p.flow.infoAt
	p.flow.candidate = bytes.IndexByte(p.bytes(p.flow.infoAt, limit), '`') < 0
	p.flow.infoAt = limit
}

// maxTagBlanks bounds the blanks behind a closing tag without opener that are waited for, in bytes (C3).
const maxTagBlanks = 64

// tagInLine deals with a reasoning section's closing tag in the line at the end of the account. It returns false where there is
// none; it returns true without accounting for anything where more input is needed.
func (p *Parser) tagInLine(b []byte, whole bool, after next) bool {
	if p.dropping {
		return false
	}
	for i := p.nextMark(b, p.acc.end); i < len(b); i++ {
		o := bytes.IndexByte(b[i:], '<')
		if o < 0 {
			p.examined += len(b) - i
			return false
		}
		p.examined += o + 1
		i += o
		name, closes, n, short := protocol.ReasoningTag(b[i:])
		if short && !whole && after == nextUnknown {
			if i > 0 && !(p.flow.bare && isEmphasis(b[:i])) {
				p.checkInfo(p.acc.end + i)
				p.show(i)
			}
			return true
		}
		if n > 0 && !closes {
			p.flow.tagged = true
		}
		if n == 0 || !closes {
			continue
		}
		if p.flow.tag != "" {
			if name != p.flow.tag {
				continue
			}
			if p.flow.depth--; p.flow.depth > 0 {
				continue
			}
			p.think(i)
			p.addAs(partTag, n)
			p.flow.tag = ""
			p.flow.bare, p.flow.first = true, false
			return true
		}
		p.checkInfo(p.acc.end + i)
		if p.flow.tagged {
			p.flow.tagged = false // it belongs to the tag before it
			continue
		}
		if p.flow.loneSeen || p.flow.place() != placeText {
			continue
		}
		if !p.flow.ticksClosed(p, p.acc.end+i) {
			continue
		}
		first := p.flow.first && onlySpace(b[:i])
		blanks := len(b[i+n:]) - len(bytes.TrimLeft(b[i+n:], " \t"))
		if rest := b[i+n+blanks:]; !first && (len(rest) > 0 || blanks > maxTagBlanks || !whole && (after == nextMark || after == nextResult)) {
			continue
		}
		if !first && !whole && after == nextUnknown {
			if i > 0 {
				p.show(i)
			}
			return true
		}
		p.flow.loneSeen = true
		p.addAs(partText, i)
		p.reclassify()
		p.addAs(partTag, n)
		p.flow.bare, p.flow.first = true, false
		return true
	}
	return false
}

// show accounts for the next n bytes of text by where they stand.
func (p *Parser) show(n int) {
	switch b := p.bytes(p.acc.end, p.acc.end+n); {
	case !p.flow.first && !p.flow.bare:
	case n > 0 && wordBytes[b[0]]:
		p.flow.first, p.flow.bare = false, false
	default:
		p.flow.bare = p.flow.bare && isEmphasis(b)
		p.flow.first = p.flow.first && onlySpace(b)
	}
	switch {
	case p.dropping:
		p.addAs(partDropped, n)
	case p.flow.tag != "":
		p.think(n)
	default:
		p.fence.text(&p.flow, p.bytes(p.acc.end, p.acc.end+n))
		p.addAs(partText, n)
	}
}

// think accounts for the next n bytes of reasoning.
func (p *Parser) think(n int) {
	p.fence.text(&p.flow, p.bytes(p.acc.end, p.acc.end+n))
	p.addAs(partReasoning, n)
}

// addAs accounts for the next n bytes and tells of them.
func (p *Parser) addAs(kind partKind, n int) {
	if n <= 0 {
		return
	}
	start := p.acc.end
	p.acc.add(kind, n, p.requestIndex())
	if p.mute {
		return
	}
	b := p.bytes(start, p.acc.end)
	switch kind {
	case partText, partQuoted:
		p.emit(Event{Kind: EventText, Data: b})
	case partReasoning, partInner:
		p.emit(Event{Kind: EventReasoning, Data: b})
	case partDropped:
		p.emit(Event{Kind: EventDropped, Data: b, Reason: DropFabricatedResult})
	}
}

// reclassify makes all before it reasoning (C3), but for requests past a limit: of what has been taken out of the text nothing is stored.
func (p *Parser) reclassify() {
	for i := range p.acc.parts {
		switch part := &p.acc.parts[i]; part.kind {
		case partText:
			part.kind = partReasoning
		case partRequest:
			if p.rawOf(part) != "" {
				part.kind = partInner
			}
		case partQuoted:
			part.kind = partInner
		}
	}
	for i := range p.requests {
		q := &p.requests[i]
		if q.live && q.RawBlock == "" {
			continue
		}
		q.wasLive = q.wasLive || q.live
		q.place, q.live = placeReasoning, p.o.Reasoning == ReasoningRun
	}
	p.emit(Event{Kind: EventReclassified})
}

// countTicks counts the backticks of the line up to the offset limit.
func (p *Parser) countTicks(limit int) {
	if p.flow.ticksAt < p.base {
		p.flow.ticksAt = p.base
	}
	if p.flow.ticksAt < limit {
		p.examined += limit - p.flow.ticksAt
		p.flow.ticks.read(p.bytes(p.flow.ticksAt, limit))
		p.flow.ticksAt = limit
	}
}

// flush tells of what is settled when the input at hand is used up.
func (p *Parser) flush() {
	if p.block == nil {
		after := nextUnknown
		if p.atEOF {
			after = nextEOF
		}
		p.text(p.at(), after)
		if !p.whole {
			p.countTicks(p.acc.end)
		}
		return
	}
	p.showBlock(p.at())
	p.sendDelta(p.at())
	if p.block.oversize && !p.whole {
		p.forgetBlock()
	}
}

// showBlock tells of the text of an open block that stays where it stands up to the offset limit, as far as it is sure to belong to it.
func (p *Parser) showBlock(limit int) {
	b := p.block
	runs := b.live && !(b.oversize && b.place == placeReasoning)
	if b.place == placeText && (b.live || b.ticks.any()) || runs || b.unsure || p.dropping {
		return
	}
	p.addAs(b.stays(), p.sure(limit)-p.acc.end)
}

// stays returns as what a block is accounted for that is not taken out.
func (b *block) stays() partKind {
	if b.place == placeReasoning {
		return partInner
	}
	return partQuoted
}

// isEmphasis reports whether b holds nothing but blanks and marks of emphasis.
func isEmphasis(b []byte) bool {
	for len(b) > 0 {
		switch c := b[0]; {
		case isBlank(c) || c == '*' || c == '_' || c == '~':
			b = b[1:]
		case c == "\u3000"[0] && bytes.HasPrefix(b, []byte("\u3000")), c == "\ufeff"[0] && bytes.HasPrefix(b, []byte("\ufeff")):
			b = b[len("\u3000"):]
		default:
			return false
		}
	}
	return true
}

// onlySpace reports whether b holds nothing but white space.
func onlySpace(b []byte) bool {
	for len(b) > 0 {
		n := 1
		if c := b[0]; c > ' ' && c < utf8.RuneSelf {
			return false
		} else if c >= utf8.RuneSelf {
			var r rune
			if r, n = utf8.DecodeRune(b); !unicode.IsSpace(r) {
				return false
			}
		} else if !unicode.IsSpace(rune(c)) {
			return false
		}
		b = b[n:]
	}
	return true
}
