package parser

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/markdown"
)

// lineEnd returns the offset of the first line break in b, or -1 if b has no line break.
func lineEnd(b []byte) int {
	// The search takes stride bytes at a time, so that it does not go far beyond a line break of
	// one kind to find one of the other kind.
	const stride = 256
	for i, c := range b[:min(len(b), 8)] { // many lines are empty or short
		if isBreak(c) {
			return i
		}
	}
	for from := 0; from < len(b); from += stride {
		line := b[from:min(len(b), from+stride)]
		end := bytes.IndexByte(line, '\n')
		if end >= 0 {
			line = line[:end]
		}
		if i := bytes.IndexByte(line, '\r'); i >= 0 {
			end = i
		}
		if end >= 0 {
			return from + end
		}
	}
	return -1
}

func isBreak(c byte) bool { return c == '\n' || c == '\r' }

// onlySpace reports whether b contains only white space.
func onlySpace(b []byte) bool {
	for len(b) > 0 {
		n := 1
		if c := b[0]; c > ' ' && c < utf8.RuneSelf {
			return false
		} else if c >= utf8.RuneSelf {
			var r rune
			if r, n = utf8.DecodeRune(b); !unicode.IsSpace(r) {
				return false
			}
		} else if !unicode.IsSpace(rune(c)) {
			return false
		}
		b = b[n:]
	}
	return true
}

// onlyASCIISpace reports whether b contains only blanks and line breaks.
func onlyASCIISpace(b []byte) bool {
	for _, c := range b {
		if !markdown.IsBlank(c) && c != '\r' && c != '\n' {
			return false
		}
	}
	return true
}

// endsInSpace reports whether b, which is not empty, ends in white space.
func endsInSpace(b []byte) bool {
	last := b[len(b)-1]
	if last < utf8.RuneSelf {
		return last <= ' ' && unicode.IsSpace(rune(last))
	}
	r, _ := utf8.DecodeLastRune(b)
	return unicode.IsSpace(r)
}

// isEmphasis reports whether b contains only blanks and marks of emphasis.
func isEmphasis(b []byte) bool { return emphasisBefore(b) == 0 }

// emphasisBefore returns where the blanks and marks of emphasis at the end of b begin. U+3000 and
// U+FEFF count as blanks.
func emphasisBefore(b []byte) int {
	n := len(b)
	for n > 0 && endsEmphasis[b[n-1]] {
		switch {
		case b[n-1] < utf8.RuneSelf:
			n--
		case bytes.HasSuffix(b[:n], []byte("\u3000")), bytes.HasSuffix(b[:n], []byte("\ufeff")):
			n -= len("\u3000")
		default:
			return n
		}
	}
	return n
}

// endsEmphasis contains the last bytes of blanks and of marks of emphasis.
var endsEmphasis = byteSet(" \t*_~\x80\xbf") // of U+3000 and U+FEFF, too

// wholeRunes returns b without an incomplete rune at its end.
func wholeRunes(b []byte) []byte {
	for back := 1; back <= min(3, len(b)); back++ {
		if c := b[len(b)-back]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-back:]) {
				return b[:len(b)-back]
			}
			break
		}
	}
	return b
}

// runLen returns the length of the run of equal bytes at the start of b, which is not empty.
func runLen(b []byte) int {
	n := 1
	for n < len(b) && b[n] == b[0] {
		n++
	}
	return n
}

// byteSet returns the set of the bytes of a string.
func byteSet(bytes string) (t [256]bool) {
	for i := range len(bytes) {
		t[bytes[i]] = true
	}
	return t
}
