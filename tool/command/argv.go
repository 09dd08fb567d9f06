package command

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
)

// argument is one element of the field run: the program or an argument of it. It consists of texts
// and parameters.
type argument struct {
	parts        []part
	optionsEnded bool // the element follows "--", so the program does not read it as an option
}

// part is a text or the name of a parameter.
type part struct {
	text      string
	parameter string // "" for a text
}

// readArgv reads the field run of a method, which is at path.
func (r *reader) readArgv(path string) (argv []argument) {
	v := r.root.At(path)
	switch {
	case v.Kind == document.String:
		r.mistake(path, "is a text; write the program and its arguments as a list, such as [sh, append.sh], since no shell reads them")
		return nil
	case v.Kind != document.List || len(v.Items) == 0:
		r.mistake(path, "is missing; write the program and its arguments as a list, such as [sh, append.sh]")
		return nil
	}
	valid := true
	for i, item := range v.Items {
		field := fmt.Sprintf("%s[%d]", path, i)
		if !item.Scalar() || item.Kind == document.Null {
			r.mistake(field, "is %v; write a text, in quotation marks if it has brackets", item)
			valid = false
			continue
		}
		a, problem := parseArgument(item.Text)
		switch {
		case problem != "":
		case strings.ContainsRune(item.Text, 0):
			problem = "contains the character NUL, which no argument can have"
		case i == 0 && (item.Text == "" || !a.fixed()):
			problem = fmt.Sprintf("is %v; the program must be a fixed name, so that no model chooses what runs", item)
		}
		if problem != "" {
			r.mistake(field, "%s", problem)
			valid = false
		}
		argv = append(argv, a)
	}
	if !valid {
		return argv
	}
	markOptionsEnd(argv)
	switch i := codeIn(argv); {
	case i < 0:
	case argv[i].fixed():
		r.mistake(fmt.Sprintf("%s[%d]", path, i),
			"reads code or arguments from standard input, which contains the values of a call; name a file with them, or fixed code")
	default:
		r.mistake(fmt.Sprintf("%s[%d]", path, i),
			"a value in this place could run anything; write it after a fixed file or code of an interpreter, "+
				"or let a script of yours read it from standard input")
	}
	return argv
}

// parseArgument splits an element at its parameters, which are written ${name}. $${ is the text ${.
// problem says what is wrong with the element; it is "" if nothing is.
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

// add returns the element with one part more. It ignores an empty part.
func (a argument) add(p part) argument {
	if p.text != "" || p.parameter != "" {
		a.parts = append(a.parts, p)
	}
	return a
}

// parameters returns the names of the parameters in the element.
func (a argument) parameters() (names []string) {
	for _, p := range a.parts {
		if p.parameter != "" {
			names = append(names, p.parameter)
		}
	}
	return names
}

// fixed reports whether the element has no parameter.
func (a argument) fixed() bool { return len(a.parameters()) == 0 }

// String returns the text of the element, with U+0001 for each parameter. A U+0001 in the text
// itself becomes a space, so that patterns of programs never take it for a parameter.
func (a argument) String() string {
	var b strings.Builder
	for _, p := range a.parts {
		if p.parameter != "" {
			b.WriteByte(1)
			continue
		}
		b.WriteString(strings.ReplaceAll(p.text, "\x01", " "))
	}
	return b.String()
}

// checkNames reports each parameter in argv that the method does not have.
func (r *reader) checkNames(argv []argument, m *tool.Method, path string) {
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
			r.mistake(fmt.Sprintf("%s[%d]", path, i), "the method has no parameter %q; %s",
				text.TruncateBytes(name, maxShownName), hint)
		}
	}
}

// expand returns the program and its arguments for a call with these values of parameters. An
// element with a parameter that is absent or null is omitted. ${...} in a value is plain text. If
// an element begins with a parameter, its text must not begin with a hyphen, except after "--". The
// error is a *schema.ArgumentsError for a value that cannot be an argument of a program.
func expand(argv []argument, values map[string]json.RawMessage, language string) ([]string, error) {
	var list []string
	taken := false           // an option may take the next element as its argument, because its own was omitted
	dashesEndOptions := true // no option took the last "--" as its argument
elements:
	for _, a := range argv {
		var b strings.Builder
		for _, p := range a.parts {
			s := p.text
			if p.parameter != "" {
				value, there := values[p.parameter]
				if !there || string(value) == "null" {
					taken = taken || len(list) > 0 && strings.HasPrefix(list[len(list)-1], "-")
					continue elements
				}
				if s = orderedjson.PlainText(value); strings.ContainsRune(s, 0) {
					return nil, argumentError(p.parameter, "a text without the character NUL", s, language)
				}
			}
			first := a.parts[0].parameter
			if b.Len() == 0 && first != "" && strings.HasPrefix(s, "-") && !(a.optionsEnded && dashesEndOptions) {
				if p.parameter == "" {
					return nil, argumentError(first, `a text that is not empty, since the program would read what follows as an option`, "", language)
				}
				return nil, argumentError(p.parameter,
					`a text that does not begin with "-", since the program would read that as an option`, s, language)
			}
			b.WriteString(s)
		}
		if b.String() == "--" {
			dashesEndOptions = !taken
		}
		taken = false
		list = append(list, b.String())
	}
	return list, nil
}

// argumentError returns the error for a value that cannot be an argument of a program.
func argumentError(parameter, expected, received, language string) error {
	return &schema.ArgumentsError{Language: language, Problems: []schema.Problem{{
		Path: parameter, Expected: chinese.Command.Text(expected).In(language),
		Received: fmt.Sprintf("%q", text.TruncateBytes(received, maxShownName)),
	}}}
}
