// Package command makes tools of programs. A YAML file names the tools, their parameters, and for
// each method the program that runs it. The program gets the arguments as JSON on standard input,
// and in its own arguments if the file says so. What it prints is the result. docs/tools.md
// describes the file.
package command

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
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

// file is the form of a file of command tools.
type file struct {
	Tools []toolFields `yaml:"tools"`
}

type toolFields struct {
	ID          string         `yaml:"id"`
	Title       string         `yaml:"title"`
	Description string         `yaml:"description"`
	Aliases     []string       `yaml:"aliases"`
	Tags        []string       `yaml:"tags"`
	Concurrency int            `yaml:"concurrency"`
	Methods     []methodFields `yaml:"methods"`
}

type methodFields struct {
	Name             string           `yaml:"name"`
	Title            string           `yaml:"title"`
	Description      string           `yaml:"description"`
	Aliases          []string         `yaml:"aliases"`
	Tags             []string         `yaml:"tags"`
	Risk             tool.Risk        `yaml:"risk"`
	Parameters       document.Value   `yaml:"parameters"`
	Run              document.Value   `yaml:"run"`
	Directory        string           `yaml:"dir"`
	Env              []string         `yaml:"env"`
	Output           outputForm       `yaml:"output"`
	Timeout          duration         `yaml:"timeout"`
	Idempotent       bool             `yaml:"idempotent"`
	Concurrency      int              `yaml:"concurrency"`
	SecretParameters []string         `yaml:"secretParameters"`
	Examples         []document.Value `yaml:"examples"`
}

// duration is written as in "5s"; a number means milliseconds, as in a configuration.
type duration time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *duration) UnmarshalText(text []byte) error {
	if ms, err := strconv.ParseInt(string(text), 10, 32); err == nil {
		*d = duration(time.Duration(ms) * time.Millisecond)
		return nil
	}
	parsed, err := time.ParseDuration(string(text))
	*d = duration(parsed)
	return err
}

// maxTimeout is the longest time limit of a method.
const maxTimeout = 24 * time.Hour

// allowedValues says what the fields take whose type does not tell.
var allowedValues = map[string]string{
	"timeout": `a duration such as "5s", or a whole number of milliseconds`,
}

// Load reads the tools of a file. The error is a FileErrors, or that of opening the file.
func Load(path string) ([]tool.Tool, error) {
	_, tools, err := load(path)
	return tools, err
}

func load(path string) (*reader, []tool.Tool, error) {
	v, err := document.Load(path)
	if err != nil {
		return nil, nil, openError(path, err)
	}
	r := &reader{path: path, root: v}
	var f file
	if err := v.Decode(&f); err != nil {
		r.decodeError(err)
		return nil, nil, r.errors
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, nil, err
	}
	r.directory = filepath.Dir(absolute)
	tools := r.tools(f)
	if len(r.errors) > 0 {
		slices.SortStableFunc(r.errors, func(a, b *FileError) int { return a.Line - b.Line })
		return nil, nil, r.errors
	}
	return r, tools, nil
}

// reader makes tools of one file and collects the mistakes.
type reader struct {
	path      string
	directory string // of the file
	root      document.Value
	errors    FileErrors
	warnings  FileErrors
}

func (r *reader) mistake(line int, field, format string, args ...any) {
	r.errors = append(r.errors, &FileError{Path: r.path, Line: line, Field: field, Reason: fmt.Sprintf(format, args...)})
}

// tools makes the tools, without those that have mistakes.
func (r *reader) tools(f file) []tool.Tool {
	if len(f.Tools) == 0 {
		r.mistake(r.root.Field("tools").Line, "tools", `no tool is named; begin with "tools:" and a list, as vcp tools new writes it`)
	}
	var tools []tool.Tool
	ids := map[string]bool{}
	for i := range f.Tools {
		t := &f.Tools[i]
		v, path := r.root.Field("tools").Items[i], fmt.Sprintf("tools[%d]", i)
		switch {
		case t.ID == "":
			r.mistake(v.Line, path+".id", "the tool has no id; write a short name, such as id: notes")
		case ids[t.ID]:
			r.mistake(v.Field("id").Line, path+".id", "%q is the id of another tool of the file; rename one, or put the methods into one tool", t.ID)
		}
		ids[t.ID] = true
		tools = append(tools, r.tool(t, v, path))
	}
	return tools
}

