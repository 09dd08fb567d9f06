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
	runs := map[int]bool{}
	if !b.around.ends() {
		runs = openRuns(r.lineText)
	}
	j := &jsonReader{text: r.text, end: len(r.text), p: m.end, quoted: b.around.quote, around: b.around, passed: -1}
	if len(runs) > 0 && closingRun(strings.TrimLeft(r.text[m.end:lineEnd(r.text, m.end)], " \t"), runs) == 0 {
		return nil // C9: closed before the body
	}
	body, fenced := r.bodyAt(b, m, j)
	for p := m.end; p < body; p++ {
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
		r.breakAt(b, m.end)
		if closingRun(r.text[m.end:max(m.end, min(b.end, lineEnd(r.text, m.end)))], runs) >= 0 { // C9: a mention
			return nil
		}
		if b.hasEnd {
			r.hermesSpan(b, runs)
		}
		return b
	}
	if fenced.run > 0 { // J1
		b.repairs = append(b.repairs, Repair{"fenced_body", Span{fenced.start, fenced.body}})
	}
	j.p = body
	r.calls(b, j, fenced)
	b.repairs = append(b.repairs, j.repairs...)
	for _, p := range j.repairs {
		if p.Name == "single_quotes" && !r.o.allows(p.Name) { // J9
			b.defect("ambiguous_value", b.start)
		}
	}
	if j.over || j.deep {
		b.defect("limit_exceeded", b.start)
	}
	if j.passed >= 0 && (b.has("ambiguous_value") || b.open && r.hermesEndIn(j.passed)) { // C12
		b.swallowed = true
		b.defect("ambiguous_value", b.start)
	}
	r.hermesSpan(b, runs)
	return b
}

// bodyAt, T3: returns where the JSON of a request begins, -1 if START is text or the body is in
// another form; and the fence around it.
func (r *reader) bodyAt(b *block, m marker, j *jsonReader) (int, fence) {
	j.quoted = quoteLine(r.text[lineStart(r.text, m.start):m.start])
	j.around = surroundings{definition: -1} // where they end is told later
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
	if !ok {
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

// startEnd returns where the START of a block ends.
func (r *reader) startEnd(b *block) int {
	m, _ := hermesMarkerAt(r.text, b.start)
	return m.end
}

// breakAt, J12: from p on nothing tells what is in a string: the request reaches to the next END in
// whatever place, or to where another begins.
func (r *reader) breakAt(b *block, p int) {
	around, from := b.around, p
	for ; p < len(r.text); p++ {
		if isLineStart(r.text, p) && p > from && around.endsAt(r.text, p) || around.tagEnds(r.text, p) { // C12
			b.end = from
			b.defect("unclosed_block", b.start)
			return
		}
		m, ok := hermesMarkerAt(r.text, p)
		if !ok {
			continue
		}
		switch {
		case m.kind == requestEnd:
			b.repairs = append(b.repairs, m.list()...)
			b.end, b.ended, b.hasEnd = m.end, true, true
			return
		case m.kind == requestStart && r.opensRequest(p), m.kind == resultStart && r.objectBehind(m):
			b.end = p
			return
		}
	}
	b.end = len(r.text)
}

// breakPlain is breakAt without the surroundings, which have ended.
func (r *reader) breakPlain(b *block, p int) {
	plain := *b
	plain.around = surroundings{definition: -1}
	r.breakAt(&plain, p)
	b.end, b.ended, b.hasEnd = plain.end, plain.ended, plain.hasEnd
	b.defect("ambiguous_value", b.start)
}

// hermesStops ends a request whose JSON does not end: T12, T13, J12 and C12.
func (r *reader) hermesStops(b *block, j *jsonReader, o outcome) {
	switch o {
	case broken:
		b.defect("ambiguous_value", b.start)
		r.breakAt(b, j.p)
	case ended: // C12
		b.defect("unclosed_block", b.start)
		b.end = max(r.startEnd(b), len(strings.TrimRight(r.text[:j.p], "> \t\r\n")))
		if !isBlankText(r.text[j.p:lineEnd(r.text, j.p)]) {
			r.breakPlain(b, j.p)
		}
	case cut:
		b.end, b.cut = len(r.text), true
		if b.valueOpen {
			b.open = true
			b.defect("unclosed_value", b.start)
		} else {
			b.defect("unclosed_block", b.start)
		}
	}
}

func (r *reader) hermesEndIn(from int) bool {
	for p := from; p < len(r.text); p++ {
		if m, ok := hermesMarkerAt(r.text, p); ok && m.kind == requestEnd {
			return true
		}
	}
	return false
}

// hermesSpan, C9: a code span that is open before START quotes the request.
func (r *reader) hermesSpan(b *block, runs map[int]bool) { r.spanBehind(b, b.end, runs) }
