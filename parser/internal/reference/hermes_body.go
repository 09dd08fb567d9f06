package reference

// startIsQuoted reports whether the line of a START begins with '>', less than 96 bytes before it
// (T3).
func (in *input) startIsQuoted(m marker) bool {
	line := in.text[lineStart(in.text, m.start):m.start]
	return len(line) < 96 && hasQuoteSign(line)
}

// bodyAt returns the start of a request's JSON, and the fence around it (T3). The start is -1 if
// START is text or the body is in another form.
func (in *input) bodyAt(b *block, m marker, j *jsonReader) (int, fence) {
	j.quoted = in.startIsQuoted(m)
	j.around = surroundings{definition: -1} // their end is determined later
	defer func() {
		if b != nil {
			j.around = b.around
		}
	}()
	fenced := false
	object := func() bool { // reports whether the JSON of a request comes next, and moves j.p there
		if j.p-m.end >= 1024 || j.space() != whole {
			return false
		}
		if in.text[j.p] == '{' {
			return true
		}
		if in.text[j.p] != '[' {
			return false
		}
		at := j.p
		j.p++
		ok := fenced || j.space() == whole && in.text[j.p] == '{' && j.p-at-1 <= 24
		j.p = at
		return ok
	}
	if object() {
		if j.p-m.end >= 1024 {
			return -1, fence{}
		}
		return j.p, fence{}
	}
	if j.p >= len(in.text) || j.p-m.end >= 1024 {
		return -1, fence{}
	}
	f, ok := fenceOpener(in.text[j.p:lineEnd(in.text, j.p)])
	if !ok || lineEnd(in.text, j.p)-j.p > 24 {
		return -1, fence{}
	}
	f.start, f.body = j.p, lineEnd(in.text, j.p) // body begins with the line break, unlike that of other fences
	j.p, fenced = f.body, true
	if !object() || j.p-f.body-1 > 24 {
		return -1, fence{}
	}
	return j.p, f
}

// opensRequest reports whether a START at p opens a request (T6, T13).
func (in *input) opensRequest(p int) bool {
	m, ok := hermesMarkerAt(in.text, p)
	if !ok || m.kind != requestStart {
		return false
	}
	j := &jsonReader{text: in.text, p: m.end, passed: -1}
	body, _ := in.bodyAt(nil, m, j)
	return body >= 0 || in.otherFormAt(m)
}
