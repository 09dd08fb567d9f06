package redact

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

// escapeKind is a set of kinds of escapes.
type escapeKind int

const (
	ofURLs escapeKind = 1 << iota
	ofMail
	ofHTML
	ofPrograms // of programming languages and JSON
	everyKind  = 1<<iota - 1
)

// unescape returns a view with one level of the escapes of the given kinds decoded, and the kinds
// that it found. It also decodes text that only looks like an escape. That hides no secret, because
// marker.search also searches the view itself.
func unescape(view []unit, kinds escapeKind) (out []unit, found escapeKind) {
	text := textOf(view)
	out = make([]unit, 0, len(view))
	for i := 0; i < len(text); {
		decoded, n := "", 0
		kind := kindOf[text[i]] & kinds
		if kind != 0 {
			decoded, n = escape(text[i:])
		}
		if n == 0 {
			out = append(out, view[i])
			i++
			continue
		}
		found |= kind
		for j := range len(decoded) {
			out = append(out, unit{decoded[j], view[i].start, view[i+n-1].end})
		}
		i += n
	}
	return out, found
}

var kindOf = [256]escapeKind{'%': ofURLs, '=': ofMail, '&': ofHTML, '\\': ofPrograms}

// escape reads the escape that text begins with. n is the length of the escape, or 0 if text begins
// with none.
func escape(text string) (decoded string, n int) {
	switch text[0] {
	case '%':
		if len(text) > 1 && text[1]|0x20 == 'u' { // %u0041, as JavaScript's escape function writes it
			if c, ok := number(text, 2, 4, 16); ok {
				return character(c), 6
			}
		}
		return octet(text, 1)
	case '=':
		// A soft line break of mail. Line has replaced its line feed by a blank.
		if len(text) > 1 && (text[1] == ' ' || text[1] == '\n') {
			return "", 2
		}
		return octet(text, 1)
	case '&':
		return entity(text)
	}
	return backslash(text)
}

// octet reads the two hexadecimal digits at text[at]. n is the offset after them, or 0 if there are
// none.
func octet(text string, at int) (decoded string, n int) {
	if c, ok := number(text, at, 2, 16); ok {
		return string([]byte{byte(c)}), at + 2
	}
	return "", 0
}

// backslash reads an escape of JSON or of a programming language. An unknown escape stands for the
// character after the backslash, which may itself begin an escape of another kind.
func backslash(text string) (decoded string, n int) {
	if len(text) == 1 {
		return "", 0
	}
	if c, ok := number(text, 1, 3, 8); ok {
		return string([]byte{byte(c)}), 4
	}
	switch text[1] {
	case '\\':
		return "\\", 2
	case 'n', 'r', 't', 'b', 'f', 'v', 'a', '0':
		return " ", 2
	case 'x':
		if decoded, n := octet(text, 2); n > 0 {
			return decoded, n
		}
	case 'u', 'U':
		for _, size := range []int{8, 4} {
			if c, ok := number(text, 2, size, 16); ok && (size == 4 || text[1] == 'U') {
				return character(c), 2 + size
			}
		}
	}
	const longest = len(`\u{00000061}`)
	if end := strings.IndexByte(text[:min(len(text), longest)], '}'); end > 0 && strings.HasPrefix(text[2:], "{") {
		if c, ok := number(text, 3, end-3, 16); ok {
			return character(c), end + 1
		}
	}
	return "", 1
}

// entity reads a character reference of HTML.
func entity(text string) (decoded string, n int) {
	if digits, ok := strings.CutPrefix(text, "&#"); ok {
		base := 10
		if digits != "" && digits[0]|0x20 == 'x' {
			digits, base = digits[1:], 16
		}
		size := 0
		for size < len(digits) && nibble(digits[size]) >= 0 && nibble(digits[size]) < base {
			size++
		}
		c, err := strconv.ParseUint(digits[:size], base, 32)
		if err != nil {
			return "", 0
		}
		if n = len(text) - len(digits) + size; n < len(text) && text[n] == ';' {
			n++
		}
		return character(uint(c)), n
	}
	const longest = 33 // bytes of the longest reference by name, with & and ;
	end := strings.IndexByte(text[:min(len(text), longest)], ';')
	if end < 0 {
		return "", 0
	}
	if decoded = html.UnescapeString(text[:end+1]); decoded == text[:end+1] {
		return "", 0
	}
	return decoded, end + 1
}

