package chat

import (
	"bytes"
	"encoding/json"
)

// validJSON returns a copy of raw in valid UTF-8 and without needless white space, or nil if it is
// not JSON.
func validJSON(raw []byte) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, bytes.ToValidUTF8(raw, []byte("\uFFFD"))) != nil {
		return nil
	}
	return b.Bytes()
}

// encode returns v as JSON without the escapes that only HTML needs, or nil if v does not encode.
func encode(v any) json.RawMessage {
	raw, err := plainJSON(v)
	if err != nil {
		return nil
	}
	return validJSON(raw)
}

// plainJSON returns v as JSON in valid UTF-8 without the escapes that only HTML needs.
func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.ToValidUTF8(bytes.TrimSuffix(b.Bytes(), []byte("\n")), []byte("\uFFFD")), nil
}
