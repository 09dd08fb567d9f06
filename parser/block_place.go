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
	if after == nextUnknown {
		end = b.filler + len(wholeRunes(b.w.bytes(b.filler, end)))
	}
	// In plain text only a code span on the first line, or a closing tag, can end the place.
	if b.place == placeText && !b.onStartLine && (end == b.filler || !b.mayCloseReasoning(b.w.bytes(b.filler, end))) {
		b.passFiller(end, false)
		return blockContinues
	}
	for b.filler < end {
		rest := b.w.bytes(b.filler, end)
		line := rest[:min(len(rest), maxFillerLine)]
		n := lineEnd(line) + 1
		if n > 0 {
			line = line[:n]
		}
		if n > 0 && rest[n-1] == '\r' && n < len(rest) && rest[n] == '\n' {
			n++
		}
		switch {
		// A whole line. After '\r' at the end of the input '\n' may follow.
		case n > 0 && (rest[n-1] == '\n' || n < len(rest) || after != nextUnknown):
		case len(rest) >= maxFillerLine:
			n = cutFiller(rest[:maxFillerLine])
		case after != nextUnknown:
			n = len(rest)
		default:
			return blockContinues
		}
		b.w.examined += len(line)
		afterLine := after
		if b.filler+n < end {
			afterLine = nextUnknown
		}
		if d := b.placeEndsOnLine(b.filler, b.filler+n, afterLine); d != blockContinues {
			return d
		}
		b.passFiller(b.filler+n, true)
	}
	if b.place != placeText {
		return b.placeEndsOnLine(end, end, after) // what follows may begin a line
	}
	return blockContinues
}

// cutFiller returns the length of the part of a long line of filler that is examined next. b is the
// line's beginning. The part ends before anything that only the text after b makes whole: a
// reasoning tag and the blanks after it, a run of backticks, a line break, or a character.
func cutFiller(b []byte) int {
	tail := len(b) - (markdown.MaxReasoningTag + maxTagBlanks + 2) // two bytes show what comes after the blanks
	if i := bytes.LastIndexByte(b[tail:], '<'); i >= 0 {
		return tail + i
	}
	b = wholeRunes(b)
	if rest := bytes.TrimRight(b, "`\r"); len(rest) > 0 {
		return len(rest)
	}
	// Both parts of the run are long runs.
	return len(bytes.TrimRight(b, "\r")) - longRun
}

// passFiller moves b.filler to an offset. For a block in plain text it records what precedes that
// offset on its line, if a lone closing tag may follow. oneLine says that only the last byte before
// the offset may be part of a line break.
func (b *block) passFiller(to int, oneLine bool) {
	text := b.w.bytes(b.filler, to)
	b.filler = to
	if b.place != placeText || b.t.line.loneSeen || b.d.dropping {
		return
	}
	n := len(text)
	if oneLine && !isBreak(text[n-1]) {
		n = 0
	} else {
		for n > 0 && !isBreak(text[n-1]) {
			n--
		}
		b.w.examined += len(text) - n
	}
	if n > 0 {
		b.line = fillerLine{at: to - len(text) + n, begun: true, blank: true}
	}
	if b.line.begun {
		b.line.blank = b.line.blank && onlySpace(text[n:])
		b.inQuoteLine(to)
	}
}

// inQuoteLine reports whether the line of filler begins as a line of a blockquote, as far as the
// text up to an offset shows.
func (b *block) inQuoteLine(to int) bool {
	l := &b.line
	if l.begun && !l.quoted && l.read < maxLinePrefix && to > l.at {
		l.read = min(to-l.at, maxLinePrefix)
		content, quoted := markdown.ReadMarks(b.w.bytes(l.at, l.at+l.read))
		l.quoted = quoted || content >= maxLinePrefix // a line that may be a quotation counts as one
	}
	return l.quoted
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
		case b.inQuoteLine(start + i), !b.hasField && b.otherForm:
		case b.line.begun && b.line.blank && onlySpace(line[:i]), closesLine(line[i+tag.Len:]) && (after == nextEOF || after == nextRequest):
			return true
		}
	}
	return false
}

// returnToLineStart is called after a field has ended. If the line contains only blanks so far,
// what follows them counts as first on its line. So the opening tag of a section may be in place of
// a missing value (C1).
func (b *block) returnToLineStart() {
	// Of a block over a limit, the beginning is forgotten. A tag after many blanks is not first.
	from := max(b.start, b.w.base, b.filler-maxLinePrefix)
	b.w.examined += b.filler - from
	before := bytes.TrimRight(b.w.bytes(from, b.filler), " \t")
	if n := len(before); n > 0 && isBreak(before[n-1]) {
		b.filler, b.around.now.prefix = from+n, true
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
