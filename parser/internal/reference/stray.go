package reference

import (
	"slices"
	"strings"
)

// closer reads a closer in text (V15).
func (r *reader) closer(c mark) {
	r.markSeen = true
	e := evidence{at: c.start, code: r.inCode(c.end), fence: r.line.fence}
	for i, o := range slices.Backward(r.openers) {
		if o.family == c.family && (!c.blank || o.blank) { // V6: 「始」 closes at 「末」 only
			r.openers = slices.Delete(r.openers, i, i+1)
			e.matched = true
			break
		}
	}
	r.closers = append(r.closers, e)
	r.pass(c.end - c.start)
}

// harmlessEnd reports whether an END is directly after a request, or after another such END (T7).
func (r *reader) harmlessEnd(m marker) bool {
	if !r.hermes || len(r.blocks) == 0 {
		return false
	}
	after := r.blocks[len(r.blocks)-1].end
	if n := len(r.ends); n > 0 && r.ends[n-1].harmless {
		after = max(after, r.ends[n-1].end)
	}
	return strings.Trim(r.text[after:m.start], " \t\r\n") == ""
}

// between reports whether there is something between the last block and p (V15).
func (r *reader) between(p int) bool {
	from := r.lastEnd()
	return from < p && !isSpaceText(r.text[from:p])
}
