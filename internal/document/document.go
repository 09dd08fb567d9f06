// Package document reads configuration documents from anyone, in YAML or JSON. Reading one takes
// memory and time in proportion to its length. Anchors, aliases, tags, deep nesting and large
// numbers of entries are refused before a value is built.
package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/internal/text"
)

// Limits limit a document.
type Limits struct {
	Bytes   int // of the whole
	Depth   int // of nested lists and mappings
	Entries int // fields of all mappings and items of all lists together
}

// Configuration are the limits of Parse. They are far above any real configuration.
var Configuration = Limits{Bytes: 1 << 20, Depth: 20, Entries: 4096}

// errLimit is a document over a limit or with a refused feature. The other form is not tried.
type errLimit struct{ reason string }

func (e *errLimit) Error() string { return e.reason }

func (l Limits) tooLarge() error {
	return &errLimit{fmt.Sprintf("larger than %s, the most that is read", size(l.Bytes))}
}

func (l Limits) tooDeep() error {
	return &errLimit{fmt.Sprintf("nested more than %d deep", l.Depth)}
}

func (l Limits) tooMany() error {
	return &errLimit{fmt.Sprintf("more than %d entries", l.Entries)}
}

func size(n int) string {
	if n >= 1<<20 && n%(1<<20) == 0 {
		return strconv.Itoa(n>>20) + " MiB"
	}
	return strconv.Itoa(n) + " bytes"
}

// Kind is the kind of a Value.
type Kind int

// The kinds. Null is written as null or left empty; dates and other types of YAML are a String.
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
	Line   int     // at which it begins, from 1; 0 if it was not read from a document
	Text   string  // of a scalar: a String without its quotation marks, anything else as written
	Items  []Value // of a List
	Fields []Field // of a Mapping, in the order written; no name occurs twice
}

// A Field is one entry of a Mapping.
type Field struct {
	Name  string
	Line  int // of the name
	Value Value
}

// Field returns the value of a field of a Mapping. Without such a field it returns a Null.
func (v Value) Field(name string) Value {
	for _, f := range v.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return Value{}
}

// At returns the value at a path such as "approveRules[1].tool". Without it, At returns a Null.
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

// String returns v for an error: a scalar as it is written, shortened, or else only the kind.
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

// shortened returns the beginning of text, in whole characters.
func shortened(s string) string { return text.TruncateBytes(s, 60) }

// Read is Parse for a reader. It reads at most one byte beyond the limit.
func Read(r io.Reader) (Value, error) {
	data, err := ReadAll(r, Configuration.Bytes)
	if err != nil {
		return Value{}, err
	}
	return Parse(data)
}

// Load is Parse for the regular file at path.
func Load(path string) (Value, error) {
	data, err := ReadFile(path, Configuration.Bytes)
	if err != nil {
		return Value{}, err
	}
	return Parse(data)
}

// Parse reads one YAML or JSON document, a mapping, within the limits of Configuration. An empty
// document is a Mapping without fields. An error is one line and shows no list and no mapping of
// the document.
func Parse(data []byte) (Value, error) {
	if len(data) > Configuration.Bytes {
		return Value{}, Configuration.tooLarge()
	}
	v, err := parse(data)
	var final *errLimit
	switch {
	case errors.As(err, &final):
		return Value{}, err
	case err != nil:
		return Value{}, fmt.Errorf("neither YAML nor JSON with fields: %w", err)
	case v.Kind == Null:
		return Value{Kind: Mapping}, nil
	case v.Kind != Mapping:
		return Value{}, fmt.Errorf("neither YAML nor JSON with fields: the document is %s", v)
	}
	return v, nil
}

// parse reads JSON as JSON, since it differs from YAML in escapes and tabs, and anything else as
// YAML.
func parse(data []byte) (Value, error) {
	var final *errLimit
	if start := bytes.TrimLeft(data, " \t\r\n"); len(start) > 0 && (start[0] == '{' || start[0] == '[') {
		v, err := parseJSON(data, Configuration)
		if err == nil || errors.As(err, &final) {
			return v, err
		}
	}
	return parseYAML(data, Configuration)
}

// oneLine returns the text of a reader's error, which may quote the document, as one short line.
func oneLine(quoting string) string {
	words := strings.FieldsFunc(quoting, func(r rune) bool { return r <= ' ' || r >= 0x7f && r < 0xa0 })
	return text.TruncateBytes(strings.Join(words, " "), 160)
}
