package reference

import (
	"strings"
	"unicode"
)

// opener reads an opener in text: it may excuse a closer (V15), or begin the value of a bare field
// (B12).
func (r *reader) opener(o mark) {
	k, keyed := keyBefore(r.text, r.lastEnd(), o.start)
	if keyed && isToolName(k.name) && !r.inCode(o.end) && !r.inQuote() && r.definition < 0 && !r.dropping {
		if r.bareFields(k, o) {
			return
		}
		if !k.hidden {
			r.notices = append(r.notices, Notice{"malformed_request", Span{k.start, r.noticeEnd(o)}})
		}
	}
	r.seen = true
	r.openers = append(r.openers, o.excuse())
	r.pass(len(firstRune(r.text[o.start:]))) // V16: a mark may begin in an opener
}

// noticeEnd returns where the notice of a field in text ends: at the end of its opener, or, for an
// opener of V16, after its 始, because a mark in its tail counts.
func (in *input) noticeEnd(o mark) int {
	if o.form == badTagForm {
		return o.start + strings.Index(in.text[o.start:], "始") + len("始")
	}
	return o.end
}

// bareFields reads, at greedy, a request from fields at line starts (B12): the first is tool_name
// and no mark comes before them.
func (r *reader) bareFields(k fieldKey, o mark) bool {
	if r.seen || r.section != nil || !r.o.allows("bare_fields") || !isBlankWide(r.text[lineStart(r.text, k.from):k.from]) {
		return false
	}
	b := &block{start: k.from, bare: true, around: surroundings{definition: -1}}
	b.repairs = append(b.repairs, Repair{"bare_fields", Span{k.from, k.from}})
	floor := r.lastEnd()
	for {
		done := r.field(b, o, floor, false, b.around)
		f := b.fields[len(b.fields)-1]
		if r.markerIn(f.value.start, f.value.after) {
			return false
		}
		b.end = f.value.after
		if done {
			break
		}
		if len(b.fields) == 2 && f.key.name == "status" {
			return false
		}
		floor = f.value.after
		next, ok := r.nextBareField(floor)
		if !ok {
			break
		}
		o = next
	}
	b.ended = !b.open
	r.pos, r.lineAt = k.from, lineStart(r.text, k.from)
	r.lineText = r.text[r.lineAt:k.from]
	r.joined = r.lineText
	r.add(b)
	return true
}

// nextBareField returns the opener of the field that follows a bare field. That field begins a
// line, and only commas and white space are between the two.
func (in *input) nextBareField(from int) (mark, bool) {
	for p := from; p < len(in.text); p++ {
		o, ok := openerAt(in.text, p)
		if !ok {
			continue
		}
		k, ok := keyBefore(in.text, from, o.start)
		if !ok || lineStart(in.text, k.from) < from {
			return mark{}, false
		}
		means := func(c rune) bool {
			return !isComma(c) && !unicode.IsSpace(c) && !strings.ContainsRune(zeroWidth, c)
		}
		return o, strings.IndexFunc(in.text[from:k.from], means) < 0
	}
	return mark{}, false
}
