package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

// readMethod returns a method of the tool with the given id. ok is false if the method has a
// mistake.
func (r *reader) readMethod(id string, m *methodFields, v document.Value, path string) (made tool.Method, ok bool) {
	before := len(r.errors)
	if name := v.Field("name"); name.Kind == document.Null || name.Text == "" {
		r.mistake(v.Line, path+".name", "the method has no name; write a short one, such as name: append")
	}
	if strings.TrimSpace(m.Description) == "" {
		r.mistake(v.Line, path+".description", "the description is missing; say in one sentence what the method does, since models choose by it")
	}
	if d := time.Duration(m.Timeout); d < 0 || d > maxTimeout {
		r.mistake(v.Field("timeout").Line, path+".timeout", "must be above 0 and at most 24h (got %v)", d)
		m.Timeout = 0
	}
	run := &runner{directory: r.directory, env: m.Env, output: m.Output}
	if m.Directory != "" {
		run.directory = m.Directory
		if !filepath.IsAbs(run.directory) {
			run.directory = filepath.Join(r.directory, run.directory)
		}
	}
	for i, name := range m.Env {
		if name == "" || strings.ContainsAny(name, "= \x00") {
			r.mistake(v.Field("env").Items[i].Line, fmt.Sprintf("%s.env[%d]", path, i),
				"%q is not a name of a variable; write the names of variables of your environment, without values", text.TruncateBytes(name, 40))
		}
	}
	run.argv = r.readArgv(v, path)
	d := &definition{
		reader: r, value: v, path: path, name: m.Name, fullName: id + "_" + m.Name, description: m.Description,
		handler: run.handle,
	}
	made, ok = d.build(m, run)
	if d.declared {
		r.checkNames(run.argv, &made, v.Field("run"), path+".run")
		r.checkRequired(v.Field("parameters"), path+".parameters")
	}
	if !ok || len(r.errors) > before {
		return tool.Method{}, false
	}
	r.checkRun(run, v, path)
	r.files = append(r.files, run.files()...)
	return made, true
}

// definition creates a method from its fields in a file.
type definition struct {
	reader      *reader
	value       document.Value // of the method
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
	line  int
	tool.Option
}

// raw returns the method with some options.
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
			d.refuse(d.value.Line, "name", err)
		}
	}
	d.name, d.fullName = "name", "id_name" // valid names, so that they cause no further error
	made, err := d.raw()
	if err != nil {
		d.refuse(d.value.Field("parameters").Line, "parameters", err)
		d.parameters, d.declared = nil, false
	}
	for _, o := range options {
		if !d.declared && (strings.HasPrefix(o.field, "examples") || strings.HasPrefix(o.field, "secretParameters")) {
			continue
		}
		if _, err := d.raw(o); err != nil {
			d.refuse(o.line, o.field, err)
		}
	}
	return made, false
}

// setParameters sets the schema, and reports whether it is JSON.
func (d *definition) setParameters() bool {
	v := d.value.Field("parameters")
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
	add := func(field string, o tool.Option) {
		list = append(list, option{field, d.value.Field(field).Line, o})
	}
	each := func(field string, i int, o tool.Option) {
		list = append(list, option{fmt.Sprintf("%s[%d]", field, i), d.value.Field(field).Items[i].Line, o})
	}
	add("title", tool.Title(m.Title))
	add("tags", tool.Tags(m.Tags...))
	add("risk", tool.WithRisk(m.Risk))
	add("timeout", tool.Timeout(time.Duration(m.Timeout)))
	add("concurrency", tool.Concurrency(m.Concurrency))
	for i, alias := range m.Aliases {
		each("aliases", i, tool.Alias(alias))
	}
	for i, name := range m.SecretParameters {
		each("secretParameters", i, tool.SecretParameters(name))
	}
	ok = true
	for i, item := range d.value.Field("examples").Items {
		arguments, readable := d.example(i, item)
		if !readable {
			ok = false
			continue
		}
		each("examples", i, tool.Example(arguments))
	}
	return list, ok
}

// example returns the arguments of an example.
func (d *definition) example(i int, item document.Value) (arguments map[string]any, ok bool) {
	field := fmt.Sprintf("%s.examples[%d]", d.path, i)
	if item.Kind != document.Mapping {
		d.reader.mistake(item.Line, field, "is %v; write the arguments of a call, such as {line: buy milk}", item)
		return nil, false
	}
	data, err := item.JSON()
	if err != nil {
		d.reader.valueError(err, field+".")
		return nil, false
	}
	if err := json.Unmarshal(data, &arguments); err != nil {
		d.reader.mistake(item.Line, field, "cannot be read: %v", err)
		return nil, false
	}
	return arguments, true
}

// refuse adds an error of package tool as a mistake of a field.
func (d *definition) refuse(line int, field string, err error) {
	reason := err.Error()
	var refused *tool.DefinitionError
	if errors.As(err, &refused) {
		reason = strings.TrimPrefix(refused.Reason, "example 1 ") // the field has the number of the example
		if refused.Err != nil {
			reason += ": " + refused.Err.Error()
		}
	}
	d.reader.mistake(max(line, d.value.Line), d.path+"."+field, "%s", reason)
}
