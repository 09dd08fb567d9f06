package orderedjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// Encode returns a Go value as JSON, like json.Marshal, but without escapes for HTML.
func Encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// String returns a string as JSON. Bytes that are not UTF-8 become U+FFFD.
func String(s string) json.RawMessage {
	b, _ := Encode(s) // a string always encodes
	return b
}

// PlainText returns the text that a JSON string stands for, and any other value as it is.
func PlainText(value json.RawMessage) string {
	if s, ok := StringText(value); ok {
		return s
	}
	return string(value)
}

// NonNullText is like PlainText, but returns "" for null.
func NonNullText(value json.RawMessage) string {
	if string(value) == "null" {
		return ""
	}
	return PlainText(value)
}

// Append appends a value that Read or ReadOrdered returned, as JSON. The members of a map are
// sorted by name. Append writes only the escapes that JSON requires. It panics on values of other
// types.
func Append(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, v)
	case json.Number:
		return append(b, v...)
	case string:
		return AppendString(b, v)
	case []any:
		b = append(b, '[')
		for i, e := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = Append(b, e)
		}
		return append(b, ']')
	case map[string]any:
		return appendMembers(b, slices.Sorted(maps.Keys(v)), v)
	case *Object:
		return appendMembers(b, v.Names, v.Values)
	}
	panic(fmt.Sprintf("orderedjson: a value of type %T", v))
}

func appendMembers(b []byte, names []string, values map[string]any) []byte {
	b = append(b, '{')
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(AppendString(b, name), ':')
		b = Append(b, values[name])
	}
	return append(b, '}')
}

// AppendString appends a string as JSON. The string must be valid UTF-8.
func AppendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(b, s[start:]...), '"')
}
