package reference

import "strings"

// loneCloser, C3: reports whether a closing tag without an opener stands at p that makes all before
// it reasoning.
func (r *reader) loneCloser(around surroundings, p int) bool {
	t, ok := tagAt(r.text, p)
	if !ok || !t.closes || r.lone || r.dropping || len(around.section) > 0 || around.fence != nil {
		return false
	}
	line := r.text[lineStart(r.text, p):p]
	text := line
	if p == r.pos {
		text = r.joined
	}
	if quoteLine(text) || openedBefore(text) {
		return false
	}
	if isBlankWide(line) {
		return true
	}
	rest := strings.TrimLeft(r.text[t.end:], " \t")
	if len(r.text)-t.end-len(rest) > 64 {
		return false
	}
	if rest == "" || rest[0] == '\n' || rest[0] == '\r' {
		return true
	}
	m, ok := r.markerAt(len(r.text) - len(rest))
	return ok && m.kind == requestStart && r.peek(m, r.text[lineStart(r.text, p):m.start]) != nil
}

// openedBefore, C3: reports whether an opener stands as text on the line before a closer.
func openedBefore(line string) bool {
	open := false
	for i := range line {
		if t, ok := tagAt(line, i); ok {
			open = !t.closes
		}
	}
	return open
}

// loneCloserInBlock, C3 and C12: a lone closing tag between the fields of a block ends it.
func (r *reader) loneCloserInBlock(around surroundings, at, p int) bool {
	return !around.quote && r.loneCloser(around, p) && !openedBefore(r.text[at:p])
}

// reclassify, C3: all before the tag becomes reasoning.
func (r *reader) reclassify(t tag) {
	whole := section{start: 0, end: t.end, reclassified: true}
	from := 0
	for _, s := range r.sections {
		whole.parts = append(whole.parts, Span{from, s.start}, Span{s.from, s.to})
		from = s.end
	}
	whole.parts = append(whole.parts, Span{from, r.pos})
	r.sections = []section{whole}
}