// number reads the digits of text[at:at+size].
func number(text string, at, size, base int) (uint, bool) {
	if size < 1 || at+size > len(text) {
		return 0, false
	}
	n, err := strconv.ParseUint(text[at:at+size], base, 32)
	return uint(n), err == nil
}

// character returns a code point as text, or a blank if there is no such code point.
func character(c uint) string {
	if c > utf8.MaxRune {
		return " "
	}
	return string(rune(c))
}

// decodings returns a view read as base64, as hexadecimal digits and as a list of numbers. An
// encoded text may begin at any byte, and its separators are skipped. Therefore base64 and
// hexadecimal are read from each start that makes a difference.
func decodings(view []unit) [][]unit {
	var list [][]unit
	sextets := digits(view, sextet)
	for from := range min(4, len(sextets)) {
		list = append(list, decode(sextets[from:], 6))
	}
	nibbles := digits(withoutPrefixes(view), nibble)
	for from := range min(2, len(nibbles)) {
		list = append(list, decode(nibbles[from:], 4))
	}
	return append(list, numbers(view))
}

// digits returns the digits of a view, with their values in place of their bytes. value returns -1
// for a byte that is not a digit.
func digits(view []unit, value func(byte) int) []unit {
	var out []unit
	for _, u := range view {
		if v := value(u.b); v >= 0 {
			out = append(out, unit{byte(v), u.start, u.end})
		}
	}
	return out
}

// sextet returns the value of a base64 digit, or -1 for any other byte.
func sextet(b byte) int {
	switch b {
	case '-':
		b = '+'
	case '_':
		b = '/'
	}
	return strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", b)
}

// withoutPrefixes removes each "0x", whose 0 is not a digit of the number.
func withoutPrefixes(view []unit) []unit {
	out := make([]unit, 0, len(view))
	for i, u := range view {
		if u.b != '0' || i+1 == len(view) || view[i+1].b|0x20 != 'x' {
			out = append(out, u)
		}
	}
	return out
}

// nibble returns the value of a hexadecimal digit, or -1 for any other byte.
func nibble(b byte) int {
	switch {
	case b >= '0' && b <= '9':
		return int(b - '0')
	case b|0x20 >= 'a' && b|0x20 <= 'f':
		return int(b|0x20-'a') + 10
	}
	return -1
}

// decode joins digits of width bits each to bytes.
func decode(digits []unit, width int) []unit {
	out := make([]unit, 0, len(digits)*width/8)
	acc, bits, first := 0, 0, 0 // acc contains bits that belong to no byte yet, from digits[first] on
	for i, d := range digits {
		acc, bits = acc<<width|int(d.b), bits+width
		if bits < 8 {
			continue
		}
		bits -= 8
		out = append(out, unit{byte(acc >> bits), digits[first].start, d.end})
		acc &= 1<<bits - 1
		if first = i; bits == 0 {
			first = i + 1
		}
	}
	return out
}

// numbers reads decimal numbers of at most three digits as bytes.
func numbers(view []unit) []unit {
	var out []unit
	for i := 0; i < len(view); i++ {
		n, first := 0, i
		for i < len(view) && view[i].b >= '0' && view[i].b <= '9' {
			n = min(n*10+int(view[i].b-'0'), 256) // 256 and more are no byte
			i++
		}
		if size := i - first; size > 0 && size < 4 && n < 256 {
			out = append(out, unit{byte(n), view[first].start, view[i-1].end})
		}
	}
	return out
}

// readable returns the parts of a decoded view that look like text, with a blank after each. Text
// that is not base64 seldom decodes to such parts.
func readable(view []unit) []unit {
	var out []unit
	for i := 0; i < len(view); {
		end := i
		for end < len(view) && view[end].b >= ' ' && view[end].b < 0x7f {
			end++
		}
		if end-i >= window {
			out = append(append(out, view[i:end]...), unit{' ', view[end-1].end, view[end-1].end})
		}
		i = end + 1
	}
	return out
}
