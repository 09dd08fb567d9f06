package hermes

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/needles"
)

// The text of strings: what may be written unescaped, what must be escaped, and what escapes mean
// (RFC 8259, section 7).

const (
	everyByte = 0x0101010101010101
	highBits  = 0x80 * everyByte
)

// plainRun returns how many bytes at the start of b are unescaped text of a string in these quotes:
// no quote, double quote, backslash or control character.
//
// It examines eight bytes at a time. If each byte of the word m is n, the lowest bit that is set in
// (v-m)&^v&highBits belongs to the first byte of v that is less than n. A byte equals c if its xor
// with c is less than 1.
func plainRun(b []byte, quote byte) int {
	i := 0
	for ; len(b)-i >= 8; i += 8 {
		v := binary.LittleEndian.Uint64(b[i:])
		double, slash := v^'"'*everyByte, v^'\\'*everyByte
		found := (v-0x20*everyByte)&^v | (double-everyByte)&^double | (slash-everyByte)&^slash
		if quote != '"' {
			other := v ^ uint64(quote)*everyByte
			found |= (other - everyByte) &^ other
		}
		if found &= highBits; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(b); i++ {
		if c := b[i]; c < 0x20 || c == '"' || c == '\\' || c == quote {
			break
		}
	}
	return i
}

// textRun is plainRun for a string in double quotes, and continues after escapes. It ends before a
// backslash that begins no whole escape.
func textRun(b []byte) int {
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == '\\':
			n, _ := escapeLen(b[i:])
			if n == 0 {
				return i
			}
			i += n
			continue
		case c == '"' || c < 0x20:
			return i
		case !needles.HasVector:
			i += plainRun(b[i:], '"')
			continue
		}
		n := stringStops.Index(b[i:])
		if n < 0 { // the last byte is undecided, unless an escape ends with it
			last := len(b) - 1
			if last > i && b[last-1] == '\\' {
				return len(b)
			}
			return last + plainRun(b[last:], '"')
		}
		if i += n; b[i] != '\\' && b[i] >= 0x20 {
			i++ // the closing quotation mark follows this byte
		}
	}
	return len(b)
}

// stringStops are pairs of bytes that contain what textRun must examine: a control character, a
// quotation mark without a backslash before it, and a backslash that begins none of the escapes
// \", \n and \t, which are frequent in code. A quotation mark is 0x22 and a backslash 0x5C.
var stringStops = needles.Classes(
	// A control character first.
	needles.Class{FirstHigh: 1<<0 | 1<<1, FirstLow: anyHalf, SecondHigh: anyHalf, SecondLow: anyHalf},
	// A quotation mark second, without a backslash before it: a byte that differs from 0x5C in its
	// high half, or in its low half.
	needles.Class{FirstHigh: anyHalf &^ (1 << 5), FirstLow: anyHalf, SecondHigh: 1 << 2, SecondLow: 1 << 2},
	needles.Class{FirstHigh: anyHalf, FirstLow: anyHalf &^ (1 << 0xC), SecondHigh: 1 << 2, SecondLow: 1 << 2},
	// A backslash first, without one of the bytes 0x22, n (0x6E) and t (0x74) after it.
	needles.Class{FirstHigh: 1 << 5, FirstLow: 1 << 0xC, SecondHigh: anyHalf &^ (1<<2 | 1<<6 | 1<<7), SecondLow: anyHalf},
	needles.Class{FirstHigh: 1 << 5, FirstLow: 1 << 0xC, SecondHigh: 1 << 2, SecondLow: anyHalf &^ (1 << 2)},
	needles.Class{FirstHigh: 1 << 5, FirstLow: 1 << 0xC, SecondHigh: 1 << 6, SecondLow: anyHalf &^ (1 << 0xE)},
	needles.Class{FirstHigh: 1 << 5, FirstLow: 1 << 0xC, SecondHigh: 1 << 7, SecondLow: anyHalf &^ (1 << 4)},
)

// anyHalf is the set of all values of half a byte.
const anyHalf = 1<<16 - 1

// escapeLen returns the length of the escape at the start of b, which begins with a backslash, or 0
// if those bytes are no escape. short reports that more input could make one.
func escapeLen(b []byte) (n int, short bool) {
	if len(b) < 2 {
		return 0, true
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, false
	case 'u':
		for i := 2; i < 6; i++ {
			if i == len(b) {
				return 0, true
			}
			if hexValue(b[i]) < 0 {
				return 0, false
			}
		}
		return 6, false
	}
	return 0, false
}

// hexValue returns the value of a hexadecimal digit, or -1 for any other byte.
func hexValue(c byte) rune {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	}
	return -1
}

// unescape appends the meaning of the escape at the start of b to dst, and returns its length, or 0
// if those bytes are no escape. Half of a surrogate pair means U+FFFD, as in encoding/json. short
// reports that more input could change the result.
func unescape(dst, b []byte, atEOF bool) (out []byte, n int, short bool) {
	if n, short = escapeLen(b); n == 0 {
		return dst, 0, short
	}
	const letters, meant = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if n == 2 {
		return append(dst, meant[strings.IndexByte(letters, b[1])]), n, false
	}
	r := codeUnit(b)
	if !utf16.IsSurrogate(r) {
		return utf8.AppendRune(dst, r), n, false
	}
	if r < 0xDC00 {
		rest := b[n:]
		if len(rest) == 0 || rest[0] == '\\' {
			switch m, more := escapeLen(rest); {
			case more && !atEOF:
				return dst, 0, true
			case m == 6:
				if pair := utf16.DecodeRune(r, codeUnit(rest)); pair != utf8.RuneError {
					return utf8.AppendRune(dst, pair), n + m, false
				}
			}
		}
	}
	return utf8.AppendRune(dst, utf8.RuneError), n, false
}

// codeUnit returns the number in an escape of six bytes.
func codeUnit(b []byte) rune {
	r := rune(0)
	for _, c := range b[2:6] {
		r = r<<4 | hexValue(c)
	}
	return r
}

// unquote decodes the text between the quotes of a string. A backslash that begins no escape means
// itself.
func unquote(text string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	b := []byte(text)
	out := make([]byte, 0, len(b))
	for {
		i := bytes.IndexByte(b, '\\')
		if i < 0 {
			return string(append(out, b...))
		}
		out, b = append(out, b[:i]...), b[i:]
		var n int
		if out, n, _ = unescape(out, b, true); n == 0 {
			out, n = append(out, '\\'), 1
		}
		b = b[n:]
	}
}

// appendForeign appends foreign text as a JSON string.
func appendForeign(dst []byte, s string) []byte { return appendQuoted(dst, s, true) }

// appendQuoted appends s as a JSON string. Bytes that are not UTF-8 stay as they are. If foreign is
// set, the angle brackets of tags are escaped, too. Then the JSON string contains no tag, and forms
// none with the text around it.
func appendQuoted(dst []byte, s string, foreign bool) []byte {
	dst = append(dst, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c < 0x20 || foreign && partOfTag(s, i):
			dst = appendEscape(dst, c)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// appendEscape appends the escape of a byte below 0x80.
func appendEscape(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

// stringOf decodes a JSON string. ok is false for any other value.
func stringOf(value string) (text string, ok bool) {
	if len(value) < 2 || value[0] != '"' {
		return "", false
	}
	return unquote(value[1 : len(value)-1]), true
}
