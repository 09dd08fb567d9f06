package document

import (
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/internal/text"
)

// Kind is the kind of a Value.
type Kind int

// The kinds. Null is an empty value, or one that is written as null. A date, or a value of another
// type of YAML, is a String.
const (
	Null Kind = iota
	Bool
	Number
	String
	List
	Mapping
)

// A Value is one value of a document.
type Value struct {
	Kind   Kind
	Line   int     // the line at which the value begins, from 1; 0 if it is not from a document
	Text   string  // of a scalar: a String without its quotation marks, any other scalar as written
	Items  []Value // of a List
	Fields []Field // of a Mapping, in the order written; no name occurs twice
}

// A Field is one entry of a Mapping.
type Field struct {
	Name  string
	Line  int // of the name
	Value Value
}

// Field returns the value of a field of a Mapping. It is a Null if v has no such field.
func (v Value) Field(name string) Value {
	for _, f := range v.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return Value{}
}

// At returns the value at a path such as "approveRules[1].tool". It is a Null if v has no value
// there.
func (v Value) At(path string) Value {
	for path != "" {
		if item, ok := strings.CutPrefix(path, "["); ok {
			number, rest, _ := strings.Cut(item, "]")
			i, err := strconv.Atoi(number)
			if err != nil || i < 0 || i >= len(v.Items) {
				return Value{}
			}
			v, path = v.Items[i], rest
			continue
		}
		path = strings.TrimPrefix(path, ".")
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			end = len(path)
		}
		v, path = v.Field(path[:end]), path[end:]
	}
	return v
}

// Scalar reports whether v is neither a List nor a Mapping.
func (v Value) Scalar() bool { return v.Kind != List && v.Kind != Mapping }

// String returns v for error messages: the beginning of a scalar, or "a list" or "a mapping".
func (v Value) String() string {
	switch v.Kind {
	case Null:
		return "empty"
	case List:
		return "a list"
	case Mapping:
		return "a mapping"
	case String:
		return strconv.Quote(shortened(v.Text))
	}
	return shortened(v.Text)
}

// Limits of parts of errors, in bytes.
const (
	maxQuoted  = 60  // of a name or a value
	maxMessage = 160 // of the message of a decoder
)

// shortened returns at most maxQuoted bytes of s, and an ellipsis if there are more.
func shortened(s string) string { return text.TruncateBytes(s, maxQuoted) }

// oneLine returns the message of a JSON or YAML decoder as one short line. The message may quote
// the document, and so be long.
func oneLine(message string) string {
	isControlOrSpace := func(r rune) bool { return r <= ' ' || r >= 0x7f && r < 0xa0 }
	return text.TruncateBytes(strings.Join(strings.FieldsFunc(message, isControlOrSpace), " "), maxMessage)
}
