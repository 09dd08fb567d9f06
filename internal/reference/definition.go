package reference

// definitionMark, B16: the text between a definition's START and its END is quoted.
func (r *reader) definitionMark(m marker) {
	defer r.pass(m.end - m.start)
	r.seen = true
	text := r.section == nil && r.l.fence == nil && !r.mark && !r.inQuote()
	switch {
	case m.kind == definitionEnd && r.definition >= 0 && !text: // the definition continues if another END follows
		r.definition = r.definitionEndAfter(m.end)
	case m.kind == definitionEnd:
		r.definition = -1
	case r.definition < 0 && (r.section != nil && r.o.Reasoning != Skip || text && !r.inSpan(m.end)):
		r.definition = r.definitionEndAfter(m.end)
	}
}

// definitionEndAfter, B16: returns the offset from p on of the END of a definition. If there is
// none, it returns the end of a truncated message, and -1 for a complete one.
func (r *reader) definitionEndAfter(p int) int {
	for ; p < len(r.text); p++ {
		if end, ok := r.markerAt(p); ok && end.kind == definitionEnd {
			return p
		}
	}
	if !r.o.Stop {
		return len(r.text)
	}
	return -1
}
