package reference

import "strings"

// ReadHermes reads a reply in the form of docs/hermes.md.
func ReadHermes(text string, o Options) Reply {
	o.Limits = o.Limits.withDefaults()
	r := newReader(text, o)
	r.hermes = true
	r.read()
	return r.reply()
}

// hermesBlock reads the request that START opens, nil if START is text.
func (r *reader) hermesBlock(m marker) *block {
	b := &block{start: m.start, around: r.around(), repairs: m.list()}
	if !b.around.ends() && !r.dropping {
		b.runs = openRuns(r.lineText)
	}
	j := &jsonReader{text: r.text, end: len(r.text), p: m.end, quoted: b.around.quote, around: b.around, passed: -1, last: m.end, key: -1}
	if len(b.runs) > 0 && closingRun(strings.TrimLeft(r.text[m.end:lineEnd(r.text, m.end)], " \t"), b.runs) == 0 {
		return nil // C9: closed before the body
	}
	body, fenced := r.bodyAt(b, m, j)
	for p := m.end; p <= body; p++ {
		if isLineStart(r.text, p) && b.around.endsAt(r.text, p) { // C12
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
		r.breakAt(b, m.end, m.end)
		if b.hasEnd {
			r.spanBehind(b, b.end, b.runs)
		}
		if b.mention {
			return nil
		}
		return b
	}
	if fenced.run > 0 { // J1
		b.repairs = append(b.repairs, Repair{"fenced_body", Span{fenced.start, fenced.body}})
	}
	j.p = body
	r.calls(b, j, fenced)
	b.members = j.fields
	b.repairs = append(b.repairs, j.repairs...)
	for _, p := range j.repairs {
		if p.Name == "single_quotes" && !r.o.allows(p.Name) { // J9
			b.defect("ambiguous_value", b.start)
		}
	}
	if j.over || j.deep {
		b.defect("limit_exceeded", b.start)
	}
	if j.passed >= 0 && b.has("ambiguous_value") { // C12
		b.swallowed = true
		b.defect("ambiguous_value", b.start)
	}
	if b.mention {
		return nil
	}
	if !b.around.span && (b.hasEnd || b.keyed) {
		r.spanBehind(b, b.end, b.runs)
	}
	return b
}

// bodyAt, T3: returns the start of a request's JSON, and the fence around it. The start is -1 if
// START is text or the body is in another form.
func (r *reader) bodyAt(b *block, m marker, j *jsonReader) (int, fence) {
	j.quoted = quoteLine(r.text[lineStart(r.text, m.start):m.start])
	j.around = surroundings{definition: -1} // their end is determined later
	defer func() {
		if b != nil {
			j.around = b.around
		}
	}()
	fenced := false
	object := func() bool {
		if j.p-m.end >= 1024 || j.space() != whole {
			return false
		}
		if r.text[j.p] == '{' {
			return true
		}
		if r.text[j.p] != '[' {
			return false
		}
		at := j.p
		j.p++
		ok := fenced || j.space() == whole && r.text[j.p] == '{'
		j.p = at
		return ok
	}
	if object() {
		if j.p-m.end >= 1024 {
			return -1, fence{}
		}
		return j.p, fence{}
	}
	if j.p >= len(r.text) || j.p-m.end >= 1024 {
		return -1, fence{}
	}
	f, ok := fenceOpener(r.text[j.p:lineEnd(r.text, j.p)])
	if !ok || lineEnd(r.text, j.p)-j.p > 24 {
		return -1, fence{}
	}
	f.start, f.body = j.p, lineEnd(r.text, j.p)
	j.p, fenced = f.body, true
	if !object() {
		return -1, fence{}
	}
	return j.p, f
}

// opensRequest reports whether a START at p opens a request (T6, T13).
func (r *reader) opensRequest(p int) bool {
	m, ok := hermesMarkerAt(r.text, p)
	if !ok || m.kind != requestStart {
		return false
	}
	j := &jsonReader{text: r.text, end: len(r.text), p: m.end, passed: -1}
	body, _ := r.bodyAt(nil, m, j)
	return body >= 0 || r.otherFormAt(m)
}

// breakAt, J12: from p on it is unknown what is in a string. The request reaches to the next END in
// any place, or to the start of another. last is the offset at which it ends with its surroundings
// (T13).
func (r *reader) breakAt(b *block, p, last int) {
	around, from := b.around, p
	floor := from // a line on which a closing tag is first begins here at the earliest
	if from == last {
		floor++ // T13: not in place of a value
	}
	for ; p < len(r.text); p++ {
		if isLineStart(r.text, p) && p > from && around.endsAt(r.text, p) || around.tagEnds(r.text, p) ||
			len(b.calls) > 0 && !around.ends() && r.loneCloserAfter(b, around, floor, p, r.text[from:p], true) { // C12 and C3; T4 has no calls
			b.end = last
			b.defect("unclosed_block", b.start)
			return
		}
		if n := runAt(r.text, p); n > 0 && p < lineEnd(r.text, b.start) { // C9
			if b.runs[n] {
				b.mention, b.around.span = !b.keyed, b.keyed
				b.end = last
				b.defect("unclosed_block", b.start)
				return
			}
			p += n - 1
			continue
		}
		m, ok := hermesMarkerAt(r.text, p)
		if !ok {
			continue
		}
		switch {
		case m.kind == requestEnd:
			b.repairs = append(b.repairs, m.list()...)
			b.end, b.ended, b.hasEnd, b.names = m.end, true, true, around.section
			return
		case m.kind == requestStart && r.opensRequest(p), m.kind == resultStart && r.objectBehind(m):
			b.end, b.names = p, around.section
			return
		}
	}
	b.end = len(r.text)
}

// keyIsOpen, C12: the message ends in a key or directly after it. The key does not count as a
// string yet: the surroundings may end in it, but a START in it means nothing.
func (r *reader) keyIsOpen(b *block, j *jsonReader) bool {
	around := b.around
	for p := j.key; j.key >= 0 && p < len(r.text); p++ {
		if isLineStart(r.text, p) && around.endsAt(r.text, p) || around.tagEnds(r.text, p) || !around.ends() && r.loneCloserAfter(b, around, j.key, p, r.text[j.key:p], false) {
			return true
		}
	}
	return false
}

// hermesStops ends a request whose JSON does not end: T12, T13, J12 and C12.
func (r *reader) hermesStops(b *block, j *jsonReader, o outcome) {
	switch o {
	case broken:
		b.defect("ambiguous_value", b.start)
		r.breakAt(b, j.p, j.last)
	case ended: // C12
		b.defect("unclosed_block", b.start)
		b.end = j.last
		if !isBlankText(r.text[j.p:lineEnd(r.text, j.p)]) { // J12
			b.defect("ambiguous_value", b.start)
		}
	case cut:
		if r.keyIsOpen(b, j) {
			b.defect("unclosed_block", b.start)
			b.end = j.last
			return
		}
		b.end, b.cut = len(r.text), true
		if b.valueOpen {
			b.open = true
			b.defect("unclosed_value", b.start)
		} else {
			b.defect("unclosed_block", b.start)
		}
	}
}
