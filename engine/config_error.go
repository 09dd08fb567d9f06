package engine

import (
	"fmt"
	"strings"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/text"
)

// ConfigError is a field of a configuration with a value that is not allowed.
type ConfigError struct {
	Field   string // as in a file; "" if the value was read without its field
	Value   string // as a person would write it
	Allowed string
}

// Error names the field, the value and what is allowed.
func (e *ConfigError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("configuration: %s is not allowed; allowed is %s", e.Value, e.Allowed)
	}
	return fmt.Sprintf("configuration: %s is %s; allowed is %s", e.Field, e.Value, e.Allowed)
}

// UnknownFieldError is a field in a configuration that does not exist.
type UnknownFieldError struct {
	Field   string
	Nearest string   // "" if none is near
	Known   []string // all fields that exist
}

// Error names the field, the nearest one that exists, and all fields.
func (e *UnknownFieldError) Error() string {
	hint := ""
	if e.Nearest != "" {
		hint = fmt.Sprintf("; did you mean %s?", e.Nearest)
	}
	return fmt.Sprintf("configuration: there is no field %q%s (fields: %s)", e.Field, hint, strings.Join(e.Known, ", "))
}

// unknownField returns the error for a field at a path, whose own name is name.
func unknownField(path, name string, known []string) error {
	bad := &UnknownFieldError{Field: path, Known: known}
	if near := text.Nearest(name, known); len(near) > 0 {
		bad.Nearest = near[0]
	}
	return bad
}

// quoted returns a text in quotation marks, shortened if it is long.
func quoted[T ~string](s T) string {
	return document.Value{Kind: document.String, Text: string(s)}.String()
}
