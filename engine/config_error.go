package engine

import (
	"errors"
	"strings"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/text"
)

// ConfigError reports a field of a configuration whose value is not allowed.
type ConfigError struct {
	Field   string // its path in a file, such as "approveRules[0].risk"; "" in an error of Duration.UnmarshalText
	Value   string // as a person would write it
	Allowed string // the allowed values, in words
	Line    int    // in the document, from 1; 0 if it is not known
}

// Error names the field, the value and what is allowed.
func (e *ConfigError) Error() string { return e.In("en") }

// In returns the text of the error in a language: "zh" is Chinese, any other is English.
func (e *ConfigError) In(language string) string {
	// Text.In translates a value that is an error, and leaves a string as it is.
	value, allowed := errors.New(e.Value), errors.New(e.Allowed)
	if e.Field == "" {
		return chinese.Configuration.Text("configuration: %v is not allowed; allowed is %v",
			value, allowed).In(language)
	}
	return chinese.Configuration.Text("configuration: %v%s is %v; allowed is %v",
		lineText(e.Line), e.Field, value, allowed).In(language)
}

// lineText returns the beginning of an error that names the line; it is empty if line is 0.
func lineText(line int) error {
	if line == 0 {
		return chinese.Configuration.Text("")
	}
	return chinese.Configuration.Text("line %d: ", line)
}

// UnknownFieldError reports a field that does not exist, in a document or in a call of Config.Set.
type UnknownFieldError struct {
	Field   string   // its path, such as "approveRules[0].toll"
	Nearest string   // the field that is spelled most similarly; "" if none is similar
	Known   []string // all fields that may be in that place
	Line    int      // in the document, from 1; 0 if it is not known
}

// Error names Field, Nearest and Known.
func (e *UnknownFieldError) Error() string { return e.In("en") }

// In returns the text of the error in a language: "zh" is Chinese, any other is English.
func (e *UnknownFieldError) In(language string) string {
	hint := chinese.Configuration.Text("")
	if e.Nearest != "" {
		hint = chinese.Configuration.Text("; did you mean %s?", e.Nearest)
	}
	return chinese.Configuration.Text("configuration: %vthere is no field %q%v (fields: %s)",
		lineText(e.Line), e.Field, hint, strings.Join(e.Known, ", ")).In(language)
}

// unknownField returns the error for a field whose name is not in known.
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
