package reference

import "strings"

// bareReply reads a reply that is nothing but calls without tags, and reports whether it is one
// (T14).
func (r *reader) bareReply() bool {
	start := r.pos
	if r.bareTried || !r.o.allows("bare_call") || strings.IndexByte(" \t\r\n", r.text[start]) >= 0 {
		return false
	}
	r.bareTried = true
	before := strings.Trim(strings.TrimPrefix(r.text[:start], "\ufeff"), " \t\r\n")
	if before != "" || r.text[lineStart(r.text, start):start] != "" && r.inQuote() || start >= 1024 || len(r.text)-start > 64<<10 {
		return false
	}
	m := marker{kind: requestStart, start: start, end: start}
	b := &block{start: start, around: surroundings{definition: -1}}
	j := &jsonReader{text: r.text, p: start, around: b.around, passed: -1, last: start, key: -1, maxKey: r.o.Limits.KeyBytes}
	body, fenced := r.bodyAt(b, m, j)
	if body < 0 || r.text[body] != '{' {
		return false
	}
	j.p = body
	r.calls(b, j, fenced)
	for _, p := range j.repairs {
		if p.Name != "several_calls" {
			return false
		}
	}
	isDefective := len(b.defects) > 0 && b.code() != "limit_exceeded" // a call past a limit is read as a call, too
	// b.truncated says here that the reply ends the calls, not a tag.
	if !b.truncated || b.open || isDefective || j.over || j.deep || !isBlankLines(r.text[b.end:]) {
		return false
	}
	if endsWithFence := r.text[b.end-1] != '}'; (fenced.run > 0) != endsWithFence {
		return false
	}
	for _, c := range b.calls {
		if !c.named || !c.object || c.other || c.codes["bad_key"] || c.codes["bare_value"] {
			return false
		}
	}
	b.members = j.memberSpans
	if fenced.run > 0 {
		b.repairs = append(b.repairs, Repair{"fenced_body", Span{fenced.start, fenced.body}})
	}
	b.repairs = append(b.repairs, Repair{"bare_call", Span{start, start}})
	b.repairs = append(b.repairs, j.repairs...)
	r.line, r.infoLine = lines{}, false // an open fence belongs to the calls
	r.add(b)
	return true
}

// bareObject gives a notice if, outside of tags, the arguments of an object come first or after a
// "name" (T9).
func (r *reader) bareObject() {
	at := r.pos
	for _, word := range []string{`"arguments":`, `"parameters":`} {
		if !strings.HasPrefix(r.text[at:], word) {
			continue
		}
		from := strings.LastIndexByte(r.text[:at], '{')
		if from < 0 || from < r.lastEnd() || at-from > 256 {
			return
		}
		if r.inCode(at+len(word)) || r.inQuote() || r.definition >= 0 || r.dropping {
			return
		}
		between := r.text[from+1 : at]
		if isBlankLines(between) || strings.Contains(between, `"name"`) {
			r.notices = append(r.notices, Notice{"malformed_request", Span{from, at + len(word)}})
		}
	}
}
