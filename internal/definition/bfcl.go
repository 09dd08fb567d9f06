package definition

import (
	"encoding/json"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// bfclTypes maps types in definitions of BFCL (the Berkeley Function Calling Leaderboard) to types
// of JSON Schema. "" means any type.
var bfclTypes = map[string]string{
	"dict": "object", "HashMap": "object", "Hashtable": "object", "Object": "object",
	"list": "array", "tuple": "array", "ArrayList": "array", "Array": "array",
	"Queue": "array", "Stack": "array", "Set": "array",
	"float": "number", "double": "number", "Float": "number", "Double": "number",
	"int": "integer", "long": "integer", "short": "integer", "byte": "integer",
	"Bigint": "integer", "Integer": "integer",
	"bool": "boolean", "Boolean": "boolean",
	"String": "string", "char": "string",
	"any": "", "Any": "",
}

// standardTypes returns a schema with the types of JSON Schema in place of those of BFCL. It keeps
// the order of members. A schema without types of BFCL is returned as it is, valid or not.
func standardTypes(schema json.RawMessage) json.RawMessage {
	node, err := orderedjson.ReadOrdered(string(schema))
	if err != nil || !replaceTypes(node) {
		return schema
	}
	return orderedjson.Append(nil, node)
}

// replaceTypes replaces the BFCL types in a schema and in the schemas of its items and properties.
// It reports whether there were any.
func replaceTypes(schema any) bool {
	node, ok := schema.(*orderedjson.Object)
	if !ok {
		return false
	}
	standard, replaced := bfclTypes[node.Text("type")]
	switch {
	case standard != "":
		node.Set("type", standard)
	case replaced:
		node.Delete("type")
	}
	for _, key := range []string{"items", "additionalProperties"} {
		replaced = replaceTypes(node.Values[key]) || replaced
	}
	if properties := node.Object("properties"); properties != nil {
		for _, property := range properties.Values {
			replaced = replaceTypes(property) || replaced
		}
	}
	return replaced
}
