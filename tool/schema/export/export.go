// Package export writes definitions of tools for APIs with function calling, and reads the calls
// that their models make.
package export

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool/schema"
)

// Definition describes one method to a provider.
type Definition struct {
	Name        string
	Description string
	Parameters  *schema.Schema
}

// Tools are definitions in the form of one provider. If the provider does not accept a name, the
// model sees another name, called the provider's name, and Call translates it back. Tools are safe
// for concurrent use.
type Tools struct {
	json      json.RawMessage
	wire      map[string]string   // the provider's name of each definition
	functions map[string]function // by the provider's name
}

// function maps the provider's names back to the names in a definition.
type function struct {
	name      string            // the definition's name
	arguments map[string]string // the declared name by the provider's name, if they differ
}

// NewTools writes definitions in a provider's form, in their order. A name that the provider
// accepts is unchanged. In other names, underscores replace the characters that are not allowed. If
// the result is too long or not unique, or if most characters were replaced, it ends in a part of
// the original name's hash. The hash does not depend on the other definitions.
//
// A schema is written as declared, as far as the provider accepts it. The rest is omitted or
// becomes part of the description. A call is checked against the whole schema in any case.
//
// NewTools fails if the provider is unknown or if two definitions have the same name.
func NewTools(p Provider, definitions []Definition) (*Tools, error) {
	rule, known := functionNames[p]
	if !known {
		return nil, fmt.Errorf("export: the provider %q is unknown; use %s, %s, %s or %s",
			p, OpenAI, Anthropic, Google, MCP)
	}
	names := make([]string, len(definitions))
	for i, d := range definitions {
		names[i] = d.Name
	}
	wire, err := wireNames(names, rule)
	if err != nil {
		return nil, err
	}
	t := &Tools{wire: wire, functions: map[string]function{}}
	list := make([]any, 0, len(definitions))
	for _, d := range definitions {
		arguments, err := wireNames(argumentsOf(d.Parameters), argumentNames[p])
		if err != nil {
			return nil, err
		}
		f := function{name: d.Name, arguments: map[string]string{}}
		for name, wireName := range arguments {
			if name != wireName {
				f.arguments[wireName] = name
			}
		}
		t.functions[wire[d.Name]] = f
		list = append(list, definition(p, wire[d.Name], d, arguments))
	}
	if p == Google && len(list) > 0 {
		list = []any{orderedjson.New("functionDeclarations", list)}
	}
	t.json = orderedjson.Append(nil, list)
	return t, nil
}

// definition returns d in the provider's form. name and arguments are the provider's names.
func definition(p Provider, name string, d Definition, arguments map[string]string) *orderedjson.Object {
	o := orderedjson.New("name", name, "description", d.Description)
	switch p {
	case Anthropic:
		o.Set("input_schema", plainObject(d.Parameters, arguments))
	case MCP:
		o.Set("inputSchema", plainObject(d.Parameters, arguments))
	case Google:
		if parameters := googleSchema(inlined(d.Parameters, arguments)); parameters.Has("properties") {
			o.Set("parameters", parameters)
		}
	default:
		o.Set("parameters", withItems(plainObject(d.Parameters, arguments)))
		return orderedjson.New("type", "function", "function", o)
	}
	return o
}

// JSON returns the value of "tools" in a request: an array, empty if there are no definitions. The
// caller must not change it.
func (t *Tools) JSON() json.RawMessage { return t.json }

// Neutralized returns what JSON returns, after neutralize has changed each text and each member
// name. Titles and descriptions of tools are foreign text, and a model may repeat them.
func (t *Tools) Neutralized(neutralize func(string) string) json.RawMessage {
	return orderedjson.Append(nil, mapTexts(read(t.json), neutralize))
}

// mapTexts applies f to each string and member name in v.
func mapTexts(v any, f func(string) string) any {
	switch v := v.(type) {
	case string:
		return f(v)
	case []any:
		for i := range v {
			v[i] = mapTexts(v[i], f)
		}
	case *orderedjson.Object:
		mapped := orderedjson.New()
		for _, name := range v.Names {
			mapped.Set(f(name), mapTexts(v.Values[name], f))
		}
		return mapped
	}
	return v
}

// Name returns the provider's name of the definition with that name, or "" if no definition has it.
func (t *Tools) Name(name string) string { return t.wire[name] }

// Call translates a model's call: the provider's name and a JSON object of arguments become the
// definition's name and the arguments for schema.Object. An unknown name is returned unchanged, so
// that the registry can refuse it. Empty arguments mean none; arguments that are not a JSON object
// are an error.
func (t *Tools) Call(function string, arguments string) (name string, args []schema.Text, err error) {
	f, known := t.functions[function]
	if !known {
		f.name = function
	}
	if strings.TrimSpace(arguments) == "" {
		return f.name, nil, nil
	}
	shown := text.TruncateRunes(function, 80)
	if !utf8.ValidString(arguments) {
		return f.name, nil, fmt.Errorf("export: the arguments of %s are not UTF-8", shown)
	}
	v, err := orderedjson.ReadOrdered(arguments)
	if err != nil {
		return f.name, nil, fmt.Errorf("export: the arguments of %s are not JSON: %w", shown, err)
	}
	o, ok := v.(*orderedjson.Object)
	if !ok {
		return f.name, nil, fmt.Errorf("export: the arguments of %s must be a JSON object, not a list or a single value", shown)
	}
	for _, wireName := range o.Names {
		declared, renamed := f.arguments[wireName]
		if !renamed {
			declared = wireName
		}
		value := string(orderedjson.Append(nil, o.Values[wireName]))
		args = append(args, schema.Text{Name: declared, Value: value, JSON: true})
	}
	return f.name, args, nil
}
