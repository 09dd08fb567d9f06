package reference

import (
	"slices"
	"strings"
)

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

// isEmphasis reports whether s contains only blanks, emphasis and requests.
func isEmphasis(s string) bool { return strings.Trim(s, " \t　*_~\x00") == "" }

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

// drop, B14: what begins on this line, after the last request on it, is dropped. It is still
// examined for V15.
func (r *reader) drop() {
	start := r.lineAt
	if at := strings.LastIndexAny(r.lineText, "\x00\x01"); at >= 0 {
		start = r.pos - len(r.lineText[at+1:])
	}
	r.dropped = append(r.dropped, Span{start, len(r.text)})
	c := *r
	c.dropping, c.section, c.definition = true, nil, -1
	c.blocks, c.openers = nil, slices.Clone(r.openers)
	c.notices = nil
	c.ends = nil
	c.read() // openers excuse closers in it as in any text: the fields of a result are balanced
	r.closers = c.closers
	for _, e := range c.ends { // an END that belongs to no dropped block
		if e.harmless {
			continue
		}
		r.closers = append(r.closers, evidence{at: e.at, isEnd: true, code: e.code, fence: e.fence})
	}
	for _, b := range c.blocks {
		for _, s := range b.strays {
			r.closers = append(r.closers, evidence{at: s.start})
		}
	}
	r.pos = len(r.text)
}
