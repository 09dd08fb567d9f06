package scan

import (
	"bytes"
	"unicode"
)

// TextRule says how the text of a value is extracted from the bytes between its opener and its
// closer.
type TextRule uint8

const (
	// TextExact takes every byte.
	TextExact TextRule = iota
	// TextLine takes every byte, except one "\n" or "\r\n" at the very start.
	TextLine
	// TextTrim removes the white space around a value of one line. A value with an inner line break
	// is read as by TextLine.
	TextTrim
)

// noSpace[b] reports that text starting or ending with b has no white space there. For bytes beyond
// ASCII it is false if a white space character starts or ends with b.
var noSpace = func() (t [256]bool) {
	for c := range t {
		t[c] = c > ' '
	}
	for _, r := range unicode.White_Space.R16 {
		for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
			space := string(c)
			t[space[0]], t[space[len(space)-1]] = false, false
		}
	}
	return t
}()

// Cut returns the range of raw that is the text of the value.
func (r TextRule) Cut(raw []byte) (start, end int) {
	if r == TextExact {
		return 0, len(raw)
	}
	if r == TextTrim {
		if len(raw) > 0 && noSpace[raw[0]] && noSpace[raw[len(raw)-1]] {
			return 0, len(raw)
		}
		left := bytes.TrimLeftFunc(raw, unicode.IsSpace)
		text := bytes.TrimRightFunc(left, unicode.IsSpace)
		if bytes.IndexByte(text, '\n') < 0 && bytes.IndexByte(text, '\r') < 0 {
			start = len(raw) - len(left)
			return start, start + len(text)
		}
	}
	switch {
	case bytes.HasPrefix(raw, []byte("\n")):
		start = 1
	case bytes.HasPrefix(raw, []byte("\r\n")):
		start = 2
	}
	return start, len(raw)
}
