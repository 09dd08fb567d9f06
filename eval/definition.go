package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/vcpgo/vcp/tool"
)

// definition is a tool in the form of OpenAI ({"type":"function","function":{…}}), MCP
// ("inputSchema"), Anthropic ("input_schema") or BFCL ("parameters" beside the name). Members that
// only other programs need are ignored.
type definition struct {
	Function    *definition     `json:"function"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	InputSchema json.RawMessage `json:"inputSchema"`
	Anthropic   json.RawMessage `json:"input_schema"`
}

// registryOf returns a registry of the tools. Their methods do nothing and succeed.
func registryOf(definitions []json.RawMessage) (*tool.Registry, error) {
	methods := make([]tool.Method, 0, len(definitions))
	for i, raw := range definitions {
		m, err := methodOf(raw)
		if err != nil {
			return nil, fmt.Errorf("tools[%d]: %w", i, err)
		}
		methods = append(methods, m)
	}
	registry := tool.NewRegistry()
	if len(methods) == 0 {
		return registry, nil
	}
	err := registry.Register(tool.Tool{ID: "eval", Methods: methods})
	return registry, err
}

// methodOf reads one definition.
func methodOf(raw json.RawMessage) (tool.Method, error) {
	var d definition
	if err := json.Unmarshal(raw, &d); err != nil {
		return tool.Method{}, err
	}
	parameters := d.Parameters
	switch {
	case d.Function != nil:
		d = *d.Function
		parameters = d.Parameters
	case d.InputSchema != nil:
		parameters = d.InputSchema
	case d.Anthropic != nil:
		parameters = d.Anthropic
	default:
		parameters = jsonSchemaOf(parameters)
	}
	if d.Name == "" {
		return tool.Method{}, errors.New("the definition has no name; allowed are the forms of OpenAI, Anthropic, MCP and BFCL")
	}
	nothing := func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{Text: "ok"}, nil }
	return tool.Raw(d.Name, d.Description, parameters, nothing, tool.FullName(d.Name), tool.AgentCallable())
}

// bfclTypes are the types in definitions of BFCL that JSON Schema does not have. "" is any type.
var bfclTypes = map[string]string{
	"dict": "object", "HashMap": "object", "Hashtable": "object", "Object": "object",
	"list": "array", "tuple": "array", "ArrayList": "array", "Array": "array", "Queue": "array", "Stack": "array", "Set": "array",
	"float": "number", "double": "number", "Float": "number", "Double": "number",
	"int": "integer", "long": "integer", "short": "integer", "byte": "integer", "Bigint": "integer", "Integer": "integer",
	"bool": "boolean", "Boolean": "boolean",
	"String": "string", "char": "string",
	"any": "", "Any": "",
}

// jsonSchemaOf returns the parameters of a BFCL definition as JSON Schema. What is no object stays
// as it is, for the compiler of schemas to refuse.
func jsonSchemaOf(parameters json.RawMessage) json.RawMessage {
	var node map[string]json.RawMessage
	if json.Unmarshal(parameters, &node) != nil || node == nil {
		return parameters
	}
	var name string
	if json.Unmarshal(node["type"], &name) == nil {
		if standard, ok := bfclTypes[name]; ok && standard != "" {
			node["type"], _ = json.Marshal(standard)
		} else if ok {
			delete(node, "type")
		}
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if node[key] != nil {
			node[key] = jsonSchemaOf(node[key])
		}
	}
	var properties map[string]json.RawMessage
	if json.Unmarshal(node["properties"], &properties) == nil && properties != nil {
		for key, property := range properties {
			properties[key] = jsonSchemaOf(property)
		}
		node["properties"], _ = json.Marshal(properties)
	}
	schema, err := json.Marshal(node)
	if err != nil {
		return parameters
	}
	return schema
}
