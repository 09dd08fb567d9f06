package reference

import "strings"

// isResult, B14: reports whether a result's marker stands as one would: its line holds nothing
// else, or a field follows directly. before is what stands before it on its line, with requests as
// NULs; behind is what stands behind it. Behind a request of several lines the line goes on from
// the one that the request begins on.
func (r *reader) isResult(m marker, before, behind string) bool {
	if r.hermes {
		return r.standsAlone(m, before[strings.LastIndexByte(before, 0)+1:])
	}
	for p := range behind { // one that opens no request counts, too
		if next, ok := markerAt(behind, p); ok && next.kind == requestStart {
			behind = behind[:p]
			break
		}
	}
	if isEmphasis(before) && isEmphasis(behind) {
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
