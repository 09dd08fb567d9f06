package reference

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// value is the value after an opener.
type value struct {
	start, end       int // the raw value
	text             string
	after            int     // where reading continues: after the closer, at the next field or after END
	closed           bool    // it has an end, by its closer or by a repair
	endedBy          *Repair // the repair that ended it
	blockEnd         *marker // the END that ended it (V9)
	ambiguous        bool    // V11
	pastSurroundings bool    // it ran past the end of its surroundings and into a mark (B16, C12)
	holdsEnd         bool    // an END is in it (B10)
}

// forgottenCloser reports whether the opener o, in a value of op, has a key (V11). Then a closer
// was forgotten or a request is quoted.
func (in *input) forgottenCloser(op, o mark) (fieldKey, bool) {
	if op.form == badTagForm || op.form != plainForm && (o.form != op.form || o.family != op.family) {
		return fieldKey{}, false
	}
	return keyedOpener(in.text, op.end, o)
}

// closedByNextField closes a plain value, at level greedy, at a keyed opener at the start of a line
// (V11), and reports whether it did.
func (in *input) closedByNextField(op mark, k fieldKey, v *value) bool {
	if op.form != plainForm || !in.o.allows("missing_value_end") {
		return false
	}
	line := lineLead(in.text, op.end, k.from)
	if line < 0 || in.markerIn(op.end, k.from) {
		return false
	}
	raw := strings.TrimRightFunc(in.text[op.end:line], func(c rune) bool { return unicode.IsSpace(c) || isComma(c) })
	if endsInCloser(raw) {
		return false
	}
	v.end = op.end + len(raw)
	v.after, v.closed, v.endedBy = v.end, true, &Repair{"missing_value_end", Span{v.end, v.end}}
	return true
}

// endsInCloser reports whether s ends in a closer of any family, or in its second half (V11).
func endsInCloser(s string) bool {
	for _, pair := range bracketPairs {
		if strings.HasSuffix(s, "末"+pair.close) && !strings.HasSuffix(s, pair.open+"末"+pair.close) {
			return true
		}
	}
	for i := range s {
		if c, ok := closerAt(s, i); ok && c.end == len(s) {
			return true
		}
	}
	return false
}

// halfCloser closes a value at half a closer, at level greedy, and reports whether it did (V7). A
// comma or a line break, and then a key, must follow the half closer.
func (in *input) halfCloser(op mark, i int, v *value) bool {
	half := op.family.open + "末"
	if op.form != plainForm || !in.o.allows("half_closer") || !strings.HasPrefix(in.text[i:], half) {
		return false
	}
	end := i + len(half)
	p := end + len(in.text[end:]) - len(strings.TrimLeft(in.text[end:], " \t　"))
	c, n := utf8.DecodeRuneInString(in.text[p:])
	if !isComma(c) && c != '\n' && c != '\r' {
		return false
	}
	from := p + n
	for q := from; q < len(in.text); q++ {
		o, ok := openerAt(in.text, q)
		if !ok {
			continue
		}
		floor := from
		if !isComma(c) {
			floor = p
		}
		k, ok := keyedOpener(in.text, floor, o)
		if !ok {
			return false
		}
		between := strings.Map(func(c rune) rune {
			if isComma(c) || c == '\r' || c == '\n' {
				return ' '
			}
			return c
		}, in.text[from:k.from])
		if !isLead(between) {
			return false
		}
		v.end, v.after, v.closed, v.endedBy = i, end, true, &Repair{"half_closer", Span{i, end}}
		return true
	}
	return false
}

// closedByEnd closes a value without a closer, and its block, at the only END after the opener. It
// does nothing if V9 forbids that.
func (in *input) closedByEnd(op mark, v *value) {
	if op.form != plainForm || !in.o.FinishStop {
		return
	}
	var end *marker
	for i := op.end; i < len(in.text); i++ {
		if m, ok := markerAt(in.text, i); ok && m.kind == requestEnd {
			if end != nil {
				return
			}
			end = &m
			i = m.end - 1
			continue
		}
		if _, ok := closerAt(in.text, i); ok {
			return
		}
		if o, ok := openerAt(in.text, i); ok {
			if _, ok := keyedOpener(in.text, op.end, o); ok {
				return
			}
		}
	}
	if end == nil || !isBlankWide(in.text[end.end:lineEnd(in.text, end.end)]) {
		return
	}
	raw := strings.TrimSuffix(strings.TrimSuffix(in.text[op.end:end.start], "\n"), "\r") // one line break
	if !finished(strings.TrimRightFunc(raw, unicode.IsSpace)) {
		return
	}
	v.end = op.end + len(raw)
	v.after, v.closed, v.blockEnd = end.end, true, end
	v.endedBy = &Repair{"unclosed_value", Span{v.end, v.end}}
}

// finished reports whether a value looks complete and does not end in a misspelled closer (V9).
func finished(s string) bool {
	word := strings.TrimRightFunc(s, func(c rune) bool {
		return unicode.IsSpace(c) || strings.ContainsRune("「」『』【】｢｣[]{}()（）［］｛｝<>＜＞〈〉《》〔〕〖〗", c)
	})
	if last, _ := utf8.DecodeLastRuneInString(word); word != "" && isSeparator(last) {
		return false
	}
	for _, end := range []string{"末", "终", "終", "完"} {
		if strings.HasSuffix(word, end) {
			return false
		}
	}
	runes := []rune(s)
	last := string(runes[max(0, len(runes)-6):])
	return !strings.ContainsAny(last, "「」『』【】｢｣") && !strings.Contains(last, "{末")
}

// markerIn reports whether a marker begins in text[from:to].
func (in *input) markerIn(from, to int) bool {
	for i := from; i < to; i++ {
		if _, ok := markerAt(in.text, i); ok {
			return true
		}
	}
	return false
}

// endIn returns where the first END in text[from:to] begins, or -1 if no END is there.
func (in *input) endIn(from, to int) int {
	for i := from; i < to; i++ {
		if m, ok := markerAt(in.text, i); ok && m.kind == requestEnd && m.end <= to {
			return i
		}
	}
	return -1
}
