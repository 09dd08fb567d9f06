package reference

import (
	"strings"
	"unicode"
)

// endsAt ends a block with its END. at is the offset after START, and other says that the body
// begins as JSON or as a tag (B7). runs are the lengths of the runs of backticks that are open
// before START.
func (in *input) endsAt(b *block, m marker, at int, other bool, runs map[int]bool) {
	b.end, b.ended, b.beforeMark, b.hasEnd = m.end, true, true, true
	if other && b.has("no_fields") && !complete(in.filler(b, at, m.start)) {
		b.defect("ambiguous_value", b.start)
	}
	in.spanAfter(b, m.end, runs)
}

// endsAtStart ends a block at a START outside of its values, at the offset start (B11). last is
// the end of the block's last closer; at, other and runs are those of endsAt.
func (in *input) endsAtStart(b *block, last, at int, other bool, start int, runs map[int]bool) {
	in.spanAfter(b, last, runs)
	if other && b.has("no_fields") && !complete(in.filler(b, at, start)) {
		b.defect("ambiguous_value", b.start)
	}
	b.beforeMark = true
	if in.o.allows("missing_block_end") && in.o.Level == Greedy && !b.refused() {
		b.endAtCloser(last, "")
		b.ended = true
		b.repairs = append(b.repairs, Repair{"missing_block_end", Span{last, last}})
		return
	}
	b.endAtCloser(last, "unclosed_block")
}

// endsWithSurroundings ends a block together with its surroundings (C12). last is the end of the
// block's last closer. B9 does not repair the missing END.
func (in *input) endsWithSurroundings(b *block, last int) { b.endAtCloser(last, "unclosed_block") }

// endsWithMessage ends a block that has no END up to the message's end (B9, B10). last is the end
// of the block's last closer.
func (in *input) endsWithMessage(b *block, last int) {
	holdsEnd := false
	for _, f := range b.fields {
		holdsEnd = holdsEnd || f.value.holdsEnd
	}
	b.truncated = true
	if b.around.ends() || b.around.span || holdsEnd || in.fieldToFollow(last) {
		b.endAtCloser(last, "unclosed_block")
		return
	}
	if !in.o.FinishStop {
		b.endAtCloser(last, "unclosed_block")
		return
	}
	bare := b.has("bare_value") // B9: a bare value after the last closer counts only here
	b.endAtCloser(last, "")
	if bare {
		b.defect("bare_value", last)
	}
	b.ended = true
	if !b.refused() {
		b.repairs = append(b.repairs, Repair{"missing_block_end", Span{last, last}})
	}
}

// fieldToFollow reports whether the last line of text[last:] is only a key and a separator (B9).
func (in *input) fieldToFollow(last int) bool {
	tail := strings.TrimRightFunc(in.text[last:], unicode.IsSpace)
	line := tail[strings.LastIndexAny(tail, "\r\n")+1:]
	mayPrecedeKey := func(c rune) bool { return isComma(c) || strings.ContainsRune(wideBlanks, c) }
	_, _, rest, isKey := bareKey(strings.TrimLeftFunc(line, mayPrecedeKey))
	return isKey && rest == ""
}

// spanAfter quotes a request if a code span that is open before START closes after the request, on
// the last line of the request (C9). The request is also quoted if this cannot be decided within 96
// bytes, or if a run has 64 backticks or more.
func (in *input) spanAfter(b *block, end int, runs map[int]bool) {
	if len(runs) == 0 || b.tooLong(in.o.Limits.BlockBytes) {
		return
	}
	b.around.span = closingRun(in.restOfLine(end), runs) >= 0 || lineEnd(in.text, end)-end >= 96
	for n := range runs {
		b.around.span = b.around.span || n >= 64
	}
}
