package vcp

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol/scan"
)

// lineFields returns the fields of a request that is written as lines of a name, a colon and a
// value (B19). It returns nil if text is anything else.
func lineFields(text []byte) []scan.Field {
	var fields []scan.Field
	named := false
	for line := range bytes.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if line = bytes.TrimFunc(line, unicode.IsSpace); len(line) == 0 {
			continue
		}
		key, separator, value, ok := bareField(line)
		value = bytes.TrimFunc(value, unicode.IsSpace)
		if !ok || separator != ":" && separator != "：" || !isLineValue(value) || len(fields) == scan.MaxFields {
			return nil
		}
		fields = append(fields, scan.Field{Name: string(key), Value: string(value)})
		named = named || string(key) == keyToolName
	}
	if !named {
		return nil
	}
	return fields
}

// isLineValue reports whether text after a colon is a value that ends with its line. Text that
// opens a quotation or a block of lines, or ends in a separator or a colon, is not: it may continue
// on the next line.
func isLineValue(value []byte) bool {
	return len(value) > 0 && !bytes.ContainsAny(value[:1], "\"'`|>") && !bytes.HasPrefix(value, []byte("“")) &&
		!bytes.HasSuffix(value, []byte(":")) && !bytes.HasSuffix(value, []byte("：")) && endsWhole(value)
}

// indentedAlike reports whether all lines of a body that are not blank begin with the same white
// space. The body begins after a start marker. White space on the line of that marker means
// nothing.
func indentedAlike(body []byte) bool {
	body = bytes.TrimLeftFunc(body, func(r rune) bool { return unicode.IsSpace(r) && r != '\n' && r != '\r' })
	var first []byte
	for line := range bytes.FieldsFuncSeq(body, func(r rune) bool { return r == '\n' || r == '\r' }) {
		text := bytes.TrimLeftFunc(line, unicode.IsSpace)
		indent := line[:len(line)-len(text)]
		switch {
		case len(text) == 0:
		case first == nil:
			first = indent
		case !bytes.Equal(indent, first):
			return false
		}
	}
	return true
}

// bareField splits a line at the separator after a key (F12). The key must be ASCII. Its first
// letter must be a lower-case letter, or it must contain an underscore.
func bareField(line []byte) (key []byte, separator string, value []byte, ok bool) {
	line = bytes.TrimLeft(line, wideBlanks)
	i := 0
	for i < len(line) && line[i] < utf8.RuneSelf && isKeyRune(rune(line[i])) {
		i++
	}
	key = line[:i]
	letter := bytes.IndexFunc(key, unicode.IsLetter)
	lower := letter >= 0 && key[letter] >= 'a'
	if i == 0 || i > scan.MaxKeyBytes || !isKeyStart(rune(key[0])) || !lower && bytes.IndexByte(key, '_') < 0 {
		return nil, "", nil, false
	}
	rest := bytes.TrimLeft(line[i:], wideBlanks)
	for _, separator := range [...]string{":", "=", "：", "＝"} {
		if value, ok := bytes.CutPrefix(rest, []byte(separator)); ok {
			return key, separator, value, true
		}
	}
	return nil, "", nil, false
}

// hasBareValue reports whether a line looks like a field with a value without marks (F12). If the
// value begins with //, the line is a link.
func hasBareValue(line []byte) bool {
	_, _, value, ok := bareField(line)
	return ok && len(bytes.TrimSpace(value)) > 0 && !bytes.HasPrefix(value, []byte("//"))
}

// endsInKey reports whether the last line of b is only a key and a separator. If a request ends
// there, a value is missing (B9). F12 says which keys count.
func endsInKey(b []byte) bool {
	b = bytes.TrimRight(b, wideBlanks+"\r\n")
	line := bytes.TrimLeft(b[bytes.LastIndexAny(b, "\r\n")+1:], wideBlanks+commas)
	// With any text after it, such a line has a bare value; without text it has none.
	return hasBareValue(append(bytes.Clone(line), '.')) && !hasBareValue(line)
}
