package command

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
)

// argument is one element of a program's arguments: texts with the names of parameters between
// them.
type argument struct {
	parts   []part
	guarded bool // an element "--" before it ends the options
}

// part is a text or the name of a parameter.
type part struct {
	text      string
	parameter string // "" for a text
}

// readArgv reads the field run of a method.
func (r *reader) readArgv(method document.Value, path string) (argv []argument) {
	v, path := method.Field("run"), path+".run"
	line := v.Line
	if line == 0 {
		line = method.Line
	}
	switch {
	case v.Kind == document.String:
		r.mistake(line, path, "is a text; write the program and its arguments as a list, such as [sh, append.sh], since no shell reads them")
		return nil
	case v.Kind != document.List || len(v.Items) == 0:
		r.mistake(line, path, "is missing; write the program and its arguments as a list, such as [sh, append.sh]")
		return nil
	}
	guarded := false
	for i, item := range v.Items {
		field := fmt.Sprintf("%s[%d]", path, i)
		if !item.Scalar() || item.Kind == document.Null {
			r.mistake(item.Line, field, "is %v; write a text, in quotation marks if it has brackets", item)
			continue
		}
		a, problem := parseArgument(item.Text)
		a.guarded = guarded
		switch {
		case problem != "":
			r.mistake(item.Line, field, "%s", problem)
		case strings.ContainsRune(item.Text, 0):
			r.mistake(item.Line, field, "contains the character NUL, which no argument can have")
		case i == 0 && (item.Text == "" || len(a.parameters()) > 0):
			r.mistake(item.Line, field, "is %v; the program must be a fixed name, so that no model chooses what runs", item)
		case len(a.parameters()) > 0 && i > 0 && isCode(v.Items[:i]):
			r.mistake(item.Line, field,
				"a value in the code of an interpreter could run anything; pass it as a further argument, or read it from standard input")
		}
		guarded = guarded || item.Text == "--"
		argv = append(argv, a)
	}
	return argv
}

// parseArgument splits an element at its parameters, which are written ${name}. $${ is the text ${.
func parseArgument(s string) (a argument, problem string) {
	for {
		before, rest, found := strings.Cut(s, "${")
		if !found {
			return a.add(part{text: s}), ""
		}
		if escaped, ok := strings.CutSuffix(before, "$"); ok {
			a, s = a.add(part{text: escaped + "${"}), rest
			continue
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed || name == "" {
			return a, `"${" must be followed by the name of a parameter and "}"; write $${ for the text itself`
		}
		a, s = a.add(part{text: before}).add(part{parameter: name}), after
	}
}

func (a argument) add(p part) argument {
	if p.text != "" || p.parameter != "" {
		a.parts = append(a.parts, p)
	}
	return a
}

func (a argument) parameters() (names []string) {
	for _, p := range a.parts {
		if p.parameter != "" {
			names = append(names, p.parameter)
		}
	}
	return names
}

var (
	interpreters = regexp.MustCompile(`^(?i:(?:ba|da|z|k|mk|fi|a|c|tc)?sh|busybox|cmd|powershell|pwsh|` +
		`python[0-9.]*|node(?:js)?|deno|bun|perl|ruby|php|lua|awk|gawk|mawk)(?:\.exe)?$`)
	codeFlags = regexp.MustCompile(`^(?:-[a-zA-Z]*[ceErp]|--eval|--print|--execute|--command|-(?i:command|encodedcommand)|/[cCkK])$`)
)

// isCode reports whether the element after before is code of an interpreter, as in [sh, -c, CODE].
// It knows common interpreters only. An interpreter may also be started by another program, such as
// env.
func isCode(before []document.Value) bool {
	last := before[len(before)-1].Text
	known := slices.ContainsFunc(before, func(v document.Value) bool {
		return interpreters.MatchString(path.Base(strings.ReplaceAll(v.Text, `\`, "/")))
	})
	if len(before) == 1 && strings.HasSuffix(strings.TrimSuffix(last, ".exe"), "awk") {
		return true // the first argument of awk is its program
	}
	return known && codeFlags.MatchString(last)
}

// checkNames refuses parameters in the arguments that the method does not have.
func (r *reader) checkNames(argv []argument, m *tool.Method, v document.Value, path string) {
	var known []string
	for _, p := range m.Parameters.Properties() {
		known = append(known, p.Name)
	}
	for i, a := range argv {
		for _, name := range a.parameters() {
			if slices.Contains(known, name) {
				continue
			}
			hint := "declare it in parameters"
			if near := text.Nearest(name, known); len(near) > 0 {
				hint = "did you mean ${" + near[0] + "}?"
			}
			r.mistake(v.Items[i].Line, fmt.Sprintf("%s[%d]", path, i), "the method has no parameter %q; %s", text.TruncateBytes(name, 60), hint)
		}
	}
}

// expand returns the arguments of the program for those of a call. An element whose parameter is
// absent or null is omitted. The value of a parameter is never read again: ${...} in it stays text.
// The error is a *schema.ArgumentsError for a value that cannot be an argument of a program.
func expand(argv []argument, values map[string]json.RawMessage, language string) ([]string, error) {
	var list []string
elements:
	for _, a := range argv {
		var b strings.Builder
		for i, p := range a.parts {
			if p.parameter == "" {
				b.WriteString(p.text)
				continue
			}
			value, there := values[p.parameter]
			if !there || string(value) == "null" {
				continue elements
			}
			s := orderedjson.PlainText(value)
			if strings.ContainsRune(s, 0) {
				return nil, argumentError(p.parameter, "a text without the character NUL", s, language)
			}
			if i == 0 && strings.HasPrefix(s, "-") && !a.guarded {
				return nil, argumentError(p.parameter,
					`a text that does not begin with "-", since the program would read that as an option`, s, language)
			}
			b.WriteString(s)
		}
		list = append(list, b.String())
	}
	return list, nil
}

// argumentError returns the error for an argument that a program cannot be given.
func argumentError(parameter, expected, received, language string) error {
	return &schema.ArgumentsError{Language: language, Problems: []schema.Problem{
		{Path: parameter, Expected: chinese.Command.Text(expected).In(language), Received: fmt.Sprintf("%q", text.TruncateBytes(received, 60))},
	}}
}
