package reference

import (
	"strings"
	"unicode"
)

// value reads the value after an opener. over says that the block is past a limit.
func (in *input) value(op mark, around surroundings, over bool) value {
	v := value{start: op.end}
	keyedAt := -1 // where the last keyed opener begins that makes the value ambiguous (V11); -1 for none
	i := op.end
	for ; i < len(in.text); i++ {
		if c, ok := op.closesAt(in.text, i); ok {
			v.end, v.after, v.closed = i, c.end, true
			break
		}
		if c, ok := closerAt(in.text, i); ok && op.form == plainForm {
			i = c.end - 1 // V16: no mark begins in a closer
			continue
		}
		if in.halfCloser(op, i, &v) {
			break
		}
		o, ok := openerAt(in.text, i)
		if !ok {
			continue
		}
		k, ok := in.forgottenCloser(op, o)
		if !ok {
			continue
		}
		if in.closedByNextField(op, k, &v) {
			break
		}
		v.ambiguous, keyedAt = true, o.start
		i = o.end - 1 // V16: no mark begins in an opener that means something
	}
	if !v.closed {
		v.end, v.after = len(in.text), len(in.text)
		if !around.ends() && !over { // V9: the block cannot end with its surroundings (C12)
			in.closedByEnd(op, &v)
		}
	}
	v.holdsEnd = in.endIn(v.start, v.end) >= 0
	passes := func(to int) bool { // reports whether the value runs past its surroundings and up to a mark at to
		return over && around.ends() || around.passedIn(in.text, v.start, to) >= 0
	}
	v.pastSurroundings = keyedAt >= 0 && passes(keyedAt)
	for p := v.start; !v.closed && p < v.end && !v.pastSurroundings; p++ {
		if m, ok := markerAt(in.text, p); ok && m.kind == requestEnd {
			v.pastSurroundings = passes(p)
		}
	}
	v.text = cutValue(op, in.text[v.start:v.end])
	return v
}

// cutValue returns the text of a value (V1 to V4).
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
