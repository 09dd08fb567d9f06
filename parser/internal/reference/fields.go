package reference

import "strings"

// fieldsOf reads the fields of a block and the text between them, up to the end of the block. at is
// the offset after START, and runs are the lengths of the runs of backticks that are open before
// START.
func (r *reader) fieldsOf(b *block, m marker, at int, runs map[int]bool) {
	around := b.around
	tagsAtLastCloser := around.section // the reasoning tags that were open after the last closer
	defer func() {
		if !b.hasEnd {
			b.openTags = tagsAtLastCloser
		}
	}()
	startLineEnd := lineEnd(r.text, m.end)
	last := at // where the last closer ended
	other := otherForm(r.text[at:r.openerOrEnd(at, len(r.text))])
	floor := at                                               // where the next key may begin
	firstIsText := !r.isFieldInOtherForm(b, r.firstField(at)) // the first field is text of a body in JSON or in tags
	for p := at; p < len(r.text); p++ {
		if p > at && isLineStart(r.text, p) && p >= floor {
			if r.surroundingsEndAt(around, p) && !r.beforeOpener(floor, p) {
				r.endsWithSurroundings(b, last)
				return
			}
		}
		if b.unmarked == nil && p >= floor && isLineStart(r.text, p) {
			r.bareValue(b, p)
		}
		if around.tagEnds(r.text, p) ||
			!(other && firstIsText && len(b.fields) == 0) && r.loneCloserInBlock(b, around, at, last, p) {
			r.endsWithSurroundings(b, last)
			return
		}
		b.openTags = around.section
		if u := b.unmarked; u != nil && p == u.start {
			r.unmarkedField(b)
			p, last, floor, tagsAtLastCloser = u.end-1, u.end, u.end, around.section
			continue
		}
		if r.text[p] == '`' && p < startLineEnd {
			n := runAt(r.text, p)
			if runs[n] && len(b.fields) > 0 && !b.tooLong(r.o.Limits.BlockBytes) {
				b.around.span = true
				r.endsWithSurroundings(b, last)
				return
			}
			p += n - 1
			continue
		}
		if next, ok := r.markerOf(b, p); ok {
			switch next.kind {
			case requestEnd:
				b.repairs, b.paired = append(b.repairs, next.list()...), next.style == b.style
				r.endsAt(b, next, at, other, runs)
				return
			case requestStart:
				r.endsAtStart(b, last, at, other, next.start, runs)
				return
			case resultStart:
				if r.resultInBlock(around, next, last) {
					if len(b.fields) > 0 {
						r.spanAfter(b, last, runs) // C9
					}
					b.endAtCloser(last, "unclosed_block")
					return
				}
			}
			p = next.end - 1
			continue
		}
		if c, ok := closerAt(r.text, p); ok {
			b.strays = append(b.strays, c)
			b.defect("stray_closer", p)
			p, last, tagsAtLastCloser = c.end-1, c.end, around.section
			continue
		}
		op, ok := openerAt(r.text, p)
		if !ok {
			continue
		}
		if r.field(b, op, floor, other, around) {
			return
		}
		tagsAtLastCloser = around.section
		f := b.fields[len(b.fields)-1]
		if f.value.pastSurroundings {
			around = surroundings{definition: -1} // the surroundings have ended
		}
		p, last, floor = f.value.after-1, f.value.after, f.value.after
	}
	r.endsWithMessage(b, last)
}

// beforeOpener reports whether the line that begins at p begins between a key and its opener (C12).
func (in *input) beforeOpener(floor, p int) bool {
	k, ok := keyBefore(in.text, floor, in.openerOrEnd(p, len(in.text)))
	return ok && k.from < p
}

// firstField reads the key of the first field after at.
func (in *input) firstField(at int) (f field) {
	f.op.start = in.openerOrEnd(at, len(in.text))
	f.key, f.keyed = keyBefore(in.text, at, f.op.start)
	return f
}

// field reads the field of the opener op, and reports whether the block has ended with it. The key
// may begin at floor or later. other says that the body begins as JSON or as a tag (B7).
func (in *input) field(b *block, op mark, floor int, other bool, around surroundings) bool {
	f := field{op: op}
	f.key, f.keyed = keyBefore(in.text, floor, op.start)
	if !f.keyed {
		b.defect("bad_key", op.start)
	}
	if len(b.fields) == 0 && other && !in.isFieldInOtherForm(b, f) {
		b.defect("no_fields", op.start)
	}
	if !f.key.hidden {
		b.repairs = append(b.repairs, f.key.repairs...)
	}
	if op.variant() && !f.key.hidden {
		b.repairs = append(b.repairs, Repair{"value_variant", Span{op.start, op.end}})
	}
	if op.form == badTagForm && !f.key.hidden {
		b.defect("bad_tag", op.start)
	}
	over := len(b.fields) >= in.o.Limits.Fields
	for _, g := range append(b.fields, f) {
		over = over || g.key.end-g.key.start > in.o.Limits.KeyBytes
	}
	f.value = in.value(op, around, over)
	v := f.value
	if v.endedBy != nil {
		b.repairs = append(b.repairs, *v.endedBy)
		if v.endedBy.Name != "unclosed_value" {
			b.early = append(b.early, f)
		}
	}
	if v.ambiguous {
		b.defect("ambiguous_value", op.start)
	}
	if v.pastSurroundings {
		b.pastSurroundings = true
		b.defect("ambiguous_value", op.start)
	}
	b.fields = append(b.fields, f)
	if v.blockEnd != nil {
		b.repairs = append(b.repairs, v.blockEnd.list()...)
		b.end, b.ended, b.hasEnd = v.blockEnd.end, true, true
		return true
	}
	if !v.closed {
		b.open, b.truncated, b.end = true, true, len(in.text)
		b.defect("unclosed_value", op.start)
		return true
	}
	return false
}

// bareValue finds a line of a key, a separator and a value without an opener (F12).
func (in *input) bareValue(b *block, p int) {
	end := lineEnd(in.text, p)
	for q := p; q < end; q++ {
		if m, ok := markerAt(in.text, q); ok && (m.kind == requestEnd || m.kind == requestStart) {
			end = q
			break
		}
	}
	if f := in.firstField(p); f.keyed && f.key.from < end && f.op.start < len(in.text) {
		return // the line has the key of a field, whose opener is on it or on the next line
	}
	line := in.text[p:end]
	for q := range line {
		if _, ok := openerAt(line, q); ok {
			return
		}
	}
	_, _, rest, ok := bareKey(line)
	if ok && !isSpaceText(rest) && !strings.HasPrefix(rest, "//") {
		b.defect("bare_value", p)
	}
}

// unmarkedField reads an unmarked body as the value of a field without a key.
func (in *input) unmarkedField(b *block) {
	u := b.unmarked
	b.repairs = append(b.repairs, Repair{u.repair, Span{u.start, u.end}})
	f := field{op: mark{start: u.start, end: u.start, form: taggedForm}}
	f.value = value{start: u.start, end: u.end, after: u.end, closed: true}
	b.fields = append(b.fields, f)
}
