package reference

import "strings"

// hermesBlock reads the request that START opens. It returns nil if START is text.
func (r *reader) hermesBlock(m marker) *block {
	b := &block{start: m.start, around: r.around(), repairs: m.list()}
	if !b.around.ends() && !r.dropping {
		b.runs = openRuns(r.lineText)
	}
	j := &jsonReader{
		text: r.text, p: m.end, quoted: b.around.quote, around: b.around, passed: -1, last: m.end, key: -1,
		maxKey: r.o.Limits.KeyBytes, singleQuotes: r.o.allows("single_quotes"),
	}
	if len(b.runs) > 0 && closingRun(strings.TrimLeft(r.text[m.end:lineEnd(r.text, m.end)], " \t"), b.runs) == 0 {
		return nil // C9: closed before the body
	}
	body, fenced := r.bodyAt(b, m, j)
	around := b.around
	for p := m.end; p <= body; p++ {
		lone := !b.around.ends() && r.loneCloserAfter(b, b.around, m.end, p, r.text[m.end:p], true)  // C3
		if lone || isLineStart(r.text, p) && around.endsAt(r.text, p) || around.tagEnds(r.text, p) { // C12
			b.end = m.end
			b.defect("unclosed_block", b.start)
			return b
		}
	}
	if body < 0 {
		if !r.otherFormAt(m) {
			return nil
		}
		b.defect("ambiguous_value", b.start) // T4
		r.breakAt(b, m.end, m.end, false)
		if b.hasEnd {
			r.spanAfter(b, b.end, b.runs)
		}
		if b.startIsText {
			return nil
		}
		return b
	}
	if fenced.run > 0 { // J1
		b.repairs = append(b.repairs, Repair{"fenced_body", Span{fenced.start, fenced.body}})
	}
	j.p = body
	j.runs, j.runsTo = b.runs, lineEnd(r.text, m.end)
	r.calls(b, j, fenced)
	b.members = j.memberSpans
	b.repairs = append(b.repairs, j.repairs...)
	if r.refusesQuotes(j) { // J9
		b.defect("ambiguous_value", b.start)
	}
	if j.over || j.deep {
		b.passLimit()
	}
	if j.overAt > 0 {
		b.dropRepairs(j.overAt, !b.truncated)
	}
	if j.passed >= 0 && b.has("ambiguous_value") { // C12
		b.pastSurroundings = true
		b.defect("ambiguous_value", b.start)
	}
	if b.startIsText {
		return nil
	}
	if !b.around.span && (b.hasEnd || b.hasValue) {
		r.spanAfter(b, b.end, b.runs)
	}
	return b
}
