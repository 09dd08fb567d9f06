package provenance

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/secrets"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/internal/work"
)

// fold appends the folded form of s to dst. All spellings of the same words have the same folded
// form: fold resolves the escapes of JSON, programs, HTML and URLs. It omits white space, the
// quotation marks of ASCII, backslashes, invisible characters and bytes that are not UTF-8. It
// writes capital letters and wide forms of ASCII as plain lower case.
func fold(dst []byte, s string) []byte {
	work.Add(len(s))
	s = secrets.WithoutEscapes(s)
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c = foldedASCII[c]; c != 0 {
				dst = append(dst, c)
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch {
		case text.Hidden(r) || r == utf8.RuneError: // white space is hidden, too
		case 0xFF01 <= r && r <= 0xFF5E: // the wide forms of '!' to '~', in the same order
			if c := foldedASCII[r-0xFEE0]; c != 0 {
				dst = append(dst, c)
			}
		default:
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
	}
	return dst
}

// foldedASCII[c] is the folded form of the character c; 0 means that fold omits c.
var foldedASCII = func() (table [utf8.RuneSelf]byte) {
	for c := byte('!'); c <= '~'; c++ {
		switch {
		case 'A' <= c && c <= 'Z':
			table[c] = c - 'A' + 'a'
		case strings.IndexByte("\"'`\\", c) < 0:
			table[c] = c
		}
	}
	return table
}()

// plain returns a text without escapes and invisible characters, as a model may understand it. It
// keeps white space, because that separates words and lines.
func plain(s string) string {
	s = secrets.WithoutEscapes(s)
	if isVisibleASCII(s) { // most results are, and need no copy
		return s
	}
	return strings.Map(func(r rune) rune {
		if text.Hidden(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// isVisibleASCII reports whether a text consists of visible ASCII characters and white space.
func isVisibleASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c > '~' || c < ' ' && !unicode.IsSpace(rune(c)) {
			return false
		}
	}
	return true
}
