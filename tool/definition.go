package tool

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool/schema"
	"github.com/vcpgo/vcp/tool/schema/export"
)

// Definition returns the description of the method for a model. language is a language as in
// protocol.PromptOptions; texts are translated if Method.Translations has them. The title replaces
// an empty description. The arguments of examples are in the order in which the schema declares
// them.
func (e *Entry) Definition(language string) protocol.ToolDefinition {
	description, parameters := e.Method.in(language)
	d := protocol.ToolDefinition{ToolName: e.FullName, Description: cmp.Or(description, e.Method.Title)}
	for _, p := range parameters.Properties() {
		parameter := protocol.Parameter{
			Name: p.Name, Type: p.Type, Nullable: p.Nullable, Required: p.Required,
			Default: p.Default, Enum: p.Enum, Description: p.Description,
		}
		addSchema(&parameter, p.Schema)
		d.Parameters = append(d.Parameters, parameter)
	}
	for _, example := range e.Method.Examples {
		d.Examples = append(d.Examples, e.request(example, d.Parameters))
	}
	return d
}

// constraintKeywords are the keywords that restrict a scalar, in the order in which models see
// them.
var constraintKeywords = []string{
	"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "format",
}

// addSchema sets p.Schema to those keywords of the parameter's schema, raw, that no other field of
// p expresses. For a scalar it takes only constraintKeywords. It also sets an empty p.Description
// if the schema has one.
func addSchema(p *protocol.Parameter, raw json.RawMessage) {
	v, err := orderedjson.ReadOrdered(string(raw))
	if err != nil { // impossible: the schema was compiled
		return
	}
	o, ok := v.(*orderedjson.Object)
	if !ok {
		if v != true {
			p.Schema = raw
		}
		return
	}
	o = merged(o)
	if p.Description == "" {
		p.Description = o.Text("description")
	}
	rest := o
	switch p.Type {
	case "string", "integer", "number", "boolean", "null":
		rest = orderedjson.New()
		for _, keyword := range constraintKeywords {
			if o.Has(keyword) {
				rest.Set(keyword, o.Values[keyword])
			}
		}
	default:
		rest.Delete("$schema", "$comment", "description")
		if p.Type != "" {
			rest.Delete("type")
		}
		if p.Default != nil {
			rest.Delete("default")
		}
		if p.Enum != nil {
			rest.Delete("enum", "const")
		}
		if text.FoldName(rest.Text("title")) == text.FoldName(p.Name) {
			rest.Delete("title")
		}
	}
	if len(rest.Names) > 0 {
		p.Schema = orderedjson.Append(nil, rest)
	}
}

// merged returns a copy of a schema. It replaces the first of allOf, anyOf and oneOf that has only
// one subschema by the keywords of the subschema. It replaces nothing if these keywords contradict
// the rest of the schema. {"type":"null"} in anyOf or oneOf does not count, because
// Parameter.Nullable expresses it.
func merged(o *orderedjson.Object) *orderedjson.Object {
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		inner := only(o.List(keyword), keyword != "allOf")
		if inner == nil {
			continue
		}
		m := orderedjson.New()
		for _, name := range o.Names {
			if name != keyword {
				m.Set(name, o.Values[name])
				continue
			}
			for _, name := range inner.Names {
				if o.Has(name) && (name == keyword || !equal(o.Values[name], inner.Values[name])) {
					return o.Clone()
				}
				m.Set(name, inner.Values[name])
			}
		}
		return m
	}
	return o.Clone()
}

func equal(a, b any) bool {
	return bytes.Equal(orderedjson.Append(nil, a), orderedjson.Append(nil, b))
}

// only returns the schema of a list with one schema that is an object. It returns nil for any other
// list. If ignoreNull is set, one {"type":"null"} in addition does not count.
func only(list []any, ignoreNull bool) (one *orderedjson.Object) {
	for _, v := range list {
		o, ok := v.(*orderedjson.Object)
		if ok && ignoreNull && len(list) == 2 && o.Text("type") == "null" && len(o.Names) == 1 {
			continue
		}
		if !ok || one != nil {
			return nil
		}
		one = o
	}
	return one
}

// NativeDefinition returns the description of the method for an API with tool calling; language is
// as for Definition. export.NewTools writes it in the API's form.
func (e *Entry) NativeDefinition(language string) export.Definition {
	description, parameters := e.Method.in(language)
	return export.Definition{Name: e.FullName, Description: description, Parameters: parameters}
}

// in returns the description and the parameters, with their descriptions in a language.
func (m *Method) in(language string) (description string, parameters *schema.Schema) {
	texts := m.Translations[language]
	if texts == nil {
		return m.Description, m.Parameters
	}
	parameters, err := m.Parameters.Translated(texts)
	if err != nil { // the translated schema is too long
		parameters = m.Parameters
	}
	return cmp.Or(texts[m.Description], m.Description), parameters
}

// request returns a request with the arguments of an example: first the declared parameters in
// their order, then other arguments by name.
func (e *Entry) request(args map[string]any, declared []protocol.Parameter) protocol.ToolRequest {
	r, others := protocol.ToolRequest{ToolName: e.FullName}, maps.Clone(args)
	for _, p := range declared {
		if value, ok := args[p.Name]; ok {
			r.Arguments = append(r.Arguments, exampleArgument(p.Name, value))
			delete(others, p.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
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
	value, err := orderedjson.Encode(v)
	if err != nil { // constructors refuse such an example
		return protocol.Argument{Name: name, Value: fmt.Sprint(v)}
	}
	return protocol.Argument{Name: name, Value: string(value), Form: protocol.FormJSON}
}
