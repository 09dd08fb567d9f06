package reference

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// forgottenCloser, V11: reports whether the opener o, in a value of op, has a key. Then a closer
// was forgotten or a request is quoted.
func (r *reader) forgottenCloser(op, o mark) (fieldKey, bool) {
	if op.form == badTagForm || op.form != plainForm && (o.form != op.form || o.family != op.family) {
		return fieldKey{}, false
	}
	return keyedOpener(r.text, op.end, o)
}

// closedByNextField, V11 at greedy: a keyed opener at the start of a line closes a plain value
// before it.
func (r *reader) closedByNextField(op mark, k fieldKey, v *value) bool {
	if op.form != plainForm || !r.o.allows("missing_value_end") {
		return false
	}
	line := lineLead(r.text, op.end, k.from)
	if line < 0 || r.markerIn(op.end, k.from) {
		return false
	}
	raw := strings.TrimRightFunc(r.text[op.end:line], func(c rune) bool { return unicode.IsSpace(c) || isOnlyComma(c) })
	if r.endsInCloser(raw) {
		return false
	}
	v.end = op.end + len(raw)
	v.after, v.closed, v.by = v.end, true, &Repair{"missing_value_end", Span{v.end, v.end}}
	return true
}

// endsInCloser, V11: reports whether s ends in a closer of any family, or in its second half.
func (r *reader) endsInCloser(s string) bool {
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

// halfCloser, V7: half a closer and a comma or a line break, with a key after it, closes a value at
// greedy.
func (r *reader) halfCloser(op mark, i int, v *value) bool {
	half := op.family.open + "末"
	if op.form != plainForm || !r.o.allows("half_closer") || !strings.HasPrefix(r.text[i:], half) {
		return false
	}
	end := i + len(half)
	p := end + len(r.text[end:]) - len(strings.TrimLeft(r.text[end:], " \t　"))
	c, n := utf8.DecodeRuneInString(r.text[p:])
	if !isOnlyComma(c) && c != '\n' && c != '\r' {
		return false
	}
	from := p + n
	for q := from; q < len(r.text); q++ {
		o, ok := openerAt(r.text, q)
		if !ok {
			continue
		}
		floor := from
		if !isOnlyComma(c) {
			floor = p
		}
		k, ok := keyedOpener(r.text, floor, o)
		if !ok {
			return false
		}
		between := strings.Map(func(c rune) rune {
			if isOnlyComma(c) || c == '\r' || c == '\n' {
				return ' '
			}
			return c
		}, r.text[from:k.from])
		if !isLead(between) {
			return false
		}
		v.end, v.after, v.closed, v.by = i, end, true, &Repair{"half_closer", Span{i, end}}
		return true
	}
	return false
}

// closedByEnd, V9: the END after a value without a closer ends value and block, unless V9 forbids
// it.
func (r *reader) closedByEnd(op mark, v *value) {
	if op.form != plainForm || !r.o.Stop {
		return
	}
	var end *marker
	for i := op.end; i < len(r.text); i++ {
		if m, ok := markerAt(r.text, i); ok && m.kind == requestEnd {
			if end != nil {
				return
			}
			end = &m
			i = m.end - 1
			continue
		}
		if _, ok := closerAt(r.text, i); ok {
			return
		}
		if o, ok := openerAt(r.text, i); ok {
			if _, ok := keyedOpener(r.text, op.end, o); ok {
				return
			}
		}
	}
	if end == nil || !isBlankWide(r.text[end.end:lineEnd(r.text, end.end)]) {
		return
	}
	raw := r.text[op.end:end.start]
	for _, br := range []string{"\r\n", "\n", "\r"} {
		if strings.HasSuffix(raw, br) {
			raw = raw[:len(raw)-len(br)]
			break
		}
	}
	if !finished(strings.TrimRightFunc(raw, unicode.IsSpace)) {
		return
	}
	v.end = op.end + len(raw)
	v.after, v.closed, v.blockEnd = end.end, true, end
	v.by = &Repair{"unclosed_value", Span{v.end, v.end}}
}

// finished, V9: reports whether a value looks complete and does not end in a misspelled closer.
func finished(s string) bool {
	word := strings.TrimRightFunc(s, func(c rune) bool {
		return unicode.IsSpace(c) || strings.ContainsRune("「」『』【】｢｣[]{}()（）［］｛｝<>＜＞〈〉《》〔〕〖〗", c)
	})
	if last, _ := utf8.DecodeLastRuneInString(word); word != "" && isComma(last) {
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
func (r *reader) markerIn(from, to int) bool {
	for i := from; i < to; i++ {
		if _, ok := markerAt(r.text, i); ok {
			return true
		}
	}
	return false
}

// isComma reports whether c is a comma or a semicolon of any script.
func isComma(c rune) bool { return isOnlyComma(c) || strings.ContainsRune(";；؛⁏፤︔﹔", c) }

func isOnlyComma(c rune) bool {
	return strings.ContainsRune(",，、،﹐﹑､︐︑՝߸፣᠂᠈꓾꘍꛵⸁⸲⸴⹁⹌", c)
}
