package reference

import "strings"

// inSection reads the next part of a reasoning section (C1, C2).
func (r *reader) inSection() {
	if t, ok := tagAt(r.text, r.pos); ok {
		around := surroundings{section: r.section.names, definition: -1}
		ends := around.tagEnds(r.text, r.pos)
		r.section.names = around.section
		if ends {
			r.closeSection(r.pos, t.end)
			r.skip(t.end, tagSign)
			return
		}
		r.pass(t.end - r.pos)
		return
	}
	if m, ok := r.markerAt(r.pos); ok {
		if m.kind == definitionStart || m.kind == definitionEnd {
			r.definitionMark(m)
			return
		}
		if m.kind == requestStart && r.request(m) {
			return
		}
		if m.kind == requestEnd { // T7 and V15: text includes reasoning
			r.ends = append(r.ends, evidence{at: m.start, end: m.end, harmless: r.harmlessEnd(m)})
		}
		r.markSeen = true
		r.pass(m.end - m.start)
		return
	}
	if r.hermes {
		r.pass(1)
		return
	}
	if r.escapedMarker() {
		return
	}
	if c, ok := closerAt(r.text, r.pos); ok { // V15: text includes reasoning
		r.closer(c)
		return
	}
	if o, ok := openerAt(r.text, r.pos); ok {
		r.markSeen = true
		r.openers = append(r.openers, o.identity())
		r.pass(len(firstRune(r.text[o.start:])))
		return
	}
	r.pass(1)
}

// reasoningTag reads a tag outside of a section. It reports whether the tag begins a section or
// makes the text before it reasoning; otherwise the tag is text (C1, C3, C4).
func (r *reader) reasoningTag(t tag) bool {
	if r.line.fence != nil || r.fenceLine {
		return false
	}
	if !t.closes {
		if !opensLine(r.text, r.lineAt, t, r.pos) || strings.ContainsAny(r.lineText, requestSign+tagSign) {
			return false
		}
		r.section = &section{start: r.pos, from: t.end, names: []string{t.name}}
		r.skip(t.end, tagSign)
		return true
	}
	if !r.loneCloser(r.pos) || r.inSpan(t.end) {
		return false
	}
	r.loneSeen = true
	r.reclassify(t)
	r.skip(t.end, tagSign)
	return true
}

// loneCloser reports whether a lone closing tag is at p: a tag without an opener, which makes all
// text before it reasoning (C3).
func (r *reader) loneCloser(p int) bool {
	t, ok := r.closingTag(r.around(), p)
	line := r.text[lineStart(r.text, p):p]
	joined, lineText := r.joined, r.lineText
	if n := len(r.blocks); n > 0 && r.blocks[n-1].pastSurroundings { // C12: nothing is open after that block
		joined, lineText = afterSign(joined, requestSign), afterSign(lineText, requestSign)
	}
	if !ok || quoteLine(joined) || quoteLine(lineText) || openedBefore(joined) {
		return false
	}
	// If a request ends directly after a line break, the line before that break continues (T13).
	continues := len(r.blocks) > 0 && r.lastEnd() == lineStart(r.text, p)
	if isBlankWide(line) && !continues {
		return true
	}
	next, ok := r.afterCloser(t)
	return ok && (next == nil || r.peek(*next, r.lineText+r.text[p:next.start]) != nil)
}

// reclassify makes all text before the tag reasoning (C3).
func (r *reader) reclassify(t tag) {
	whole := section{start: 0, end: t.end, reclassified: true}
	from := 0
	for _, s := range r.sections {
		whole.parts = append(whole.parts, Span{from, s.start}, Span{s.from, s.to})
		if from = s.end; s.end == s.to { // C12: no tag has ended the section
			from = s.from
			whole.parts = whole.parts[:len(whole.parts)-1]
		}
	}
	whole.parts = append(whole.parts, Span{from, r.pos})
	r.sections = []section{whole}
	r.reclassifiedAt = r.pos
}
