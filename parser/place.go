package parser

import (
	"bytes"

	"github.com/vcpgo/vcp/internal/markdown"
	"github.com/vcpgo/vcp/protocol"
)

// surroundings follow the text's state through a block that stands in code, a quotation or reasoning. While a block that stands in
// plain text is open the state does not change.
type surroundings struct {
	after    lineState // the state now
	atLast   lineState // the state at the end of the last closer
	shadow   lineState // follows the text through the open value, up to shadowAt
	shadowAt int
}

// maxFillerLine bounds how much of a line of filler is waited for until it is looked at, in bytes: more than the beginning of a line that
// means something.
const maxFillerLine = 4 * maxLinePrefix

// leavesPlace follows code, quotation and reasoning through filler up to the offset end, where what after says
// stands. If the place that the block began in ends, it ends the block and returns true (C12). A scanner may
// cut filler anywhere, so a line that goes on waits, unless it is known what follows.
func (p *Parser) leavesPlace(end int, after next) bool {
	b := p.block
	if b.place == placeText && !(b.line && b.ticks.any()) && !p.mayCloseReasoning(p.bytes(b.filler, end)) {
		b.filler = end
		return false
	}
	for b.filler < end {
		rest := p.bytes(b.filler, end)
		n := lineEnd(rest) + 1
		if n > 0 && rest[n-1] == '\r' && n < len(rest) && rest[n] == '\n' {
			n++
		}
		switch {
		case n > 0 && n <= maxFillerLine && (rest[n-1] == '\n' || n < len(rest) || after != nextUnknown):
		case len(rest) >= maxFillerLine:
			n = maxFillerLine
		case after != nextUnknown:
			n = len(rest)
		default:
			return false
		}
		b.filler += n
		if p.leavesIn(b.filler-n, b.filler, after) {
			return true
		}
	}
	return false
}

// leavesIn is leavesPlace for one line of filler, or a part of one.
func (p *Parser) leavesIn(start, end int, after next) bool {
	b := p.block
	if b.place == placeText {
		return p.leavesSpan(start, end) || p.leavesReasoning(start, end, after)
	}
	p.examined += end - start
	if !p.around.after.leaves(b.place, p.bytes(start, end)) {
		return false
	}
	b.fail(protocol.CodeUnclosedBlock)
	p.endBlock(b.last, false)
	return true
}

// mayCloseReasoning reports whether a closing tag without opener may stand in filler of a block in plain text.
func (p *Parser) mayCloseReasoning(b []byte) bool {
	return !p.line.loneSeen && !p.dropping && bytes.IndexByte(b, '<') >= 0
}

// leavesReasoning ends a block in plain text before a closing tag without opener in its filler: the template
// has opened the section, so that the block stands in it (C3, C12). What a block that cannot be read holds
// is no filler.
func (p *Parser) leavesReasoning(start, end int, after next) bool {
	b := p.block
	line := p.bytes(start, end)
	if !p.mayCloseReasoning(line) || !b.keyed && (b.code == protocol.CodeNoFields || b.code == protocol.CodeAmbiguousValue) {
		return false
	}
	p.examined += end - start
	if stop := lineEnd(line); stop >= 0 {
		line, after = line[:stop], nextEOF
	}
	first := start > b.last && isBreak(p.buf[start-1-p.base])
	if first {
		if _, quoted := markdown.ReadMarks(line); quoted {
			return false
		}
	}
	for i := range line {
		if line[i] != '<' {
			continue
		}
		tag, _ := markdown.ReadReasoningTag(line[i:])
		switch {
		case tag.Len == 0:
		case !tag.Closes:
			b.tagged = true
		case b.tagged:
			b.tagged = false // it belongs to the tag before it
		case first && onlySpace(line[:i]), closesLine(line[i+tag.Len:]) && (after == nextEOF || after == nextRequest):
			b.fail(protocol.CodeUnclosedBlock)
			p.endBlock(b.last, false)
			return true
		}
	}
	return false
}

// closesLine reports whether rest, which follows a closing tag, is few blanks.
func closesLine(rest []byte) bool { return len(rest) <= maxTagBlanks && markdown.OnlyBlanks(rest) }

// leavesSpan follows the line on which a block in plain text began, and backticks before it are open, through filler. Where they are closed
// before the first field the marker was text; where they are closed behind one, the block stands in a code span, and ends with it (C9).
func (p *Parser) leavesSpan(start, end int) bool {
	b := p.block
	if !b.line || !b.ticks.any() {
		return false
	}
	line := p.bytes(start, end)
	stop := lineEnd(line)
	if b.line = stop < 0; !b.line {
		line = line[:stop]
	}
	switch {
	case !b.ticks.closedBy(line):
		return false
	case !b.keyed:
		p.disown()
	default:
		b.place, b.live, b.inSpan = placeQuote, false, true
		p.endBlock(b.last, false)
	}
	return true
}

// runsAt reports whether a request that begins at such a place runs by the policies, as far as can be told when it begins.
func (p *Parser) runsAt(at place) bool {
	switch at {
	case placeText:
		return true
	case placeReasoning:
		return p.o.Reasoning == ReasoningRun
	}
	return p.o.Quoted == QuotedRun && at == placeFence
}

// leaves follows the lineState through b and reports whether the place ends in it.
func (f *lineState) leaves(was place, b []byte) bool {
	for len(b) > 0 {
		end := lineEnd(b)
		line := b
		if end >= 0 {
			line = b[:end]
		}
		begins := f.prefix
		if begins {
			f.beginLine(line, true, end >= 0)
		}
		switch {
		case was == placeReasoning:
			if closesReasoning(f, line) {
				return true
			}
		case was == placeQuote:
			// A line without its own mark goes on with the quotation's paragraph, until a blank one or code.
			if end >= 0 && begins && len(bytes.TrimSpace(line)) == 0 || f.place() == placeFence {
				return true
			}
		case f.place() != was:
			return true
		}
		if end < 0 {
			return false
		}
		end++
		if b[end-1] == '\r' && end < len(b) && b[end] == '\n' {
			end++
		}
		b = b[end:]
		f.endLine()
	}
	return false
}

func closesReasoning(f *lineState, line []byte) bool {
	for {
		o := bytes.IndexByte(line, '<')
		if o < 0 {
			return false
		}
		if tag, _ := markdown.ReadReasoningTag(line[o:]); tag.Len > 0 && tag.Closes && tag.Name == f.tag {
			if f.depth--; f.depth == 0 {
				f.tag = ""
				return true
			}
		}
		line = line[o+1:]
	}
}
