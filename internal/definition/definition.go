// Package definition reads definitions of tools in the forms that other programs write: those of
// OpenAI, Anthropic, MCP and BFCL, and the output of "vcp tools --json".
package definition

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/vcpgo/vcp/internal/jsonerror"
	"github.com/vcpgo/vcp/tool"
)

// allowedForms is the end of each error about the form of a document.
const allowedForms = `allowed are definitions in the form of OpenAI, Anthropic, MCP or BFCL, ` +
	`and the output of "vcp tools --json"`

// An Error says which definition of a document cannot be used.
type Error struct {
	Entry int // the number of the definition, from 1; 0 means the whole document
	Err   error
}

// Error names the definition and what is wrong with it.
func (e *Error) Error() string {
	if e.Entry == 0 {
		return e.Err.Error()
	}
	return fmt.Sprintf("definition %d: %v", e.Entry, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// definition contains the members that this package reads, whatever the form is.
type definition struct {
	Function *definition `json:"function"` // OpenAI

	Name        string           `json:"name"`
	FullName    string           `json:"fullName"` // vcp tools --json
	Title       string           `json:"title"`
	Aliases     []string         `json:"aliases"`
	Description string           `json:"description"`
	Examples    []map[string]any `json:"examples"` // arguments of calls

	Parameters  json.RawMessage `json:"parameters"`   // OpenAI, BFCL, vcp tools --json
	InputSchema json.RawMessage `json:"inputSchema"`  // MCP
	Anthropic   json.RawMessage `json:"input_schema"` // Anthropic

	Enabled *bool  `json:"enabled"` // vcp tools --json: whether models see the method
	Health  string `json:"health"`  // vcp tools --json: only of a plug-in, a server or a file, which is no method
}

// Register adds the tools that a document defines, each with one method that models may call.
// handler runs the methods; if it is nil, the application does (see tool.HostRun). A document is a
// list of definitions, one definition, or an object with such a list in "tools" or in
// "result.tools", as an MCP server responds. Disabled methods in the output of "vcp tools --json"
// are skipped, as are its plug-ins, servers and files. The error is an *Error; the definitions
// before the wrong one stay registered.
func Register(registry *tool.Registry, document []byte, handler tool.Handler) error {
	entries, err := entriesOf(document)
	if err != nil {
		return &Error{Err: err}
	}
	for i, entry := range entries {
		if err := register(registry, entry, handler); err != nil {
			return &Error{Entry: i + 1, Err: err}
		}
	}
	return nil
}

// entriesOf returns the definitions in a document.
func entriesOf(document []byte) ([]json.RawMessage, error) {
	document = bytes.TrimSpace(document)
	if len(document) == 0 {
		return nil, errors.New("the document is empty; " + allowedForms)
	}
	var whole struct {
		Tools  json.RawMessage `json:"tools"`
		Result struct {
			Tools json.RawMessage `json:"tools"`
		} `json:"result"`
	}
	list := json.RawMessage(document)
	if document[0] == '{' {
		if err := decode(document, &whole); err != nil {
			return nil, err
		}
		switch {
		case whole.Tools != nil:
			list = whole.Tools
		case whole.Result.Tools != nil:
			list = whole.Result.Tools
		default:
			return []json.RawMessage{document}, nil
		}
	}
	var entries []json.RawMessage
	if err := decode(list, &entries); err != nil {
		return nil, err
	}
	return entries, nil
}

// register adds the tool that one definition defines. It skips what Register skips.
func register(registry *tool.Registry, entry json.RawMessage, handler tool.Handler) error {
	var d definition
	if err := decode(entry, &d); err != nil {
		return err
	}
	if d.Health != "" || d.Enabled != nil && !*d.Enabled {
		return nil
	}
	if d.Function != nil {
		d = *d.Function
	}
	name := cmp.Or(d.FullName, d.Name)
	if name == "" {
		return errors.New("it has no name; " + allowedForms)
	}
	options := []tool.Option{tool.FullName(name), tool.Title(d.Title), tool.Alias(d.Aliases...), tool.AgentCallable()}
	for _, example := range d.Examples {
		options = append(options, tool.Example(example))
	}
	parameters := d.Parameters
	for _, other := range []json.RawMessage{d.InputSchema, d.Anthropic} {
		if parameters == nil {
			parameters = other
		}
	}
	parameters = standardTypes(parameters)
	var m tool.Method
	var err error
	if handler == nil {
		m, err = tool.HostRun(name, d.Description, parameters, options...)
	} else {
		m, err = tool.Raw(name, d.Description, parameters, handler, options...)
	}
	if err != nil {
		return err
	}
	return registry.Register(tool.Tool{ID: name, Methods: []tool.Method{m}})
}

// decode decodes JSON. Its errors say where the mistake is and which forms are allowed.
func decode(data []byte, into any) error {
	err := json.Unmarshal(data, into)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		read := data[:min(int(syntax.Offset), len(data))]
		return fmt.Errorf("not JSON: %w (line %d); %s", err, 1+bytes.Count(read, []byte("\n")), allowedForms)
	}
	var wrongType *json.UnmarshalTypeError
	if errors.As(err, &wrongType) {
		return fmt.Errorf("%w; %s", jsonerror.Explain(err), allowedForms)
	}
	return err
}
