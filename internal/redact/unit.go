package redact

import (
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/text"
)

// window is the number of consecutive bytes of a secret that are never shown.
const window = 8

// A unit is one byte of a decoded text, and the offsets of the bytes from which it was decoded. A
// list of units is called a view of the text.
type unit struct {
	b          byte
	start, end int // offsets in the text that is shown
}

// plain returns the bytes of a text as units, without decoding.
func plain(s string) []unit {
	view := make([]unit, len(s))
	for i := range view {
		view[i] = unit{s[i], i, i + 1}
	}
	return view
}

// fold returns the characters of a view for which keep returns true, in lower case and in their
// usual width. It also returns each byte that is not UTF-8.
func fold(view []unit, keep func(rune) bool) []unit {
	out := make([]unit, 0, len(view))
	var b [utf8.UTFMax]byte
	for len(view) > 0 {
		n := 0
		for n < min(len(view), utf8.UTFMax) {
			b[n] = view[n].b
			n++
		}
		c, size := utf8.DecodeRune(b[:n])
		start, end := view[0].start, view[size-1].end
		view = view[size:]
		if c == utf8.RuneError && size == 1 {
			out = append(out, unit{b[0], start, end})
			continue
		}
		if !keep(c) {
			continue
		}
		if c >= '！' && c <= '～' { // the wide forms of ASCII
			c -= '！' - '!'
		}
		for _, x := range utf8.AppendRune(b[:0], unicode.ToLower(c)) {
			out = append(out, unit{x, start, end})
		}
	}
	return out
}

func textOf(view []unit) string {
	b := make([]byte, len(view))
	for i := range view {
		b[i] = view[i].b
	}
	return string(b)
}

// isVisible reports whether a character is visible. White space is not.
func isVisible(c rune) bool { return c != ' ' && !text.Hidden(c) }

func isLetterOrDigit(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }
