package command

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/secrets"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

// Load reads the tools of a file. It starts no program. The error is a FileErrors, or the error of
// opening the file.
func Load(path string) ([]tool.Tool, error) {
	_, tools, err := load(path)
	return tools, err
}

// Report is what Check found in a file.
type Report struct {
	Tools []tool.Tool // nil if the file has mistakes
	// Warnings name what may keep a method from running on this machine, such as a program that is
	// not installed. They also name parameters that are required and not declared. They are in the
	// order of the file.
	Warnings FileErrors
}

// Check reads a file as Load does, and looks for the programs and scripts that it names. It runs
// nothing. If the error is a FileErrors, the report may have warnings about the rest of the file.
func Check(path string) (Report, error) {
	r, tools, err := load(path)
	if r == nil {
		return Report{}, err
	}
	return Report{Tools: tools, Warnings: r.warnings}, err
}

// load reads a file, and returns the reader with the mistakes and warnings. The reader is nil if
// the file cannot be opened, or is not YAML.
func load(path string) (*reader, []tool.Tool, error) {
	v, err := document.Load(path)
	if err != nil {
		return nil, nil, openError(path, err)
	}
	r := &reader{path: path, root: v}
	var f fileFields
	for _, err := range v.DecodeAll(&f) {
		r.decodeError(err)
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, nil, err
	}
	r.directory = filepath.Dir(absolute)
	tools := r.readTools(f)
	byLine := func(a, b *FileError) int { return a.Line - b.Line }
	slices.SortStableFunc(r.errors, byLine)
	slices.SortStableFunc(r.warnings, byLine)
	if len(r.errors) > 0 {
		return r, nil, r.errors
	}
	return r, tools, nil
}

// readTools returns the tools of the file, without the methods that have mistakes.
func (r *reader) readTools(f fileFields) []tool.Tool {
	if len(f.Tools) == 0 {
		r.mistake("tools", `no tool is named; begin with "tools:" and a list, as vcp tools new writes it`)
	}
	var tools []tool.Tool
	ids := map[string]bool{}
	for i := range f.Tools {
		t, path := &f.Tools[i], fmt.Sprintf("tools[%d]", i)
		v := r.root.At(path)
		id := v.Field("id")
		switch {
		case v.Kind != document.Mapping && v.Kind != document.Null: // this mistake was reported already
			continue
		case id.Kind == document.Null, id.Text == "":
			r.mistake(path+".id", "the tool has no id; write a short name, such as id: notes")
		case t.ID != "" && !tool.ValidName(t.ID):
			r.mistake(path+".id", "%q cannot be an id; allowed are up to 128 bytes of letters, digits and _ - . / : @",
				text.TruncateBytes(t.ID, maxShownName))
			t.ID = ""
		case ids[t.ID]:
			r.mistake(path+".id", "%q is the id of another tool of the file; rename one, or put the methods into one tool", t.ID)
		}
		ids[t.ID] = true
		tools = append(tools, r.readTool(t, path, tools))
	}
	return tools
}

// readTool returns a tool, without the methods that have mistakes. earlier are the tools above it
// in the file, whose names it must not repeat.
func (r *reader) readTool(t *toolFields, path string, earlier []tool.Tool) tool.Tool {
	methods := r.root.At(path + ".methods")
	if methods.Kind == document.Null || methods.Kind == document.List && len(methods.Items) == 0 {
		r.mistake(path+".methods", "the tool has no methods; add at least one with name, description and run")
	}
	made := tool.Tool{
		ID: t.ID, Title: t.Title, Description: t.Description, Aliases: t.Aliases, Tags: t.Tags,
		Concurrency: t.Concurrency,
	}
	var fields []string // of made.Methods in the file
	names := map[string]bool{}
	for i := range t.Methods {
		if kind := methods.Items[i].Kind; kind != document.Mapping && kind != document.Null {
			continue // this mistake was reported already
		}
		field := fmt.Sprintf("%s.methods[%d]", path, i)
		m, ok := r.readMethod(cmp.Or(t.ID, "id"), &t.Methods[i], field)
		if name := t.Methods[i].Name; names[name] {
			r.mistake(field+".name", "%q is the name of another method of the tool; rename one of them",
				text.TruncateBytes(name, maxShownName))
			ok = false
		} else if name != "" {
			names[name] = true
		}
		if ok {
			made.Methods, fields = append(made.Methods, m), append(fields, field)
			made.Secrets = append(made.Secrets, secrets.Passed(t.Methods[i].Env)...)
		}
	}
	return r.register(made, earlier, fields)
}

// register returns the tool without the methods that a registry refuses, such as a method with the
// name of another one. It reports these methods as mistakes. fields has the field of each method in
// the file, such as "tools[0].methods[1]".
func (r *reader) register(made tool.Tool, earlier []tool.Tool, fields []string) tool.Tool {
	tryRegister := func(t tool.Tool) error {
		registry := tool.NewRegistry()
		_ = registry.Register(earlier...) // an error means a mistake that is reported already
		return registry.Register(t)
	}
	if made.ID == "" || len(made.Methods) == 0 || tryRegister(made) == nil {
		return made
	}
	all := made.Methods
	made.Methods = nil
	for i := range all {
		withNext := made
		withNext.Methods = slices.Concat(made.Methods, all[i:i+1])
		if err := tryRegister(withNext); err != nil {
			reason := strings.TrimPrefix(err.Error(), "tool: ")
			if taken := new(tool.ConflictError); errors.As(err, &taken) {
				reason = fmt.Sprintf("the %s %q occurs twice in the file; rename one of them", taken.Kind,
					text.TruncateBytes(taken.Name, maxShownName))
			}
			r.mistake(fields[i], "%s", reason)
			continue
		}
		made = withNext
	}
	return made
}
