// Package text shortens texts for messages, shows hidden characters, and compares names as people
// spell them.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Ellipsis marks the place at which a text was truncated.
const Ellipsis = "…"

// Prefix returns the longest beginning of s that ends between two characters. limit is its greatest
// length in bytes.
func Prefix(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	end := max(limit, 0)
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// WholeRunes returns b without an incomplete character at its end.
func WholeRunes(b []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-i:]) {
				return b[:len(b)-i]
			}
			break
		}
	}
	return b
}

// TruncateBytes returns s if its bytes are within the limit, else Prefix(s, limit) and an Ellipsis.
func TruncateBytes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return Prefix(s, limit) + Ellipsis
}

// TruncateRunes returns s if it has at most limit characters. Otherwise it returns the first limit
// characters and an Ellipsis.
func TruncateRunes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	count := 0
	for i := range s {
		if count == limit {
			return s[:i] + Ellipsis
		}
		count++
	}
	return s
}

// OneLine returns s with one space in place of each run of white space, and none at its ends.
func OneLine(s string) string {
	if isOneLine(s) {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// isOneLine reports true only if OneLine returns s as it is. It recognizes this for ASCII only.
func isOneLine(s string) bool {
	afterSpace := true // also at the start, because a space there is removed, too
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf || c == ' ' && afterSpace || c != ' ' && c <= ' ' {
			return false
		}
		afterSpace = c == ' '
	}
	return s == "" || !afterSpace
}

// Valid returns s with U+FFFD in place of what is not UTF-8.
func Valid(s string) string {
	if utf8.ValidString(s) { // the usual case; ToValidUTF8 is slower
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// Sentence returns s as a sentence: with a capital letter at its beginning, and with a period at
// its end unless another mark ends the sentence. A text that does not end with valid UTF-8 stays as
// it is.
func Sentence(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	last, _ := utf8.DecodeLastRuneInString(s)
	if s == "" || last == utf8.RuneError {
		return s
	}
	s = string(unicode.ToUpper(first)) + s[n:]
	if !strings.ContainsRune(".!?。！？…", last) {
		s += "."
	}
	return s
}
