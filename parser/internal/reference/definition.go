package reference

// definitionMark reads the START or the END of a definition, between which text is quoted (B16).
func (r *reader) definitionMark(m marker) {
	defer r.pass(m.end - m.start)
	r.markSeen = true
	inText := r.section == nil && r.line.fence == nil && !r.fenceLine && !r.inQuote()
	switch {
	case m.kind == definitionEnd && r.definition >= 0 && !inText: // the definition continues if another END follows
		r.definition = r.definitionFrom(m.start, m.end)
	case m.kind == definitionEnd:
		r.definition = -1
	case r.definition < 0 && (r.section != nil && r.o.Reasoning != Skip || inText && !r.inSpan(m.end)):
		r.definition = r.definitionFrom(m.start, m.end)
	}
}

// definitionFrom returns where the END of the open definition begins. The definition is open after
// the mark text[start:end]. In the Hermes form an END in a string is data (T11), so only reading
// shows where the END is. Until then the end of the text is returned.
func (r *reader) definitionFrom(start, end int) int {
	if !r.hermes {
		return r.definitionEndAfter(end)
	}
	if r.noDefinition[start] {
		return -1
	}
	r.definitionAt = start
	return len(r.text)
}

// definitionEndAfter returns the offset of the first END of a definition from p on (B16). If no
// such END follows, it returns the end of a truncated message, or -1 for a complete message.
func (r *reader) definitionEndAfter(p int) int {
	for ; p < len(r.text); p++ {
		if end, ok := r.markerAt(p); ok && end.kind == definitionEnd {
			return p
		}
	}
	if !r.o.FinishStop {
		return len(r.text)
	}
	return -1
}
