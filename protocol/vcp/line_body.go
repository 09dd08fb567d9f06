package vcp

import (
	"bytes"
	"unicode"

	"github.com/vcpgo/vcp/protocol/scan"
)

// lineFields returns the fields of a request that is written as lines of a name, a colon and a
// value; nil if text is anything else (B19).
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

// isLineValue reports whether text after a colon is a value that ends with its line. One that opens
// a quotation or a block of lines, or ends in a separator, may continue, or be text of another form.
func isLineValue(value []byte) bool {
	return len(value) > 0 && !bytes.ContainsAny(value[:1], "\"'`|>") && !bytes.HasPrefix(value, []byte("“")) && endsWhole(value)
}
