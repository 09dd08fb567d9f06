package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// CheckJSON returns an error unless data is one JSON value within the limits. No object in it may
// have two members with the same name. Text need not be valid UTF-8.
func CheckJSON(data []byte, limits Limits) error {
	if len(data) > limits.Bytes {
		return limits.tooLarge()
	}
	decoder := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowInvalidUTF8(true))
	r := jsonReader{Decoder: decoder, limits: limits}
	_, err := r.document()
	return err
}

// parseJSON reads one JSON value.
func parseJSON(data []byte, limits Limits) (Value, error) {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(data))
	r := jsonReader{Decoder: decoder, limits: limits, keep: true, data: data, lines: 1}
	return r.document()
}

// jsonReader reads a value token by token, so that it stops at a limit.
type jsonReader struct {
	*jsontext.Decoder
	limits  Limits
	entries int
	keep    bool // whether to return the values; otherwise the document is only checked

	// Used by the method line, which is called only if keep is set.
	data    []byte
	counted int64 // offset in data up to which line breaks were counted
	lines   int   // number of the line at that offset, from 1
}

// line returns the line of the last token.
func (r *jsonReader) line() int {
	offset := r.InputOffset()
	r.lines += bytes.Count(r.data[r.counted:offset], []byte("\n"))
	r.counted = offset
	return r.lines
}

// document reads the only value, and the end of the text.
func (r *jsonReader) document() (Value, error) {
	v, err := r.value(0)
	if err != nil {
		return Value{}, err
	}
	end := r.InputOffset()
	if _, err := r.ReadToken(); !errors.Is(err, io.EOF) {
		return Value{}, fmt.Errorf("there is more after the value, which ends at byte %d", end)
	}
	return v, nil
}

// value reads the next value. depth is the number of lists and mappings around it.
func (r *jsonReader) value(depth int) (v Value, err error) {
	token, err := r.ReadToken()
	if err != nil {
		return Value{}, jsonError(err)
	}
	switch token.Kind() {
	case '{':
		v.Kind = Mapping
	case '[':
		v.Kind = List
	default:
		return r.scalar(token), nil
	}
	if r.keep {
		v.Line = r.line()
	}
	if depth >= r.limits.Depth {
		return Value{}, r.limits.tooDeep()
	}
	for end := token.Kind() + 2; r.PeekKind() != end; { // '}' is '{' + 2, and ']' is '[' + 2
		if r.entries++; r.entries > r.limits.Entries {
			return Value{}, r.limits.tooMany()
		}
		var field Field
		if v.Kind == Mapping {
			name, err := r.ReadToken()
			if err != nil {
				return Value{}, jsonError(err)
			}
			if r.keep {
				field.Name, field.Line = name.String(), r.line()
			}
		}
		if field.Value, err = r.value(depth + 1); err != nil {
			return Value{}, err
		}
		switch {
		case !r.keep:
		case v.Kind == Mapping:
			v.Fields = append(v.Fields, field)
		default:
			v.Items = append(v.Items, field.Value)
		}
	}
	_, err = r.ReadToken()
	return v, jsonError(err)
}

func (r *jsonReader) scalar(token jsontext.Token) Value {
	if !r.keep {
		return Value{}
	}
	v := Value{Text: token.String(), Line: r.line()}
	switch token.Kind() {
	case 't', 'f':
		v.Kind = Bool
	case '0':
		v.Kind = Number
	case '"':
		v.Kind = String
	}
	return v
}

// jsonError returns an error of the decoder as one short line.
func jsonError(err error) error {
	var syntax *jsontext.SyntacticError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax):
		return errors.New(oneLine(fmt.Sprintf("%v at byte %d", syntax.Err, syntax.ByteOffset)))
	case errors.Is(err, io.EOF):
		return errors.New("the text is empty")
	}
	return errors.New(oneLine(err.Error()))
}
