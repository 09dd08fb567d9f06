package reference

import (
	"strings"
	"unicode"
)

// block reads the block that START opens, by the rows of section 1. It returns nil if START is
// text.
func (r *reader) block(m marker) *block {
	if r.hermes {
		return r.hermesBlock(m)
	}
	b := &block{start: m.start, around: r.around(), repairs: m.list(), style: m.style}
	runs := map[int]bool{}
	if !b.around.ends() && !r.dropping { // C9: elsewhere backticks mean nothing
		runs = openRuns(r.lineText)
	}
	at := r.doubledStart(b, m)
	if b.unmarked = r.unmarkedBody(b, m, at); b.unmarked != nil {
		r.fieldsOf(b, m, at, runs)
		return b
	}
	has, isText := r.hasField(b, m, at, runs)
	if isText || !has && m.style != "" {
		return nil
	}
	if !has {
		if first := r.firstMark(at, len(r.text)); meansRequest(r.text[at:min(first, at+1024)]) {
			// An opener after the first KiB is no field of B7, but its value is read all the same.
			if _, opens := openerAt(r.text, min(first, len(r.text)-1)); opens {
				b.defect("no_fields", b.start)
				r.fieldsOf(b, m, at, runs)
				return b
			}
		}
		return r.noFields(b, at, runs)
	}
	r.fieldsOf(b, m, at, runs)
	if b.style != "" && (!b.paired || b.has("no_fields")) { // B7
		return nil
	}
	return b
}

// doubledStart returns the offset after START. If only white space separates a second START from
// it, the two begin one block (B8), and doubledStart returns the offset after the second one.
func (r *reader) doubledStart(b *block, m marker) int {
	p := m.end
	for p < len(r.text) && isSpaceText(firstRune(r.text[p:])) {
		p += len(firstRune(r.text[p:]))
	}
	next, ok := r.markerOf(b, p)
	if !ok || next.kind != requestStart || b.style != "" {
		return m.end
	}
	if third := len(r.text) - len(strings.TrimLeftFunc(r.text[next.end:], unicode.IsSpace)); third < len(r.text) {
		if m3, ok := r.markerOf(b, third); ok && m3.kind == requestStart {
			return m.end // of three STARTs the first is text
		}
	}
	b.repairs = append(b.repairs, Repair{"doubled_start", Span{next.start, next.end}})
	b.repairs = append(b.repairs, next.list()...)
	return next.end
}

// hasField reports whether the block has a field (B7). at is the offset after START, and runs are
// the lengths of the runs of backticks that are open before START. isText reports that START is
// text, whatever the body contains: a code span around START ends before the first opener (C9), or
// the second point of B7 applies.
func (r *reader) hasField(b *block, m marker, at int, runs map[int]bool) (has, isText bool) {
	inLine := !r.alone(m, at) // START's line contains other text
	interrupted := false      // a reasoning opener or a fence, as in the second point of B7, comes before p
	paragraph := true         // START's line counts as text of a paragraph, whatever is around START or before it
	for p := at; p < len(r.text) && p-at < 1024; p++ {
		if inLine && p > at && isLineStart(r.text, p) {
			end := r.openerOrEnd(p, lineEnd(r.text, p))
			interrupted = interrupted || lines{paragraph: paragraph}.next(r.text, p, end).fence != nil
			paragraph = !isBlankText(r.text[p:end])
		}
		line := lineStart(r.text, p)
		if t, ok := tagAt(r.text, p); ok && inLine && !t.closes && isBlankText(r.text[line:p]) && line > at {
			interrupted = true
		}
		if r.text[p] == '`' && p < lineEnd(r.text, m.end) {
			n := runAt(r.text, p)
			if runs[n] {
				return false, true
			}
			p += n - 1
			continue
		}
		if next, ok := r.markerOf(b, p); ok && (next.kind == requestStart || next.kind == requestEnd) {
			return false, false
		}
		if o, ok := openerAt(r.text, p); ok && strings.Index(r.text[p:o.end], "始")+len("始") <= at+1024-p {
			return !interrupted, interrupted // up to 始 the opener is in the first KiB
		}
	}
	return false, false
}

// peek reads the block that START opens without moving the reader. before is the text of the line
// before START.
func (r *reader) peek(m marker, before string) *block {
	key := peeked{m.start, before}
	if b, ok := r.peeks[key]; ok {
		return b
	}
	c := *r
	c.pos, c.lineText = m.start, before
	b := c.block(m)
	r.peeks[key] = b
	return b
}
