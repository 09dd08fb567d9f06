package document

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// JSON returns v as JSON, with the fields in their order. A number keeps its digits, unless only
// YAML accepts its notation, such as 0x1F. The error is a *ValueError for a number that JSON cannot
// express.
func (v Value) JSON() (json.RawMessage, error) { return v.appendJSON(nil, "") }

func (v Value) appendJSON(b []byte, path string) ([]byte, error) {
	var err error
	switch v.Kind {
	case Null:
		return append(b, "null"...), nil
	case Bool:
		return strconv.AppendBool(b, strings.EqualFold(v.Text, "true")), nil
	case Number:
		number, ok := jsonNumber(v.Text)
		if !ok {
			return nil, &ValueError{
				Field: path, Line: v.Line, Value: v.String(),
				Want: "a number that JSON can express",
			}
		}
		return append(b, number...), nil
	case List:
		b = append(b, '[')
		for i, item := range v.Items {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = item.appendJSON(b, fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return nil, err
			}
		}
		return append(b, ']'), nil
	case Mapping:
		b = append(b, '{')
		for i, f := range v.Fields {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendText(b, f.Name), ':')
			if b, err = f.Value.appendJSON(b, join(path, element(f.Name))); err != nil {
				return nil, err
			}
		}
		return append(b, '}'), nil
	}
	return appendText(b, v.Text), nil
}

func appendText(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, strings.ToValidUTF8(s, "\uFFFD"))
	return b
}

// jsonNumber returns a number of YAML in the notation of JSON. ok is false if JSON cannot express
// it.
func jsonNumber(text string) (number string, ok bool) {
	if json.Valid([]byte(text)) {
		return text, true
	}
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		return strconv.FormatInt(n, 10), true
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return "", false
	}
	return strconv.FormatFloat(f, 'g', -1, 64), true
}
