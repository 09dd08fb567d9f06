package reference

import (
	"slices"
	"strings"
	"unicode"
)

// endsAt ends a block with its END.
func (r *reader) endsAt(b *block, m marker, at int, other bool, runs map[int]bool) {
	b.end, b.ended, b.beforeMark, b.hasEnd = m.end, true, true, true
	if other && b.has("no_fields") && !r.complete(r.filler(b, at, m.start)) {
		b.defect("ambiguous_value", b.start)
	}
	r.spanBehind(b, m.end, runs)
}

// endsAtStart, B11: a START outside a value ends the block before it.
func (r *reader) endsAtStart(b *block, last, at int, other bool, start int, runs map[int]bool) {
	r.spanBehind(b, last, runs)
	if other && b.has("no_fields") && !r.complete(r.filler(b, at, start)) {
		b.defect("ambiguous_value", b.start)
	}
	b.beforeMark = true
	if r.o.allows("missing_block_end") && r.o.Level == Greedy && !b.refused() {
		r.without(b, last, "")
		b.ended = true
		b.repairs = append(b.repairs, Repair{"missing_block_end", Span{last, last}})
		return
	}
	r.without(b, last, "unclosed_block")
}

// endsWithSurroundings, C12: a block ends with its surroundings, and B9 does not complete it.
func (r *reader) endsWithSurroundings(b *block, last int) { r.without(b, last, "unclosed_block") }

// endsWithMessage, B9 and B10: there is no END up to the message's end.
func (r *reader) endsWithMessage(b *block, last int) {
	holdsEnd := false
	for _, f := range b.fields {
		holdsEnd = holdsEnd || f.value.holdsEnd
	}
	b.cut = true
	if b.around.ends() || b.around.span || holdsEnd || r.fieldToFollow(last) {
		r.without(b, last, "unclosed_block")
		return
	}
	if !r.o.Stop {
		r.without(b, last, "unclosed_block")
		return
	}
	bare := b.has("bare_value") // B9: a bare value after the last closer counts only here
	r.without(b, last, "")
	if bare {
		b.defect("bare_value", last)
	}
	b.ended = true
	if !b.refused() {
		b.repairs = append(b.repairs, Repair{"missing_block_end", Span{last, last}})
	}
}

// refused reports whether a block is refused for any end; then it lists no missing_block_end.
func (b *block) refused() bool {
	refusing := []string{"ambiguous_value", "bad_tag", "bad_key", "stray_closer", "no_fields", "bare_value"}
	return slices.ContainsFunc(refusing, b.has)
}

// fieldToFollow, B9: reports whether the last line is only a key and a separator.
func (r *reader) fieldToFollow(last int) bool {
	tail := strings.TrimRightFunc(r.text[last:], unicode.IsSpace)
	line := strings.TrimLeftFunc(tail[strings.LastIndexAny(tail, "\r\n")+1:], func(c rune) bool { return isOnlyComma(c) || strings.ContainsRune(wideBlanks, c) })
	rest, key := bareKey(line)
	return key && rest == ""
}

// without ends a block without END at its last closer. The input after it is read again, and is not
// part of the block.
func (r *reader) without(b *block, last int, code string) {
	b.end = last
	var defects []defect
	for _, d := range b.defects {
		if d.at < last {
			defects = append(defects, d)
		}
	}
	b.defects = defects
	var strays []mark
	for _, c := range b.strays {
		if c.start < last {
			strays = append(strays, c)
		}
	}
	b.strays = strays
	if code != "" {
		b.defect(code, last)
	}
}

// tooLong, B15 and C9: reports whether one of the values of a block ends past the limit of its
// size.
func (r *reader) tooLong(b *block) bool {
	for _, f := range b.fields {
		if f.value.after-b.start > r.o.Limits.BlockBytes {
			return true
		}
	}
	return false
}

// endIn returns where the first END in text[from:to] begins, -1 if there is none.
func (r *reader) endIn(from, to int) int {
	for i := from; i < to; i++ {
		if m, ok := markerAt(r.text, i); ok && m.kind == requestEnd && m.end <= to {
			return i
		}
	}
	return -1
}
