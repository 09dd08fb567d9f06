package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/process"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

// readMethod returns a method of the tool with the given id. ok is false if the method has a
// mistake.
func (r *reader) readMethod(id string, m *methodFields, path string) (made tool.Method, ok bool) {
	errorsBefore := len(r.errors)
	if name := r.root.At(path + ".name"); name.Kind == document.Null || name.Text == "" {
		r.mistake(path+".name", "the method has no name; write a short one, such as name: append")
	}
	if strings.TrimSpace(m.Description) == "" {
		r.mistake(path+".description", "the description is missing; say in one sentence what the method does, since models choose by it")
	}
	if d := time.Duration(m.Timeout); d < 0 || d > maxTimeout {
		r.mistake(path+".timeout", "must be at least 0, which means the default, and at most 24h (got %v)", d)
		m.Timeout = 0
	}
	run := &runner{directory: process.Path(m.Directory, r.directory), env: m.Env, output: m.Output}
	for i, name := range m.Env {
		if name == "" || strings.ContainsAny(name, "= \x00") {
			r.mistake(fmt.Sprintf("%s.env[%d]", path, i),
				"%q is not a name of a variable; write the names of variables of your environment, without values", text.TruncateBytes(name, maxShownName))
		}
	}
	run.argv = r.readArgv(path + ".run")
	d := &definition{
		reader: r, path: path, name: m.Name, fullName: id + "_" + m.Name, description: m.Description,
		handler: run.handle,
	}
	made, ok = d.build(m, run)
	if d.declared {
		r.checkNames(run.argv, &made, path+".run")
		r.checkRequired(r.root.At(path+".parameters"), path+".parameters")
	}
	if !ok || len(r.errors) > errorsBefore {
		return tool.Method{}, false
	}
	r.checkRun(run, path+".run")
	r.files = append(r.files, run.files()...)
	return made, true
}

// definition creates a method from its fields in a file.
type definition struct {
	reader      *reader
	path        string
	name        string
	fullName    string
	description string
	parameters  json.RawMessage
	handler     tool.Handler
	declared    bool // the parameters are known, so names can be compared with them
}

// option is an option of a method, and the field that it comes from.
type option struct {
	field string // relative to the method, such as "examples[1]"
	tool.Option
}

// raw returns the method with the given options.
func (d *definition) raw(options ...option) (tool.Method, error) {
	list := []tool.Option{tool.AgentCallable(), tool.FullName(d.fullName)}
	for _, o := range options {
		list = append(list, o.Option)
	}
	return tool.Raw(d.name, d.description, d.parameters, d.handler, list...)
}

// build returns the method with all options. If a field is wrong, ok is false, and build adds every
// mistake to the reader. Then the method has only its parameters, if they are valid.
func (d *definition) build(m *methodFields, run *runner) (made tool.Method, ok bool) {
	ok = d.setParameters()
	options, readable := d.options(m)
	if ok && readable {
		if made, err := d.raw(options...); err == nil {
			made.Idempotent = m.Idempotent
			if len(m.SecretParameters) == 0 { // a preview would show them
				made.Preview = run.preview
			}
			return made, true
		}
	}
	// Something is wrong. Each field is tried alone, so that a mistake has the right field.
	if bare := (&definition{name: d.name, fullName: d.fullName, handler: d.handler}); m.Name != "" {
		if _, err := bare.raw(); err != nil {
			d.refuse("name", err)
		}
	}
	d.name, d.fullName = "name", "id_name" // valid names, so that they cause no further error
	made, err := d.raw()
	if err != nil {
		d.refuse("parameters", err)
		d.parameters, d.declared = nil, false
	}
	for _, o := range options {
		if !d.declared && (strings.HasPrefix(o.field, "examples") || strings.HasPrefix(o.field, "secretParameters")) {
			continue
		}
		if _, err := d.raw(o); err != nil {
			d.refuse(o.field, err)
		}
	}
	return made, false
}

// setParameters sets the schema if the file has one, and reports whether it found no mistake.
func (d *definition) setParameters() bool {
	v := d.reader.root.At(d.path + ".parameters")
	if v.Kind == document.Null {
		d.declared = true
		return true
	}
	parameters, err := v.JSON()
	if err != nil {
		d.reader.valueError(err, d.path+".parameters.")
		return false
	}
	d.parameters, d.declared = parameters, true
	return true
}

// options returns the options of the method, and whether all examples can be read.
func (d *definition) options(m *methodFields) (list []option, ok bool) {
	list = []option{
		{"title", tool.Title(m.Title)},
		{"tags", tool.Tags(m.Tags...)},
		{"risk", tool.WithRisk(m.Risk)},
		{"timeout", tool.Timeout(time.Duration(m.Timeout))},
		{"concurrency", tool.Concurrency(m.Concurrency)},
	}
	for i, alias := range m.Aliases {
		list = append(list, option{fmt.Sprintf("aliases[%d]", i), tool.Alias(alias)})
	}
	for i, name := range m.SecretParameters {
		list = append(list, option{fmt.Sprintf("secretParameters[%d]", i), tool.SecretParameters(name)})
	}
	ok = true
	for i, item := range m.Examples {
		field := fmt.Sprintf("examples[%d]", i)
		arguments, readable := d.example(field, item)
		if !readable {
			ok = false
			continue
		}
		list = append(list, option{field, tool.Example(arguments)})
	}
	return list, ok
}

// example returns the arguments of an example.
func (d *definition) example(field string, item document.Value) (arguments map[string]any, ok bool) {
	field = d.path + "." + field
	if item.Kind != document.Mapping {
		d.reader.mistake(field, "is %v; write the arguments of a call, such as {line: buy milk}", item)
		return nil, false
	}
	data, err := item.JSON()
	if err != nil {
		d.reader.valueError(err, field+".")
		return nil, false
	}
	if err := json.Unmarshal(data, &arguments); err != nil {
		d.reader.mistake(field, "cannot be read: %v", err)
		return nil, false
	}
	return arguments, true
}

// refuse adds an error of package tool as a mistake of a field.
func (d *definition) refuse(field string, err error) {
	reason := err.Error()
	if refused, ok := errors.AsType[*tool.DefinitionError](err); ok {
		reason = strings.TrimPrefix(refused.Reason, "example 1 ") // the field has the number of the example
		if refused.Err != nil {
			reason += ": " + refused.Err.Error()
		}
	}
	d.reader.mistake(d.path+"."+field, "%s", reason)
}
