package secrets

import (
	"bytes"
	"encoding/hex"
	"html"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// plainText is a text without its escapes, so that two spellings of a text can be compared. Escapes
// are the backslash escapes of JSON and programming languages, the entities of HTML, the percent
// escapes of URLs, and a plus sign for a space. Any number of backslashes counts as one escape.
type plainText struct {
	text []byte
	// from and to are the range in the original that each byte of text came from, or nil if they
	// are not needed.
	from, to []int
}

// maxLayers limits the layers of escapes that are removed.
const maxLayers = 4

// newPlainText returns s without its escapes, and where its bytes came from.
func newPlainText(s string) plainText {
	p := plainText{text: []byte(s), from: make([]int, len(s)), to: make([]int, len(s))}
	for i := range p.text {
		p.from[i], p.to[i] = i, i+1
	}
	p.unescapeAll()
	return p
}

// WithoutEscapes returns s without its escapes: those of JSON and programs, of HTML and of URLs, in
// up to four layers. It takes time in proportion to s.
func WithoutEscapes(s string) string {
	if !strings.ContainsAny(s, `\%&+`) { // + is the space of a URL
		return s
	}
	p := plainText{text: []byte(s)}
	p.unescapeAll()
	return string(p.text)
}

func (p *plainText) unescapeAll() {
	for range maxLayers {
		if !p.unescape() {
			break
		}
	}
	for i, c := range p.text {
		if c == '+' { // a space in a URL
			p.text[i] = ' '
		}
	}
}

// unescape removes one layer of escapes, in place, and reports whether there was one.
func (p *plainText) unescape() (changed bool) {
	n := 0
	put := func(c byte, first, last int) {
		p.text[n] = c
		if p.from != nil {
			p.from[n], p.to[n] = p.from[first], p.to[last]
		}
		n++
	}
	for i := 0; i < len(p.text); {
		plain, size := unescaped(p.text[i:])
		if size == 0 {
			put(p.text[i], i, i)
			i++
			continue
		}
		changed = true
		for j := range len(plain) { // never longer than the escape
			put(plain[j], i, i+size-1)
		}
		i += size
	}
	p.text = p.text[:n]
	return changed
}

// unescaped reads the escape at the start of text; size is 0 if text begins with no escape.
func unescaped(text []byte) (plain string, size int) {
	switch text[0] {
	case '\\':
		slashes := 1
		for slashes < len(text) && text[slashes] == '\\' {
			slashes++
		}
		plain, size = unescapedLetter(text[slashes:])
		return plain, slashes + size
	case '%':
		if code, ok := hexDigits(text[1:], 2); ok {
			return string([]byte{byte(code)}), 3
		}
	case '&':
		return unescapedEntity(text)
	}
	return "", 0
}

// MaxEntity is the length of the longest entity of HTML that is read, in bytes. The longest name
// has 33 bytes with its signs. A number may have many leading zeros.
const MaxEntity = 64

// unescapedEntity reads the entity of HTML at the start of text, as browsers do. A number may have
// leading zeros. Numbers and a few old names, such as lt, need no semicolon.
func unescapedEntity(text []byte) (plain string, size int) {
	text = text[:min(len(text), MaxEntity)]
	isPart, end := isAlphanumeric, 1
	if bytes.HasPrefix(text, []byte("&#")) {
		isPart, end = isDigit, 2
		if len(text) > 2 && text[2]|0x20 == 'x' {
			isPart, end = isHexDigit, 3
		}
	}
	named := end == 1
	for end < len(text) && isPart(text[end]) {
		end++
	}
	if end < len(text) && text[end] == ';' {
		return entity(text[:end+1])
	}
	if !named {
		return entity(text[:end])
	}
	const shortest, longest = len("&lt"), len("&frac14") // without a semicolon
	for size := shortest; size <= min(end, longest); size++ {
		if plain, size := entity(text[:size]); size > 0 {
			return plain, size
		}
	}
	return "", 0
}

// entity returns the character that an entity of HTML stands for. size is the length of the entity,
// or 0 if it stands for nothing, or for more bytes than it has.
func entity(text []byte) (plain string, size int) {
	plain = html.UnescapeString(string(text))
	if plain == string(text) || len(plain) > len(text) {
		return "", 0
	}
	return plain, len(text)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHexDigit(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func isAlphanumeric(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' }

// unescapedLetter reads what follows the backslashes of an escape. A letter without a meaning there
// stands for itself; size is 0.
func unescapedLetter(text []byte) (plain string, size int) {
	if len(text) == 0 {
		return "", 0
	}
	const letters, meanings = "abfnrtv", "\a\b\f\n\r\t\v"
	if i := strings.IndexByte(letters, text[0]); i >= 0 {
		return meanings[i : i+1], 1
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[text[0]]
	code, ok := hexDigits(text[1:], digits)
	if !ok {
		return "", 0
	}
	size = 1 + digits
	if digits == 2 {
		return string([]byte{byte(code)}), size
	}
	if digits == 4 && utf16.IsSurrogate(code) { // the other half may follow, after one backslash or more
		rest := text[size:]
		slashes := 0
		for slashes < len(rest) && rest[slashes] == '\\' {
			slashes++
		}
		if low, ok := hexDigits(rest[min(slashes+1, len(rest)):], 4); ok && slashes > 0 && rest[slashes] == 'u' {
			if pair := utf16.DecodeRune(code, low); pair != utf8.RuneError {
				return string(pair), size + slashes + 5
			}
		}
	}
	return string(code), size
}

// hexDigits reads a number with the given count of hexadecimal digits at the start of a text.
func hexDigits(text []byte, digits int) (code rune, ok bool) {
	if digits == 0 || len(text) < digits {
		return 0, false
	}
	var decoded [4]byte
	n, err := hex.Decode(decoded[:], text[:digits]) // its errors take no memory, unlike those of strconv
	for _, c := range decoded[:n] {
		code = code<<8 | rune(c)
	}
	return code, err == nil && code >= 0 // eight digits may be more than a rune can store
}
