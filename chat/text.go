package chat

import (
	"bytes"
	"encoding/json"

	"github.com/vcpgo/vcp/internal/orderedjson"
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

// encode returns v as JSON in valid UTF-8 without the escapes that only HTML needs.
func encode(v any) (json.RawMessage, error) {
	raw, err := orderedjson.Encode(v)
	return bytes.ToValidUTF8(raw, []byte("\uFFFD")), err
}
