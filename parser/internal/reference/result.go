package reference

// isResult reports whether a result's marker counts, because its line contains nothing else or a
// field directly follows it (B14). before is the text before it on its line, in which a sign stands
// for a request, and after is the text after it. The line breaks within a request do not count:
// before begins with the text before the START of a request that ends on the marker's line.
func (r *reader) isResult(m marker, before, after string) bool {
	if r.hermes {
		return r.isHermesResult(m, afterSign(before, requestSign))
	}
	for p := range after { // only the text up to the next START counts, even if that opens no request
		if next, ok := markerAt(after, p); ok && next.kind == requestStart {
			after = after[:p]
			break
		}
	}
	if isEmphasis(before) && isEmphasis(after) {
		return true
	}
	for p := m.end; p < min(len(r.text), m.end+96); p++ {
		if o, ok := openerAt(r.text, p); ok {
			k, ok := keyBefore(r.text, m.end, o.start)
			return ok && isSpaceText(r.text[m.end:k.from])
		}
	}
	return false
}

// resultInBlock reports whether a fabricated result begins between the fields of a block (B14).
// last is the end of the block's last closer.
func (r *reader) resultInBlock(around surroundings, m marker, last int) bool {
	if r.dropping || around.ends() {
		return false
	}
	before := r.text[max(last, lineStart(r.text, m.start)):m.start]
	if lineStart(r.text, m.start) <= last {
		before = r.joined + before
	}
	return r.isResult(m, before, r.text[m.end:lineEnd(r.text, m.end)])
}
