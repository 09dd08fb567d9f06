package text

import (
	"strconv"
	"strings"
	"unicode"
)

// Hidden reports whether a character is invisible or changes the reading order. A blank (U+0020) is
// not hidden; other white space is.
func Hidden(r rune) bool {
	return r < ' ' || r > '~' && (!unicode.IsGraphic(r) || unicode.IsSpace(r) || isFiller(r))
}

// Escape returns a character as an escape of Go, such as \n or \u202e.
func Escape(r rune) string {
	quoted := strconv.QuoteRuneToASCII(r)
	return quoted[1 : len(quoted)-1]
}

// EscapeHidden returns s with escapes in place of hidden characters, except those in kept.
func EscapeHidden(s, kept string) string {
	var b strings.Builder
	for _, r := range s {
		if Hidden(r) && !strings.ContainsRune(kept, r) {
			b.WriteString(Escape(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// RemoveHidden returns s without hidden characters. It keeps line feeds and tabs, removes carriage
// returns, and replaces other white space by blanks. Without joiners, text stays legible, but an
// emoji of several characters becomes several emoji.
func RemoveHidden(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t', !Hidden(r):
			return r
		case r != '\r' && unicode.IsSpace(r):
			return ' '
		}
		return -1
	}, Valid(s))
}

// isFiller reports whether a character is invisible although Unicode classifies it as a letter,
// mark or symbol. These are fillers, and empty signs of Braille, of music, and of the Khitan and
// the Egyptian script.
func isFiller(r rune) bool {
	switch r {
	case 0x2800, 0x13441, 0x13442, 0x16fe4, 0x1d159:
		return true
	}
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
