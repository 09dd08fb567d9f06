package reference

import (
	"strings"
	"unicode"
)

// endsAt ends a block with its END.
func (in *input) endsAt(b *block, m marker, at int, other bool, runs map[int]bool) {
	b.end, b.ended, b.beforeMark, b.hasEnd = m.end, true, true, true
	if other && b.has("no_fields") && !complete(in.filler(b, at, m.start)) {
		b.defect("ambiguous_value", b.start)
	}
	in.spanAfter(b, m.end, runs)
}

// endsAtStart, B11: a START outside a value ends the block before it.
func (in *input) endsAtStart(b *block, last, at int, other bool, start int, runs map[int]bool) {
	in.spanAfter(b, last, runs)
	if other && b.has("no_fields") && !complete(in.filler(b, at, start)) {
		b.defect("ambiguous_value", b.start)
	}
	b.beforeMark = true
	if in.o.allows("missing_block_end") && in.o.Level == Greedy && !b.refused() {
		b.without(last, "")
		b.ended = true
		b.repairs = append(b.repairs, Repair{"missing_block_end", Span{last, last}})
		return
	}
	b.without(last, "unclosed_block")
}

// endsWithSurroundings, C12: a block ends with its surroundings, and B9 does not complete it.
func (in *input) endsWithSurroundings(b *block, last int) { b.without(last, "unclosed_block") }

// endsWithMessage, B9 and B10: there is no END up to the message's end.
func (in *input) endsWithMessage(b *block, last int) {
	holdsEnd := false
	for _, f := range b.fields {
		holdsEnd = holdsEnd || f.value.holdsEnd
	}
	b.cut = true
	if b.around.ends() || b.around.span || holdsEnd || in.fieldToFollow(last) {
		b.without(last, "unclosed_block")
		return
	}
	if !in.o.Stop {
		b.without(last, "unclosed_block")
		return
	}
	bare := b.has("bare_value") // B9: a bare value after the last closer counts only here
	b.without(last, "")
	if bare {
		b.defect("bare_value", last)
	}
	b.ended = true
	if !b.refused() {
		b.repairs = append(b.repairs, Repair{"missing_block_end", Span{last, last}})
	}
}

// fieldToFollow, B9: reports whether the last line is only a key and a separator.
func (in *input) fieldToFollow(last int) bool {
	tail := strings.TrimRightFunc(in.text[last:], unicode.IsSpace)
	line := strings.TrimLeftFunc(tail[strings.LastIndexAny(tail, "\r\n")+1:], func(c rune) bool { return isOnlyComma(c) || strings.ContainsRune(wideBlanks, c) })
	rest, key := bareKey(line)
	return key && rest == ""
}

// spanAfter, C9: a code span that is open before START quotes the request if it is closed after
// it, on the line. What cannot be decided within 96 bytes is quoted too.
func (in *input) spanAfter(b *block, end int, runs map[int]bool) {
	if len(runs) == 0 || b.tooLong(in.o.Limits.BlockBytes) {
		return
	}
	b.around.span = closingRun(in.restOfLine(end), runs) >= 0 || lineEnd(in.text, end)-end >= 96
	for n := range runs {
		b.around.span = b.around.span || n >= 64
	}
}
