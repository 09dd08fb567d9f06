package tool

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool/schema/export"
)

// Definition describes the method to a model. The arguments of examples are in the order in which
// the schema declares them.
func (e *Entry) Definition() protocol.ToolDefinition {
	d := protocol.ToolDefinition{
		ToolName:    e.FullName,
		Title:       e.Method.Title,
		Command:     e.Method.Alias,
		Description: e.Method.Description,
	}
	for _, p := range e.Method.Parameters.Properties() {
		parameter := protocol.Parameter{
			Name: p.Name, Type: p.Type, Required: p.Required, Default: p.Default, Enum: p.Enum, Description: p.Description,
		}
		switch p.Type {
		case "string", "integer", "number", "boolean", "null":
			parameter.Schema = constraints(p.Schema)
		default:
			parameter.Schema = p.Schema
		}
		d.Parameters = append(d.Parameters, parameter)
	}
	for _, example := range e.Method.Examples {
		d.Examples = append(d.Examples, e.request(example, d.Parameters))
	}
	return d
}

// constraintKeywords limit a scalar, in the order in which models read them.
var constraintKeywords = []string{
	"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "format",
}

// constraints returns the constraints at the top level of the schema of a scalar; nil if there are
// none.
func constraints(of json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(of, &members) != nil {
		return nil // a schema may be true
	}
	var b []byte
	for _, keyword := range constraintKeywords {
		if value, ok := members[keyword]; ok {
			b = append(append(b, ',', '"'), keyword...)
			b = append(append(b, '"', ':'), value...)
		}
	}
	if b == nil {
		return nil
	}
	b[0] = '{'
	return append(b, '}')
}

// NativeDefinition describes the method to an API with tool calling: export.NewTools writes it in
// the API's form.
func (e *Entry) NativeDefinition() export.Definition {
	return export.Definition{Name: e.FullName, Description: e.Method.Description, Parameters: e.Method.Parameters}
}

// request returns example arguments as a model would write them.
func (e *Entry) request(args map[string]any, order []protocol.Parameter) protocol.ToolRequest {
	var names []string
	for _, p := range order {
		if _, ok := args[p.Name]; ok {
			names = append(names, p.Name)
		}
	}
	var others []string
	for name := range args {
		if !slices.Contains(names, name) {
			others = append(others, name)
		}
	}
	slices.Sort(others)
	r := protocol.ToolRequest{ToolName: e.FullName}
	for _, name := range append(names, others...) {
		r.Arguments = append(r.Arguments, exampleArgument(name, args[name]))
	}
	return r
}

// exampleArgument returns an argument with the value v: a string as plain text, anything else as
// JSON.
func exampleArgument(name string, v any) protocol.Argument {
	if s, ok := v.(string); ok {
		return protocol.Argument{Name: name, Value: s}
	}
	text, err := orderedjson.Encode(v)
	if err != nil { // the method was built with v, so it has been written before
		return protocol.Argument{Name: name, Value: fmt.Sprint(v)}
	}
	return protocol.Argument{Name: name, Value: string(text), Form: protocol.FormJSON}
}