func (r *reader) tool(t *toolFields, v document.Value, path string) tool.Tool {
	if len(t.Methods) == 0 {
		r.mistake(v.Line, path+".methods", "the tool has no methods; add at least one with name, description and run")
	}
	made := tool.Tool{
		ID: t.ID, Title: t.Title, Description: t.Description, Aliases: t.Aliases, Tags: t.Tags, Concurrency: t.Concurrency,
	}
	methods := v.Field("methods").Items
	for i := range t.Methods {
		if m, ok := r.method(t.ID, &t.Methods[i], methods[i], fmt.Sprintf("%s.methods[%d]", path, i)); ok {
			made.Methods = append(made.Methods, m)
		}
	}
	if len(r.errors) == 0 {
		r.register(made, v, path)
	}
	return made
}

// register finds what only a registry refuses, such as a name that occurs twice.
func (r *reader) register(made tool.Tool, v document.Value, path string) {
	if err := tool.NewRegistry().Register(made); err != nil {
		r.mistake(v.Line, path, "%s", strings.TrimPrefix(err.Error(), "tool: "))
	}
}

func (r *reader) method(id string, m *methodFields, v document.Value, path string) (tool.Method, bool) {
	before := len(r.errors)
	if m.Name == "" {
		r.mistake(v.Line, path+".name", "the method has no name; write a short one, such as name: append")
	}
	if strings.TrimSpace(m.Description) == "" {
		r.mistake(v.Line, path+".description", "the description is missing; say in one sentence what the method does, since models choose by it")
	}
	if d := time.Duration(m.Timeout); d < 0 || d > maxTimeout {
		r.mistake(v.Field("timeout").Line, path+".timeout", "must be above 0 and at most 24h (got %v)", d)
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
				"%q is no name of a variable; write the names of variables of your environment, without values", text.TruncateBytes(name, 40))
		}
	}
	run.argv = r.argv(v, path)
	parameters, err := v.Field("parameters").JSON()
	if err != nil {
		r.valueError(err, path+".parameters.")
		return tool.Method{}, false
	}
	if v.Field("parameters").Kind == document.Null {
		parameters = nil
	}
	examples := r.examples(v, path)
	if len(r.errors) > before {
		return tool.Method{}, false
	}
	options := []tool.Option{
		tool.AgentCallable(), tool.FullName(id + "_" + m.Name), tool.Title(m.Title), tool.Alias(m.Aliases...), tool.Tags(m.Tags...),
		tool.WithRisk(m.Risk), tool.Timeout(time.Duration(m.Timeout)), tool.Concurrency(m.Concurrency), tool.SecretParameters(m.SecretParameters...),
	}
	if m.Idempotent {
		options = append(options, tool.Idempotent())
	}
	if len(m.SecretParameters) == 0 { // a preview would show them
		options = append(options, func(m *tool.Method) { m.Preview = run.preview })
	}
	for _, example := range examples {
		options = append(options, tool.Example(example))
	}
	made, err := tool.Raw(m.Name, m.Description, parameters, run.handle, options...)
	if err != nil {
		r.definitionError(err, v, path)
		return tool.Method{}, false
	}
	r.checkNames(run.argv, &made, v.Field("run"), path+".run")
	if len(r.errors) > before {
		return tool.Method{}, false
	}
	r.checkRun(run, v, path)
	return made, true
}

// examples returns the arguments of the examples.
func (r *reader) examples(v document.Value, path string) (list []map[string]any) {
	for i, item := range v.Field("examples").Items {
		field := fmt.Sprintf("%s.examples[%d]", path, i)
		if item.Kind != document.Mapping {
			r.mistake(item.Line, field, "is %v; write the arguments of a call, such as {line: buy milk}", item)
			continue
		}
		data, err := item.JSON()
		if err != nil {
			r.valueError(err, field+".")
			continue
		}
		var arguments map[string]any
		if err := json.Unmarshal(data, &arguments); err != nil {
			r.mistake(item.Line, field, "cannot be read: %v", err)
			continue
		}
		list = append(list, arguments)
	}
	return list
}
