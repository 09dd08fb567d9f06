package parser

import "github.com/vcpgo/vcp/internal/forms"

// maxForeign limits how many requests in other forms are reported.
const maxForeign = 8

// readForeign records the beginning or the end of a request in another form at the start of the
// text, which continues up to limit. It returns false if more input is needed.
func (t *textContext) readForeign(limit int, after next) bool {
	at := t.d.at()
	b := t.w.bytes(at, min(limit, at+forms.MaxOpen))
	if t.d.dropping || len(t.foreign) == maxForeign && t.open == nil {
		return true
	}
	if f := t.open; f != nil {
		switch n := min(len(b), len(f.Close)); {
		case string(b[:n]) != f.Close[:n]:
		case n < len(f.Close):
			return after != nextUnknown
		default:
			t.foreign[len(t.foreign)-1].span.End = at + n
			t.open = nil
		}
		return true
	}
	form, short := forms.At(b, t.protocol)
	if form == nil {
		return !short || after != nextUnknown
	}
	if at > t.w.base && t.w.bytes(at-1, at)[0] == '`' { // most mentions are in a code span
		return true
	}
	if _, ok := t.follow(at, limit, after); !ok {
		return false
	}
	if t.line.place() == placeText && t.ticksClosed(at) {
		t.foreign = append(t.foreign, foreignRequest{Span{at, at + len(form.Open)}, form})
		t.open = form
	}
	return true
}
