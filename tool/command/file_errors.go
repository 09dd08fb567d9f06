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
	"github.com/vcpgo/vcp/tool"
)

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

// definitionError reports what a method refuses, at the field that it is about.
func (r *reader) definitionError(err error, v document.Value, path string) {
	reason, field := err.Error(), ""
	var definition *tool.DefinitionError
	if errors.As(err, &definition) {
		reason = definition.Reason
		if definition.Err != nil {
			reason += ": " + definition.Err.Error()
		}
	}
	for prefix, name := range map[string]string{
		"parameter schema": "parameters", "risk ": "risk", "example ": "examples", "secret parameter": "secretParameters",
		"alias ": "aliases", "concurrency ": "concurrency", "name ": "name", "full name ": "name", "timeout ": "timeout",
	} {
		if strings.HasPrefix(reason, prefix) {
			field = name
		}
	}
	line := v.Line
	for _, f := range v.Fields {
		if f.Name == field {
			line = f.Line
		}
	}
	if field != "" {
		path += "." + field
	}
	r.mistake(line, path, "%s", reason)
}
