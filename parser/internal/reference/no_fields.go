package reference

// noFields completes the block of a START without a field (B7). at is the offset after START, and
// runs are the lengths of the runs of backticks that are open before START. It returns nil, so that
// START is text, unless the body shows that a request was meant in another form.
func (r *reader) noFields(b *block, at int, runs map[int]bool) *block {
	stop, kind := len(r.text), markerKind(0) // the end of the body, and the kind of the marker there; 0 means none
	var end marker
	last := at // where the last closer ends
	for p := at; p < len(r.text) && kind == 0; p++ {
		if next, ok := markerAt(r.text, p); ok && (next.kind == requestStart || next.kind == requestEnd) {
			stop, kind, b.end, end = p, next.kind, next.end, next
		}
	}
	body := r.text[at:stop]
	if !meansRequest(body[:min(len(body), 1024)]) {
		return nil
	}
	b.defect("no_fields", b.start)
	around := b.around
	tagsAtLastCloser := around.section // the reasoning tags that were open after the last closer
	for p := at; p <= stop; p++ {
		if p > at && isLineStart(r.text, p) && r.surroundingsEndAt(around, p) || around.tagEnds(r.text, p) {
			b.openTags = tagsAtLastCloser
			r.endsWithSurroundings(b, last)
			return b
		}
		if p == stop {
			break
		}
		if c, ok := closerAt(r.text, p); ok {
			b.strays = append(b.strays, c)
			b.defect("stray_closer", p)
			last, tagsAtLastCloser = c.end, around.section
		}
		b.openTags = around.section
		if next, ok := markerAt(r.text, p); ok && next.kind == resultStart && r.resultInBlock(around, next, last) {
			b.openTags = tagsAtLastCloser
			b.endAtCloser(last, "unclosed_block")
			return b
		}
	}
	if kind != 0 && !complete(body) {
		b.defect("ambiguous_value", b.start)
	}
	switch {
	case kind == requestEnd:
		b.repairs = append(b.repairs, end.list()...)
		b.ended, b.hasEnd, b.beforeMark = true, true, true
		r.spanAfter(b, b.end, runs)
	case kind == requestStart:
		b.beforeMark, b.openTags = true, tagsAtLastCloser
		b.endAtCloser(last, "unclosed_block")
	case last > at || b.around.ends() || r.fieldToFollow(last):
		b.openTags = tagsAtLastCloser
		r.endsWithMessage(b, last)
	default:
		b.end, b.truncated = len(r.text), true
	}
	return b
}
