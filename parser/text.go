package parser

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/markdown"
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

// text accounts for the text up to the offset limit, except for what may still become part of something
// else. Whether the text stands in code or in a quotation is not asked here: only marks need to know.
func (p *Parser) text(limit int, after next) {
	for p.acc.end < limit {
		at := p.nextTag(limit)
		if at == p.acc.end {
			if !p.tag(limit, after) {
				return
			}
			continue
		}
		if at == limit {
			at = p.settled(limit, after)
		}
		if at <= p.acc.end {
			return
		}
		p.show(at - p.acc.end)
	}
}

// show accounts for the next n bytes of text.
func (p *Parser) show(n int) {
	kind := partText
	switch {
	case p.dropping:
		kind = partDropped
	case p.line.tag != "":
		kind = partReasoning
	}
	p.addAs(kind, n)
}

// settled returns up to where the text before the offset limit stays text whatever follows it. Two things
// may change: a character of which bytes are missing, and emphasis that is all that stands on its line,
// which a fabricated result takes along (B14).
func (p *Parser) settled(limit int, after next) int {
	if after != nextUnknown && after != nextResult {
		return limit
	}
	b := p.bytes(p.acc.end, limit)
	if after == nextUnknown {
		b = wholeRunes(b)
	}
	if len(b) == 0 || !endsEmphasis[b[len(b)-1]] {
		return p.acc.end + len(b)
	}
	return p.emphasis(p.acc.end + len(b))
}

// endsEmphasis reports for a byte whether isEmphasis may hold for text that ends with it.
var endsEmphasis = byteSet(" \t*_~\x80\xbf") // the last bytes of U+3000 and U+FEFF

func byteSet(bytes string) (t [256]bool) {
	for i := range len(bytes) {
		t[bytes[i]] = true
	}
	return t
}

// emphasis returns where the emphasis before the offset end begins, if it is all that stands there on its
// line, or after the line's last request or tag, and the line is short so far. Else it returns end.
func (p *Parser) emphasis(end int) int {
	low := max(p.base, end-maxLinePrefix-1)
	lineAt := p.endedAt
	if i := bytes.LastIndexAny(p.bytes(low, end), "\r\n"); i >= 0 {
		lineAt = max(lineAt, low+i+1)
	}
	start := max(lineAt, p.line.bareAt)
	if end-lineAt > maxLinePrefix || !isEmphasis(p.bytes(start, end)) {
		return end
	}
	return max(start, p.acc.end)
}

// follow advances the line state to the offset to. The text goes on up to the offset limit, and after says
// what stands there. The line at to is begun, unless nothing of it is there and nothing follows. It
// returns false if more input could change what that line is. A reasoning section may open at to: then
// it returns the length of its tag.
func (p *Parser) follow(to, limit int, after next) (tagLen int, ok bool) {
	f := &p.line
	if f.at == 0 && to > 0 && !p.passByteOrderMark(limit, after) {
		return 0, false
	}
	for f.at < to || f.prefix && (to < limit || after != nextUnknown && after != nextEOF) {
		if f.prefix {
			p.skipLines(to)
			tagAt, tagLen, ok := p.beginLine(limit, after)
			if !ok {
				return 0, false
			}
			if tagLen > 0 {
				f.at += tagAt
				return tagLen, true
			}
			continue
		}
		b := p.bytes(f.at, to)
		end := lineEnd(b)
		if end >= 0 && b[end] == '\r' && end+1 == len(b) && to == limit && after == nextUnknown {
			if end > 0 { // a line feed may follow
				p.pass(end)
			}
			return 0, false
		}
		if end < 0 {
			p.pass(len(b))
			continue
		}
		n := end + 1
		if b[end] == '\r' && n < len(b) && b[n] == '\n' {
			n++
		}
		p.pass(n)
		f.endLine()
		f.ticksAt, f.lineAt = f.at, f.at
	}
	return 0, true
}

// pass advances the line state by n bytes of the line that has begun, with its line break or without.
func (p *Parser) pass(n int) {
	f := &p.line
	b := p.bytes(f.at, f.at+n)
	p.examined += n
	if f.candidate {
		p.checkInfo(f.at + len(bytes.TrimRight(b, "\r\n")))
	}
	f.bare = f.bare && isEmphasis(b)
	f.first = f.first && onlySpace(b)
	if !p.dropping {
		p.fence.text(f, b)
	}
	f.at += n
}

// byteOrderMark may begin a message. Its first line begins behind it.
const byteOrderMark = "\ufeff"

// passByteOrderMark passes a byte order mark that begins the message, of which the text up to the offset
// limit is there. It returns false if more input is needed.
func (p *Parser) passByteOrderMark(limit int, after next) bool {
	b := p.bytes(0, min(limit, len(byteOrderMark)))
	switch {
	case string(b) != byteOrderMark[:len(b)]:
	case len(b) == len(byteOrderMark):
		p.line.at = len(b)
	default:
		return after != nextUnknown
	}
	return true
}

// beginLine settles what the line that begins at the line state is, as lineState.beginLine does.
func (p *Parser) beginLine(limit int, after next) (tagAt, tagLen int, ok bool) {
	f := &p.line
	if p.dropping {
		f.prefix = false
		return 0, 0, true
	}
	b := p.bytes(f.at, min(limit, f.at+maxLinePrefix+1))
	end := lineEnd(b)
	if end >= 0 {
		b = b[:end]
	}
	p.examined += len(b)
	b = b[:min(len(b), maxLinePrefix)] // what was here later must not matter
	tagAt, tagLen, ok = f.beginLine(b, end >= 0 || after != nextUnknown, end >= 0 || after == nextEOF)
	if ok && f.candidate {
		f.infoAt = f.at + len(b)
		p.fence = fenceContent{number: p.fence.number + 1}
	}
	return tagAt, tagLen, ok
}

// checkInfo searches the info string of a line that may open fenced code for a backtick, which it must not
// contain, up to the offset limit.
func (p *Parser) checkInfo(limit int) {
	f := &p.line
	if !f.candidate || f.opening.Mark != '`' || limit <= f.infoAt {
		return
	}
	p.examined += limit - f.infoAt
	f.candidate = bytes.IndexByte(p.bytes(f.infoAt, limit), '`') < 0
	f.infoAt = limit
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

// countTicks counts the backticks of the line up to the offset limit.
func (p *Parser) countTicks(limit int) {
	if p.line.ticksAt < p.base {
		p.line.ticksAt = p.base
	}
	if p.line.ticksAt < limit {
		p.examined += limit - p.line.ticksAt
		p.line.ticks.read(p.bytes(p.line.ticksAt, limit))
		p.line.ticksAt = limit
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
		case markdown.IsBlank(c) || c == '*' || c == '_' || c == '~':
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
