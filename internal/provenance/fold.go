package provenance

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/secrets"
	"github.com/vcpgo/vcp/internal/work"
)

// fold appends a form of the text in which spellings of the same words are equal. It resolves the
// escapes of JSON, programs, HTML and URLs. It omits white space, quotation marks, invisible
// characters and what is not UTF-8. It writes capital letters and wide forms of ASCII as plain
// lower case.
func fold(dst []byte, text string) []byte {
	work.Add(len(text))
	text = secrets.WithoutEscapes(text)
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if c = foldedASCII[c]; c != 0 {
				dst = append(dst, c)
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		switch {
		case isInvisible(r) || unicode.IsSpace(r) || r == utf8.RuneError:
		case 0xFF01 <= r && r <= 0xFF5E:
			if c := foldedASCII[r-0xFEE0]; c != 0 {
				dst = append(dst, c)
			}
		default:
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
	}
	return dst
}

// foldedASCII has the folded form of each character; 0 drops it.
var foldedASCII = func() (table [utf8.RuneSelf]byte) {
	for c := byte('!'); c <= '~'; c++ {
		switch {
		case 'A' <= c && c <= 'Z':
			table[c] = c | 0x20
		case strings.IndexByte("\"'`\\", c) < 0:
			table[c] = c
		}
	}
	return table
}()

// isInvisible reports whether a character is not displayed. Such characters join others, set the
// reading order, select a variant, tag a text or fill an empty place.
func isInvisible(r rune) bool {
	const softHyphen = '\u00AD' // the lowest invisible character
	if r < softHyphen {
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector) ||
		r == '\u034F' || r == '\u115F' || r == '\u1160' || r == '\u3164'
}

// plain returns a text without escapes and invisible characters, as a model may understand it.
func plain(text string) string {
	text = secrets.WithoutEscapes(text)
	if isASCII(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if isInvisible(r) {
			return -1
		}
		return r
	}, text)
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
