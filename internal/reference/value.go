package reference

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// value is what was read behind an opener.
type value struct {
	start, end int // the raw value
	text       string
	after      int     // where the reading goes on: behind the closer, at the next field, or behind END
	closed     bool    // it has an end, by its closer or by a repair
	by         *Repair // the repair that ended it
	blockEnd   *marker // the END that ended it (V9)
	ambiguous  bool    // V11
	swallowed  bool    // C12, or B16: it has run past the end of its surroundings and into something
	holdsEnd   bool
}

// value reads the value behind an opener.
func (r *reader) value(op mark, around surroundings) value {
	v := value{start: op.end}
	keyed := -1 // the last keyed opener in the value that V11 takes
	i := op.end
	for ; i < len(r.text); i++ {
		if c, ok := op.closesAt(r.text, i); ok {
			v.end, v.after, v.closed = i, c.end, true
			break
		}
		if c, ok := closerAt(r.text, i); ok && op.form == plainForm {
			i = c.end - 1 // V16: no mark begins in a closer
			continue
		}
		if r.halfCloser(op, i, &v) {
			break
		}
		o, ok := openerAt(r.text, i)
		if !ok {
			continue
		}
		k, ok := r.forgottenCloser(op, o)
		if !ok {
			continue
		}
		if r.closedByNextField(op, k, &v) {
			break
		}
		v.ambiguous, keyed = true, o.start
	}
	if !v.closed {
		v.end, v.after = len(r.text), len(r.text)
		if !around.ends() { // V9, and B9 by C12
			r.closedByEnd(op, &v)
		}
	}
	v.holdsEnd = r.endIn(v.start, v.end) >= 0
	if passed := around.passedIn(r.text, op.start, v.start, v.end); passed >= 0 {
		v.swallowed = keyed > passed || !v.closed && r.endIn(passed, v.end) >= 0
	}
	v.text = cutValue(op, r.text[v.start:v.end])
	return v
}

// cutValue, V1 to V4: returns the text of a value.
func cutValue(op mark, raw string) string {
	exact := strings.TrimPrefix(raw, "\n")
	if strings.HasPrefix(raw, "\r\n") {
		exact = raw[2:]
	}
	switch op.form {
	case taggedForm, badTagForm:
		return raw
	case escapeForm:
		exact = strings.ReplaceAll(exact, "<<<[TOOL_REQUEST_ESCAPE]>>>", "<<<[TOOL_REQUEST]>>>")
		return strings.ReplaceAll(exact, "<<<[END_TOOL_REQUEST_ESCAPE]>>>", "<<<[END_TOOL_REQUEST]>>>")
	}
	if trimmed := strings.TrimFunc(raw, unicode.IsSpace); !strings.ContainsAny(trimmed, "\r\n") {
		return trimmed
	}
	return exact
}

// forgottenCloser, V11: reports whether the opener o stands in a value of op with a key, so that a closer was forgotten or a request
// is quoted.
func (r *reader) forgottenCloser(op, o mark) (fieldKey, bool) {
	if op.form == badTagForm || op.form != plainForm && (o.form != op.form || o.family != op.family) {
		return fieldKey{}, false
	}
	return keyedOpener(r.text, op.end, o)
}

// closedByNextField, V11 at greedy: a keyed opener at the start of a line closes a plain value before it.
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

// isComma reports whether c is a comma or a semicolon of any script.
func isComma(c rune) bool { return isOnlyComma(c) || strings.ContainsRune(";；؛⁏︔﹔", c) }

func isOnlyComma(c rune) bool {
	return strings.ContainsRune(",，、،﹐﹑､︐︑՝߸፣᠂᠈꓾꘍꛵⸁⸲⸴⹁⹌", c)
}

// halfCloser, V7: half a closer and a comma or a line break, with a key after it, closes a value at greedy.
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
		between := strings.NewReplacer("\r", " ", "\n", " ").Replace(r.text[from:k.from])
		if !isLead(between) {
			return false
		}
		v.end, v.after, v.closed, v.by = i, end, true, &Repair{"half_closer", Span{i, end}}
		return true
	}
	return false
}

// closedByEnd, V9: the END behind a value without a closer ends value and block, if nothing speaks against it.
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

// finished, V9: reports whether a value looks like one that is not broken off, nor ends in a misspelt closer.
func finished(s string) bool {
	word := strings.TrimRight(s, "「」『』【】｢｣[]{}()（）［］｛｝<>〈〉《》〔〕〖〗")
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

// endIn returns where the first END in text[from:to] begins, -1 if there is none.
func (r *reader) endIn(from, to int) int {
	for i := from; i < to; i++ {
		if m, ok := markerAt(r.text, i); ok && m.kind == requestEnd && m.end <= to {
			return i
		}
	}
	return -1
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
