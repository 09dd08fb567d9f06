package parser

import (
	"bytes"

	"github.com/vcpgo/vcp/internal/markdown"
	"github.com/vcpgo/vcp/internal/needles"
)

// fenceNeedles are what every line that opens or closes fenced code contains.
var fenceNeedles = needles.New("``", "~~")

// nextFence returns where three backticks or tildes stand first between the line state and the offset to,
// or to if nowhere.
func (p *Parser) nextFence(to int) int {
	at := max(p.line.at, p.noFence)
	for at+2 < to {
		b := p.bytes(at, to)
		i := fenceNeedles.Index(b)
		if i < 0 {
			p.examined += len(b)
			at = to - 2
			break
		}
		p.examined += i + 2
		if at += i; i+2 >= len(b) {
			break
		}
		if b[i+2] == b[i] {
			p.noFence = at
			return at
		}
		at++
	}
	p.noFence = max(p.noFence, at)
	return to
}

// skipLines advances the line state, which is at the beginning of a line, to a later line that begins at
// the offset to or before it. It passes lines that cannot change where a byte at to stands.
func (p *Parser) skipLines(to int) {
	f := &p.line
	if f.at == to {
		return
	}
	var line int
	switch {
	case p.dropping, f.tag != "" && !f.blocks.Nested():
		line = p.lineStart(to)
	case f.tag != "":
		return
	case f.fence.Run > 0:
		if !f.blocks.Unchanged() {
			return
		}
		line = p.lineStart(p.nextFence(to))
	default:
		line = p.paragraphStart(p.nextFence(to))
	}
	if line <= f.at {
		return
	}
	if !p.dropping {
		p.fence.text(f, p.bytes(f.at, line))
	}
	if f.fence.Run == 0 && f.tag == "" {
		f.blocks = markdown.Containers{}
	}
	f.at = line
	f.endLine()
	f.ticksAt, f.lineAt = line, line
}

// lineStart returns where the line begins that the byte at the offset at stands in, but no place before the
// line state.
func (p *Parser) lineStart(at int) int {
	b := p.bytes(p.line.at, at)
	i := bytes.LastIndexAny(b, "\r\n") + 1
	p.examined += len(b) - i
	return p.line.at + i
}

// paragraphStart returns where a paragraph begins after an empty line, in no list item and no quotation, as
// near before the offset end as there is one; the line state if there is none.
func (p *Parser) paragraphStart(end int) int {
	at := max(p.line.at, p.noParagraph)
	p.noParagraph = max(p.noParagraph, end-1)
	if at >= end {
		return p.line.at
	}
	for b := p.bytes(at, end); len(b) > 1; {
		i := bytes.LastIndexByte(b[:len(b)-1], '\n')
		if i < 1 {
			p.examined += len(b)
			break
		}
		p.examined += len(b) - i
		if b[i-1] == '\n' && !lineBytes[b[i+1]] {
			return at + i + 1
		}
		b = b[:i+1]
	}
	return p.line.at
}

// lineBytes reports for a byte whether a line that begins with it may be more than a paragraph's.
var lineBytes = byteSet("`~<>-*+_=#0123456789 \t\r\n")
