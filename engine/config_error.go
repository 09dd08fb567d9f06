package engine

import (
	"fmt"
	"strings"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/text"
)

// ConfigError reports a field of a configuration whose value is not allowed.
type ConfigError struct {
	Field   string // as in a file; "" if the value was read without its field
	Value   string // as a person would write it
	Allowed string
	Line    int // in the document, from 1; 0 if it is not known
}

// Error names the field, the value and what is allowed.
func (e *ConfigError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("configuration: %s is not allowed; allowed is %s", e.Value, e.Allowed)
	}
	return fmt.Sprintf("configuration: %s%s is %s; allowed is %s", lineText(e.Line), e.Field, e.Value, e.Allowed)
}

// lineText is the beginning of an error at a line, or "" if the line is not known.
func lineText(line int) string {
	if line == 0 {
		return ""
	}
	return fmt.Sprintf("line %d: ", line)
}

// UnknownFieldError reports a field in a document that no Config has.
type UnknownFieldError struct {
	Field   string
	Nearest string   // the field that is spelled most similarly; "" if none is similar
	Known   []string // all fields that exist
	Line    int      // in the document, from 1; 0 if it is not known
}

// Error names the field, the nearest field that exists, and all that exist.
func (e *UnknownFieldError) Error() string {
	hint := ""
	if e.Nearest != "" {
		hint = fmt.Sprintf("; did you mean %s?", e.Nearest)
	}
	return fmt.Sprintf("configuration: %sthere is no field %q%s (fields: %s)",
		lineText(e.Line), e.Field, hint, strings.Join(e.Known, ", "))
}

// unknownField returns the error for a field of a document. known are the fields that exist.
func unknownField(field *document.UnknownFieldError, known []string) error {
	bad := &UnknownFieldError{Field: field.Field, Known: known, Line: field.Line}
	if near := text.Nearest(field.Name, known); len(near) > 0 {
		bad.Nearest = near[0]
	}
	return bad
}

// quoted returns a text in quotation marks, shortened if it is long.
func quoted[T ~string](s T) string {
	return document.Value{Kind: document.String, Text: string(s)}.String()
}
