package reference

import "strings"

// isResult reports whether a result's marker counts, because its line contains nothing else or a
// field directly follows it (B14). before is the text before it on its line, in which a NUL stands
// for a request, and after is the text after it. A request of several lines does not end its line:
// the text before its START is part of before.
func (r *reader) isResult(m marker, before, after string) bool {
	if r.hermes {
		return r.standsAlone(m, before[strings.LastIndexByte(before, 0)+1:])
	}
	for p := range after { // a START that opens no request counts as a request here
		if next, ok := markerAt(after, p); ok && next.kind == requestStart {
			after = after[:p]
			break
		}
	}
	if isEmphasis(before) && isEmphasis(after) {
		return true
	}
	for p := m.end; p < len(r.text); p++ {
		if o, ok := openerAt(r.text, p); ok {
			k, ok := keyBefore(r.text, m.end, o.start)
			return ok && isSpaceText(r.text[m.end:k.from])
		}
	}
	return false
}

// resultInBlock reports whether a fabricated result begins between the fields of a block (B14). The
// last closer of the block ends at last.
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
