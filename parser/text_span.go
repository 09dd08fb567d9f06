package parser

import "bytes"

// countTicks counts the backticks of the line up to limit.
func (t *textContext) countTicks(limit int) {
	f := &t.line
	f.ticksAt = max(f.ticksAt, t.w.base)
	if f.ticksAt < limit {
		t.w.examined += limit - f.ticksAt
		f.ticks.read(t.w.bytes(f.ticksAt, limit))
		f.ticksAt = limit
	}
}

// ticksClosed reports whether no code span is open at an offset.
func (t *textContext) ticksClosed(at int) bool {
	t.countTicks(at)
	ticks := t.line.ticks
	if ticks.run > 0 {
		ticks.end()
	}
	return !ticks.any()
}

// placeOf returns the place of a mark, and whether the mark is in a code span. The rest of its line
// decides that: a backtick there may end a code span, and shows that the line does not open fenced
// code. start and end are the offsets of the mark. ok is false if more input is needed.
func (t *textContext) placeOf(start, end int) (where place, inSpan, ok bool) {
	f := &t.line
	where = f.place()
	if where == placeFence && f.candidate && f.opening.Mark == '`' {
		rest, _, short := t.restOfLine(end)
		if short {
			return where, false, false
		}
		if bytes.IndexByte(rest, '`') >= 0 {
			// The backtick may belong to a later request, for which the line still opens fenced
			// code.
			f.candidate = false
			where = f.place()
			f.candidate = true
		}
	}
	if where != placeText || t.ticksClosed(start) {
		return where, false, true
	}
	closed := t.closedOnLine(&f.ticks, end)
	return where, closed == spanClosed, closed != spanShort
}

// spanEnd says whether an open code span ends on the line.
type spanEnd uint8

const (
	spanOpen   spanEnd = iota // it does not
	spanClosed                // it does
	spanFar                   // it does not end within maxTickLine
	spanShort                 // more input is needed
)

// maxTickLine limits how much of the line after a mark or a request is searched for the end of a
// code span, in bytes.
const maxTickLine = 96

// closedOnLine returns whether an open code span ends on the same line after an offset.
func (t *textContext) closedOnLine(open *ticks, end int) spanEnd {
	rest, whole, short := t.restOfLine(end)
	if short {
		return spanShort
	}
	ticks := *open
	if ticks.run > 0 {
		ticks.end()
	}
	switch {
	case ticks.closedBy(rest):
		return spanClosed
	case whole:
		return spanOpen
	}
	return spanFar
}

// restOfLine returns the rest of a line from an offset on, up to maxTickLine bytes. whole reports
// that the line ends before that limit; short reports that more input is needed.
func (t *textContext) restOfLine(at int) (rest []byte, whole, short bool) {
	rest = t.w.bytes(at, t.w.end())
	rest = rest[:min(len(rest), maxTickLine)]
	t.examinedTo = max(t.examinedTo, at+len(rest))
	if stop := lineEnd(rest); stop >= 0 {
		return rest[:stop], true, false
	}
	inputEnds := len(rest) < maxTickLine
	return rest, inputEnds && t.w.atEOF, inputEnds && !t.w.atEOF
}
