package reference

// breakAt ends a request whose JSON breaks at p (J12). After p it is unknown which text is in a
// string. The request reaches to the next END in any place, or to the start of another request or
// of a result. If the surroundings of the request end first, the offset last is the end of the
// request (T13). passed says that a value ran past the end of the surroundings.
func (r *reader) breakAt(b *block, p, last int, passed bool) {
	around, from := b.around, p
	if passed {
		around = surroundings{definition: -1} // C12: the surroundings have ended
	}
	floor := from // a closing tag counts only on a line that begins at floor or later
	if from == last {
		floor++ // a tag in place of a value does not count (T13)
	}
	for ; p < len(r.text); p++ {
		if isLineStart(r.text, p) && p > from && around.endsAt(r.text, p) || around.tagEnds(r.text, p) ||
			len(b.calls) > 0 && !around.ends() && r.loneCloserAfter(b, around, floor, p, r.text[from:p], true) {
			b.end = last // C12, and C3, which does not apply to a form of T4: such a request has no calls
			b.defect("unclosed_block", b.start)
			return
		}
		if n := runAt(r.text, p); n > 0 && p < lineEnd(r.text, b.start) { // C9
			if b.runs[n] {
				b.endsInSpan(last)
				return
			}
			p += n - 1
			continue
		}
		m, ok := hermesMarkerAt(r.text, p)
		if !ok {
			continue
		}
		switch {
		case m.kind == definitionEnd:
			b.definitionEnd = p
		case m.kind == requestEnd:
			b.repairs = append(b.repairs, m.list()...)
			b.end, b.ended, b.hasEnd, b.openTags = m.end, true, true, around.section
			return
		case m.kind == requestStart && r.opensRequest(p), m.kind == resultStart && r.objectAfter(m):
			b.end, b.openTags = p, around.section
			return
		}
	}
	b.end = len(r.text)
}

// endsInKey reports whether the surroundings of a request end at or after the start of its last
// key, if the message ends in that key or directly after it (C12). The key does not count as a
// string yet: the surroundings may end in it, but a START in it means nothing.
func (r *reader) endsInKey(b *block, j *jsonReader) bool {
	around := b.around
	for p := j.key; j.key >= 0 && p < len(r.text); p++ {
		if isLineStart(r.text, p) && around.endsAt(r.text, p) || around.tagEnds(r.text, p) ||
			!around.ends() && r.loneCloserAfter(b, around, j.key, p, r.text[j.key:p], false) {
			return true
		}
	}
	return false
}

// endsInSpan ends a request at the offset last, because a code span that is open before START ends
// in the request (C9).
func (b *block) endsInSpan(last int) {
	b.startIsText, b.around.span = !b.hasValue, b.hasValue
	b.end = last
	b.defect("unclosed_block", b.start)
}

// hermesStops ends a request whose JSON does not end (T12, T13, J12, C12).
func (r *reader) hermesStops(b *block, j *jsonReader, o outcome) {
	switch o {
	case broken:
		b.defect("ambiguous_value", b.start)
		r.breakAt(b, j.p, j.last, j.passed >= 0)
	case ended: // C12
		b.defect("unclosed_block", b.start)
		b.end = j.last
		if !isBlankText(r.text[j.p:lineEnd(r.text, j.p)]) { // J12
			b.defect("ambiguous_value", b.start)
		}
	case spanEnded:
		b.endsInSpan(j.last)
	case truncated:
		if line := lineEnd(r.text, b.start); len(b.runs) > 0 && 0 <= j.key && j.key < line &&
			closingRun(r.text[j.key:line], b.runs) >= 0 { // C9
			b.endsInSpan(j.last)
			return
		}
		if r.endsInKey(b, j) {
			b.defect("unclosed_block", b.start)
			b.end = j.last
			return
		}
		b.end, b.truncated = len(r.text), true
		if b.valueOpen {
			b.open = true
			b.defect("unclosed_value", b.start)
		} else {
			b.defect("unclosed_block", b.start)
		}
	}
}
