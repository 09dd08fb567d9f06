package parser

import (
	"bytes"

	"github.com/vcpgo/vcp/internal/markdown"
	"github.com/vcpgo/vcp/protocol/scan"
)

// maxFillerLine limits how much of a line of filler the parser waits for before it examines the
// line, in bytes. It is more than maxLinePrefix, the beginning that decides what a line is.
const maxFillerLine = 4 * maxLinePrefix

// placeEnd says whether and how a block ends because the place in which it began ends.
type placeEnd uint8

const (
	blockContinues placeEnd = iota
	blockEnds               // at its last closer
	startIsText             // its start mark was text
)

// placeEnds follows code, quotations and reasoning through filler. end is the offset up to which it
// reads, and after says what follows there. It returns how the block ends if the place in which it
// began ends. A scanner may cut filler anywhere, so an incomplete line waits, unless it is known
// what follows.
func (b *block) placeEnds(end int, after next) placeEnd {
	end = max(end, b.filler)
	// In plain text only a code span on the first line, or a closing tag, can end the place.
	if b.place == placeText && !b.onStartLine && (end == b.filler || !b.mayCloseReasoning(b.w.bytes(b.filler, end))) {
		b.filler = end
		return blockContinues
	}
	for b.filler < end {
		rest := b.w.bytes(b.filler, end)
		n := lineEnd(rest) + 1
		if n > 0 && rest[n-1] == '\r' && n < len(rest) && rest[n] == '\n' {
			n++
		}
		switch {
		// A whole line. After '\r' at the end of the input '\n' may follow.
		case n > 0 && n <= maxFillerLine && (rest[n-1] == '\n' || n < len(rest) || after != nextUnknown):
		case len(rest) >= maxFillerLine:
			n = maxFillerLine
		case after != nextUnknown:
			n = len(rest)
		default:
			return blockContinues
		}
		b.filler += n
		afterLine := after
		if b.filler < end {
			afterLine = nextUnknown
		}
		if d := b.placeEndsOnLine(b.filler-n, b.filler, afterLine); d != blockContinues {
			return d
		}
	}
	if b.place != placeText {
		return b.placeEndsOnLine(end, end, after) // what follows may begin a line
	}
	return blockContinues
}

// placeEndsOnLine is placeEnds for one line of filler, or a part of one.
func (b *block) placeEndsOnLine(start, end int, after next) placeEnd {
	if b.place == placeText {
		if d := b.spanEnds(start, end); d != blockContinues {
			return d
		}
		if b.hasLoneCloser(start, end, after) {
			b.fail(scan.CodeUnclosedBlock)
			return blockEnds
		}
		b.onStartLine = b.onStartLine && lineEnd(b.w.bytes(start, end)) < 0
		return blockContinues
	}
	line := b.w.bytes(start, end)
	b.w.examined += end - start
	if !b.around.now.endsPlace(b.place, line, after) {
		b.onStartLine = b.onStartLine && lineEnd(line) < 0
		b.followTags(line)
		return blockContinues
	}
	b.fail(scan.CodeUnclosedBlock)
	return blockEnds
}

// mayCloseReasoning reports whether filler of a block in plain text may contain a closing tag
// without opener.
func (b *block) mayCloseReasoning(filler []byte) bool {
	return !b.t.line.loneSeen && !b.d.dropping && bytes.IndexByte(filler, '<') >= 0
}

// hasLoneCloser reports whether the filler of a block in plain text contains a closing tag without
// opener. Then the model's chat template opened the reasoning section, and the block is in it. The
// content of a block that cannot be read is not filler.
func (b *block) hasLoneCloser(start, end int, after next) bool {
	line := b.w.bytes(start, end)
	if !b.mayCloseReasoning(line) {
		return false
	}
	b.w.examined += end - start
	if stop := lineEnd(line); stop >= 0 {
		line, after = line[:stop], nextEOF // a line break after the tag counts like the end of the reply
	}
	atLineStart := start > b.lastCloser && isBreak(b.w.bytes(start-1, start)[0])
	quoted := false
	if atLineStart {
		_, quoted = markdown.ReadMarks(line)
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
		case b.tagged, b.onStartLine && b.lineTagged:
			b.tagged, b.lineTagged = false, false // the tag closes the opening tag before it
		case quoted, !b.hasField && b.otherForm:
		case atLineStart && onlySpace(line[:i]), closesLine(line[i+tag.Len:]) && (after == nextEOF || after == nextRequest):
			return true
		}
	}
	return false
}

