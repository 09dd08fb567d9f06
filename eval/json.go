package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/vcpgo/vcp/internal/jsonerror"
)

// decodeStrictly decodes one JSON value into dst. A field that dst does not have is an error.
func decodeStrictly(data []byte, dst any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	d.UseNumber()
	if err := d.Decode(dst); err != nil {
		return jsonerror.Explain(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more than one JSON value")
	}
	return nil
}

// decodeNumbers decodes a JSON value into dst. Numbers become a json.Number, with all their digits.
func decodeNumbers(data json.RawMessage, dst any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return jsonerror.Explain(d.Decode(dst))
}
