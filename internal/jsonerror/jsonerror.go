// Package jsonerror describes errors of encoding/json by the fields and kinds of JSON, without
// types of Go.
package jsonerror

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Explain returns an error of encoding/json with a text for people who know JSON and not the Go
// types of the program. The text says which field has which kind of value, and which kind is
// expected. If another error wraps that error, the text of the other error stays around it. Explain
// returns all other errors as they are, and nil for nil. The result wraps err.
func Explain(err error) error {
	if err == nil {
		return nil
	}
	text := strings.Replace(err.Error(), "json: unknown field", "unknown field", 1)
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &kind):
		text = strings.Replace(text, kind.Error(), mismatch(kind), 1)
	case errors.As(err, &syntax):
		text = strings.Replace(text, syntax.Error(), fmt.Sprintf("not JSON: %v, at byte %d", syntax, syntax.Offset), 1)
	case errors.Is(err, io.ErrUnexpectedEOF):
		text = strings.Replace(text, io.ErrUnexpectedEOF.Error(), "the JSON ends early", 1)
	case text == err.Error():
		return err
	}
	return &explained{text, err}
}

// explained is an error with another text.
type explained struct {
	text  string
	cause error
}

func (e *explained) Error() string { return e.text }

func (e *explained) Unwrap() error { return e.cause }

// mismatch names the field, the kind of its value, and the kind that is expected.
func mismatch(e *json.UnmarshalTypeError) string {
	place := "the JSON value"
	if e.Field != "" {
		place = e.Field
	}
	got, want := kindOfJSON(e.Value), kindOfGo(e.Type)
	switch {
	case got == "": // an UnmarshalJSON method has described the value and what is allowed
		return place + " is " + e.Value
	case want == "":
		return fmt.Sprintf("%s is %s, which cannot be read", place, got)
	}
	return fmt.Sprintf("%s is %s; it must be %s", place, got, want)
}

// kindOfJSON returns the name of the kind of JSON value that UnmarshalTypeError.Value describes, or
// the number if it is one that the Go type cannot hold. It returns "" for other descriptions.
func kindOfJSON(value string) string {
	switch value {
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "bool":
		return "a boolean"
	case "string", "number":
		return "a " + value
	}
	if number, ok := strings.CutPrefix(value, "number "); ok {
		return number
	}
	return ""
}

// kindOfGo returns the name of the kind of JSON value that fits a Go type. It returns "" for a type
// with a method that reads JSON or text, and for an interface.
func kindOfGo(t reflect.Type) string {
	if t == nil || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) ||
		reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return ""
	}
	switch t.Kind() {
	case reflect.Pointer:
		return kindOfGo(t.Elem())
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Map, reflect.Struct:
		return "an object"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole number"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number that is not negative"
	default:
		return ""
	}
}
