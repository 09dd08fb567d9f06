package reference

import "strings"

// isResult, B14: reports whether a result begins at a marker: the marker is alone on its line, or a
// field follows directly. before is the text before the marker on its line, with requests as NULs;
// after is the text after it. The line on which a request begins continues after the request, even
// if the request has several lines.
func (r *reader) isResult(m marker, before, after string) bool {
	if r.hermes {
		return r.standsAlone(m, before[strings.LastIndexByte(before, 0)+1:])
	}
	for p := range after { // a START counts even if it opens no request
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

// resultInBlock, B14: reports whether a fabricated result begins between the fields of a block.
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