// returnToLineStart is called after a field has ended. If the line contains only blanks so far,
// what follows them counts as first on its line. So the opening tag of a section may be in place of
// a missing value (C1).
func (b *block) returnToLineStart() {
	before := bytes.TrimRight(b.w.bytes(b.start, b.filler), " \t")
	if n := len(before); n > 0 && isBreak(before[n-1]) {
		b.filler, b.around.now.prefix = b.start+n, true
	}
}

// followTags follows the reasoning tags in filler of a block that is not in plain text. They matter
// later if the place in which the block began ends inside a value: then the block is in plain text.
func (b *block) followTags(filler []byte) {
	for {
		i := bytes.IndexByte(filler, '<')
		if i < 0 {
			return
		}
		if tag, _ := markdown.ReadReasoningTag(filler[i:]); tag.Len > 0 {
			b.tagged = !tag.Closes
		}
		filler = filler[i+1:]
	}
}

// closesLine reports whether rest, the text after a closing tag, is empty or a few blanks.
func closesLine(rest []byte) bool { return len(rest) <= maxTagBlanks && markdown.OnlyBlanks(rest) }

// spanEnds follows the line on which a block in plain text began after open backticks, through
// filler or a key. If they are closed before the first opener, the start mark was text. If they are
// closed after a field, the block is in a code span, and ends with it.
func (b *block) spanEnds(start, end int) placeEnd {
	if !b.onStartLine || !b.ticks.any() {
		return blockContinues
	}
	line := b.w.bytes(start, end)
	if stop := lineEnd(line); stop >= 0 {
		line = line[:stop]
	}
	switch {
	case bytes.IndexByte(line, '`') < 0, !b.ticks.closedBy(line):
		return blockContinues
	case !b.hasField:
		return startIsText
	}
	b.quoteInSpan()
	return blockEnds
}

// quoteInSpan records that the block is in a code span.
func (b *block) quoteInSpan() { b.place, b.live, b.inSpan = placeQuote, false, true }

// decideSpan decides whether a block is in a code span. end is the offset at which the block ends.
// decideSpan returns false if more input is needed.
func (b *block) decideSpan(end int) bool {
	if !b.ticks.any() || b.place != placeText {
		return true
	}
	switch b.t.closedOnLine(&b.ticks, end) {
	case spanShort:
		return false
	case spanClosed, spanFar: // in doubt the block does not run
		b.quoteInSpan()
	case spanOpen:
	}
	return true
}

// followPlace follows the place of a block through its open value. at is the offset up to which it
// reads: that of a mark, or the end of the reply.
func (b *block) followPlace(at int) {
	if b.place == placeText || b.placeEnded {
		return
	}
	b.w.examined += at - b.around.inValueTo
	after := nextMark
	if at == b.w.end() {
		after = nextEOF
	}
	b.placeEnded = b.oversize || b.around.inValue.endsPlace(b.place, b.w.bytes(b.around.inValueTo, at), after)
	b.around.inValueTo = at
}

// endLine moves the text's line state to the end of the block. end is the offset of that end, and
// closed says that an end mark is there.
func (b *block) endLine(end int, closed bool) {
	line := &b.t.line
	quote := line.quote
	switch {
	case b.becameText: // nothing is open any more
		*line = lineState{infos: line.infos, loneSeen: line.loneSeen, definition: line.definition, infoAt: line.infoAt}
	case b.place == placeText || b.inSpan:
	default:
		*line = b.around.atLastCloser
		if closed {
			*line = b.around.now
		}
		line.quote = quote // the line on which the request ends is in the same place as the request
	}
	if (line.ticks.any() || line.candidate) && (b.oversize || lineEnd(b.w.bytes(b.start, end)) >= 0) {
		line.moveToLastLine()
	}
	line.definition = line.definition && !b.definitionOver
	line.prefix, line.onlyBlanks = false, false
	line.at, line.ticksAt, line.lineAt, line.textAt = end, end, end, end
	line.infoAt = max(line.infoAt, end)
}
