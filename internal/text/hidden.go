package text

import (
	"strconv"
	"unicode"
)

// Hidden reports whether a character other than a blank is invisible, or changes the order of
// reading.
func Hidden(r rune) bool {
	return r != ' ' && (!unicode.IsGraphic(r) || unicode.IsSpace(r) || isFiller(r))
}

// Escape writes a character as Go does: \n, \u202e.
func Escape(r rune) string {
	quoted := strconv.QuoteRuneToASCII(r)
	return quoted[1 : len(quoted)-1]
}

// isFiller reports whether a character is invisible although Unicode classifies it as a letter,
// mark or symbol. These are fillers, and empty signs of Braille, of music and of the Khitan script.
func isFiller(r rune) bool {
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) || r == 0x2800 || r == 0x1d159 || r == 0x16fe4
}
