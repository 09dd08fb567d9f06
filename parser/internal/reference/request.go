package reference

import "strings"

// request reads the request that START opens, and reports whether there is one.
func (r *reader) request(m marker) bool {
	r.noFence()
	b := r.block(m)
	if b == nil {
		return false
	}
	r.add(b)
	return true
}

// escapedMarker reads an escaped marker, and reports whether one is here (B5).
func (r *reader) escapedMarker() bool {
	m, ok := escapedMarkerAt(r.text, r.pos)
	if ok {
		if m.kind == requestStart && r.o.allows("marker_escaped") && r.alone(m, m.end) && r.request(m) {
			return true
		}
		r.markSeen = true
		r.pass(m.end - m.start)
	}
	return ok
}

// add records a block that was read.
func (r *reader) add(b *block) {
	if len(b.fields) > 0 || b.hasEnd { // V15: after a START alone, the openers before it still match closers
		r.openers = nil
	}
	r.markSeen = r.markSeen || !b.hasEnd && !b.bare // B12: the START of b counts like a START in text
	if r.section != nil && b.openTags != nil {
		r.section.names = b.openTags
	}
	if r.section != nil && b.pastSurroundings { // C12: the section ended inside the block
		r.closeSection(b.start, b.start)
	}
	if b.pastSurroundings {
		if r.line.fence != nil {
			r.fenceEnds[r.line.fence] = b.start
		}
		r.line = lines{}
	}
	if b.around.quote && b.around.fence == nil && !b.pastSurroundings {
		r.followQuote(b)
	}
	if b.around.infoLine && strings.ContainsAny(r.text[b.start:b.end], "\r\n") {
		b.around.fence.hasLines = true
	}
	r.blocks = append(r.blocks, b)
	if r.definition >= 0 && b.definitionEnd > 0 && b.definitionEnd < b.end {
		r.definition = r.definitionFrom(b.definitionEnd, b.end)
	}
	if r.definition >= 0 && b.end > r.definition { // B16: the END of the definition is in the request
		if r.definition = r.definitionEndAfter(b.end); b.pastSurroundings && !b.around.ends() {
			r.definition = -1
		}
	}
	if len(b.around.section) > 0 && r.spansLines(b) { // C3: the line of its START has ended
		r.joined = ""
	}
	r.skip(b.end, requestSign)
}

// spansLines reports whether a line begins in a block, outside of its fields.
func (r *reader) spansLines(b *block) bool {
	for p := b.start + 1; p <= b.end; p++ {
		if isLineStart(r.text, p) && !b.inField(p) {
			return true
		}
	}
	return false
}

// followQuote follows the containers that begin and end in the lines of a block in a blockquote
// (C12). A line within a value is data.
func (r *reader) followQuote(b *block) {
	for p := b.start + 1; p <= b.end && p < len(r.text); p++ {
		if isLineStart(r.text, p) && !b.inField(p) {
			r.lineBefore = r.line
			r.line = r.line.next(r.text, p, lineEnd(r.text, p))
		}
	}
}

// closeSection ends the open reasoning section, if there is one: its content ends at to, and its
// tag at end.
func (r *reader) closeSection(to, end int) {
	if r.section == nil {
		return
	}
	r.section.to, r.section.end = to, end
	r.sections = append(r.sections, *r.section)
	r.section = nil
}
