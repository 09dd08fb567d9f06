package command

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/text"
)

// A FileError is a mistake in a file of command tools.
type FileError struct {
	Path   string
	Line   int    // from 1; 0 if the mistake has no line
	Field  string // such as "tools[0].methods[1].run"; "" for the whole file
	Reason string // what is wrong, and what is allowed
}

func (e *FileError) Error() string {
	place := e.Path
	if e.Line > 0 {
		place += ":" + strconv.Itoa(e.Line)
	}
	if e.Field != "" {
		place += ": " + e.Field
	}
	return place + ": " + e.Reason
}

// FileErrors are all mistakes that were found in a file, at least one, in the order of the file.
type FileErrors []*FileError

func (e FileErrors) Error() string {
	if len(e) == 1 {
		return e[0].Error()
	}
	return fmt.Sprintf("%v (and %d more; vcp tools check lists all)", e[0], len(e)-1)
}

// Unwrap returns the mistakes.
func (e FileErrors) Unwrap() []error {
	list := make([]error, len(e))
	for i := range e {
		list[i] = e[i]
	}
	return list
}

// openError is the error of a file that is no document at all.
func openError(path string, err error) error {
	if errors.As(err, new(*fs.PathError)) {
		return fmt.Errorf("command tools: %w", err)
	}
	reason, line := err.Error(), 0
	if m := lineInText.FindStringSubmatch(reason); m != nil {
		line, _ = strconv.Atoi(m[1])
		reason = strings.Replace(reason, m[0], "", 1)
	}
	return FileErrors{{Path: path, Line: line, Reason: reason}}
}

// lineInText is how the readers of YAML and of documents name a line.
var lineInText = regexp.MustCompile(`line (\d+): `)

// decodeError reports a field that does not exist, or a value that its field does not take.
func (r *reader) decodeError(err error) {
	var (
		unknown *document.UnknownFieldError
		value   *document.ValueError
	)
	switch {
	case errors.As(err, &unknown):
		hint := ""
		if near := text.Nearest(unknown.Name, unknown.Known); len(near) > 0 {
			hint = fmt.Sprintf("did you mean %s? ", near[0])
			r.settle(strings.TrimSuffix(unknown.Field, unknown.Name) + near[0]) // it is not missing, but misspelled
		}
		r.mistake(unknown.Line, unknown.Field, "there is no such field; %sthe fields are %s", hint, strings.Join(unknown.Known, ", "))
	case errors.As(err, &value):
		r.valueError(err, "")
	default:
		r.mistake(0, "", "%v", err)
	}
}

func (r *reader) valueError(err error, prefix string) {
	var value *document.ValueError
	if !errors.As(err, &value) {
		r.mistake(0, strings.TrimSuffix(prefix, "."), "%v", err)
		return
	}
	want := value.Want
	name := value.Field[strings.LastIndexByte(value.Field, '.')+1:]
	if known, ok := allowedValues[name]; ok && prefix == "" {
		want = known
	}
	if name == "output" && prefix == "" {
		want = strings.Join(outputForms, ", ")
	}
	hint := ""
	if want == "a text" && value.Value != "a list" && value.Value != "a mapping" && value.Value != "empty" {
		hint = "; put it in quotation marks"
	}
	r.mistake(value.Line, prefix+value.Field, "is %s; allowed is %s%s", value.Value, want, hint)
}
