package reference

import (
	"strings"
	"unicode"
)

// opener reads an opener in text. It may begin the value of a bare field (B12). Otherwise a later
// closer may match it (V15).
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
	r.markSeen = true
	r.openers = append(r.openers, o.identity())
	r.pass(len(firstRune(r.text[o.start:]))) // only one character, because a mark may begin within an opener (V16)
}

// noticeEnd returns where the notice of a field in text ends: at the end of its opener. For an
// opener with a damaged tag (V16), it is after 始, because a mark in the rest of the tag counts.
func (in *input) noticeEnd(o mark) int {
	if o.form == badTagForm {
		return o.start + strings.Index(in.text[o.start:], "始") + len("始")
	}
	return o.end
}

// bareFields reads a request from fields at line starts (B12). k is the key of the first field, and
// o its opener. It returns false if the fields are text.
func (r *reader) bareFields(k fieldKey, o mark) bool {
	line := lineStart(r.text, k.from)
	before := r.text[line:k.from]
	head := strings.TrimSuffix(r.text[:line], "\ufeff") // a byte order mark counts for the limit
	if o.start-len(head) > 64 || r.markSeen || r.section != nil || !r.o.allows("bare_fields") || !isBlankWide(before) {
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
		if len(b.fields) == 2 && f.key.name == "status" {
			return false
		}
		if done {
			break
		}
		floor = f.value.after
		next, ok := r.nextBareField(floor)
		if !ok {
			break
		}
		o = next
	}
	b.ended = !b.open
	// The request begins before the opener that was found.
	r.pos, r.lineAt = k.from, lineStart(r.text, k.from)
	r.lineText = r.text[r.lineAt:k.from]
	r.joined = r.lineText
	r.add(b)
	return true
}

// nextBareField returns the opener of the field that follows a bare field, which ends at end. That
// next field begins a line, and only commas, white space and zero-width characters are between the
// two.
func (in *input) nextBareField(end int) (mark, bool) {
	for p := end; p < len(in.text); p++ {
		o, ok := openerAt(in.text, p)
		if !ok {
			continue
		}
		k, ok := keyBefore(in.text, end, o.start)
		if !ok || lineStart(in.text, k.from) < end {
			return mark{}, false
		}
		isContent := func(c rune) bool {
			return !isComma(c) && !unicode.IsSpace(c) && !strings.ContainsRune(zeroWidth, c)
		}
		return o, strings.IndexFunc(in.text[end:k.from], isContent) < 0
	}
	return mark{}, false
}
