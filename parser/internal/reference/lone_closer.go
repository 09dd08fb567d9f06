package reference

import "strings"

// loneCloserInBlock reports whether the closing tag at p, between the fields of a block, is lone
// and ends the block (C3, C12). The body begins at the offset at, and last is the end of the last
// closer of a value.
func (r *reader) loneCloserInBlock(b *block, around surroundings, at, last, p int) bool {
	return r.loneCloserAfter(b, around, last, p, r.filler(b, at, p), true)
}

// loneCloserAfter reports whether the closing tag at p is lone and ends the block (C3). before is
// the text of the block before the tag, outside of values. last is the end of the last value.
// startCounts says that a START after the tag counts.
func (r *reader) loneCloserAfter(b *block, around surroundings, last, p int, before string, startCounts bool) bool {
	t, ok := r.closingTag(around, p)
	if !ok || around.quote {
		return false
	}
	if !strings.ContainsAny(r.text[b.start:p], "\r\n") {
		before = r.joined + before
	}
	line := lineStart(r.text, p)
	if openedBefore(before) || line >= last && quoteLine(r.text[line:p]) {
		return false
	}
	if line >= last && line > b.start && isBlankWide(r.text[line:p]) {
		return true
	}
	if rest := strings.TrimLeft(r.text[t.end:], " \t"); r.hermes && startCounts && rest != "" {
		// A result ends the request, too.
		m, ok := r.markerAt(len(r.text) - len(rest))
		if ok && m.kind == resultStart && r.objectAfter(m) {
			return true
		}
	}
	next, ok := r.afterCloser(t)
	return ok && (next == nil || startCounts && (!r.hermes || r.opensRequest(next.start)))
}

// closingTag reads a closing tag that may be lone. It returns false in fenced code, in reasoning,
// in dropped text and after a lone closing tag.
func (r *reader) closingTag(around surroundings, p int) (tag, bool) {
	t, ok := tagAt(r.text, p)
	return t, ok && t.closes && !r.loneSeen && !r.dropping && len(around.section) == 0 && around.fence == nil
}

// afterCloser reports whether at most 64 blanks follow a closer, and then a line break, the
// message's end, or a START, which it returns (C3).
func (r *reader) afterCloser(t tag) (start *marker, ok bool) {
	rest := strings.TrimLeft(r.text[t.end:], " \t")
	if len(r.text)-t.end-len(rest) > 64 {
		return nil, false
	}
	if rest == "" || rest[0] == '\n' || rest[0] == '\r' {
		return nil, true
	}
	m, ok := r.markerAt(len(r.text) - len(rest))
	return &m, ok && m.kind == requestStart
}
