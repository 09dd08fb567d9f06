package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/text"
)

// Limits of what an error repeats, in bytes.
const (
	maxShownName = 60
	maxShownPath = 200
)

// reader reads the tools of one file and collects the mistakes.
type reader struct {
	path       string
	directory  string // of the file
	root       document.Value
	errors     FileErrors
	warnings   FileErrors
	files      []string        // the files that command lines name
	suppressed map[string]bool // fields whose mistakes are not reported, since an earlier mistake often causes them
}

// mistake adds a mistake in the line of the field; see mistakeAt.
func (r *reader) mistake(field, format string, args ...any) {
	r.mistakeAt(r.line(field), field, format, args...)
}

// mistakeAt adds a mistake and suppresses further mistakes of the field. It does nothing if
// mistakes of the field are suppressed already.
func (r *reader) mistakeAt(line int, field, format string, args ...any) {
	if r.suppressed[field] {
		return
	}
	r.suppress(field)
	r.errors = append(r.errors, &FileError{Path: r.path, Line: line, Field: field, Reason: fmt.Sprintf(format, args...)})
}

// line returns the line of a field or, if the file does not have it, the line of the field that
// should contain it.
func (r *reader) line(field string) int {
	for {
		v, end := r.root.At(field), strings.LastIndexAny(field, ".[")
		if v.Line > 0 || end < 0 {
			return v.Line
		}
		field = field[:end]
	}
}

// suppress drops all further mistakes of a field.
func (r *reader) suppress(field string) {
	if r.suppressed == nil {
		r.suppressed = map[string]bool{}
	}
	r.suppressed[field] = true
}

// warn adds a warning.
func (r *reader) warn(line int, field, format string, args ...any) {
	r.warnings = append(r.warnings, &FileError{Path: r.path, Line: line, Field: field, Reason: fmt.Sprintf(format, args...)})
}

// decodeError reports a field that does not exist, or a value that its field does not take.
func (r *reader) decodeError(err error) {
	unknown, ok := errors.AsType[*document.UnknownFieldError](err)
	if !ok {
		r.valueError(err, "")
		return
	}
	hint := ""
	if near := text.Nearest(unknown.Name, unknown.Known); len(near) > 0 {
		hint = fmt.Sprintf("did you mean %s? ", near[0])
		// The field is misspelled, so it must not be reported as missing, too.
		r.suppress(strings.TrimSuffix(unknown.Field, unknown.Name) + near[0])
	}
	r.mistakeAt(unknown.Line, unknown.Field, "there is no such field; %sthe fields are %s", hint,
		strings.Join(unknown.Known, ", "))
}

// valueError reports a value that its field does not take. The fields of err are below prefix.
func (r *reader) valueError(err error, prefix string) {
	value, ok := errors.AsType[*document.ValueError](err)
	if !ok {
		r.mistakeAt(0, strings.TrimSuffix(prefix, "."), "%v", err)
		return
	}
	want := value.Want
	name := value.Field[strings.LastIndexByte(value.Field, '.')+1:]
	if known, ok := allowedValues[name]; ok && prefix == "" {
		want = known
	}
	hint := ""
	if want == "a text" && value.Value != "a list" && value.Value != "a mapping" && value.Value != "empty" {
		hint = "; put it in quotation marks"
	}
	r.mistakeAt(value.Line, prefix+value.Field, "is %s; allowed is %s%s", value.Value, want, hint)
}
