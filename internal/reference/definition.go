package reference

// definitionMark, B16: what stands between a definition's START and its END is quoted.
func (r *reader) definitionMark(m marker) {
	defer r.pass(m.end - m.start)
	r.seen = true
	if m.kind == definitionEnd {
		r.definition = -1
		return
	}
	if r.definition >= 0 || r.section == nil && (r.inCode(m.end) || r.inQuote()) {
		return
	}
	for p := m.end; p < len(r.text); p++ {
		if end, ok := r.markerAt(p); ok && end.kind == definitionEnd {
			r.definition = p
			return
		}
	}
	if !r.o.Stop {
		r.definition = len(r.text)
	}
}
