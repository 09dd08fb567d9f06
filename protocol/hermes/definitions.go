package hermes

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/internal/tags"
)

// The instructions. They contain the word DEFINITIONS, which tags.Prompt replaces.
var (
	//go:embed usage_en.txt
	usageEnglish string
	//go:embed usage_zh.txt
	usageChinese string
)

// GenerateToolDefinitions writes the definitions as in the training of these models: one object per
// line inside <tools>, in the form of the APIs of model servers. The instructions are around them.
// The member "examples" is next to the name. Examples that cannot be written as a call are omitted.
func (Protocol) GenerateToolDefinitions(definitions []protocol.ToolDefinition, o protocol.PromptOptions) string {
	return tags.Prompt(o.Choose(usageEnglish, usageChinese), definitions, appendDefinition)
}

// appendDefinition appends a definition as one line.
func appendDefinition(b []byte, d *protocol.ToolDefinition) []byte {
	start := len(b)
	b = append(b, `{"type": "function", "function": {"name": `...)
	b = appendForeign(b, d.ToolName)
	if d.Description != "" {
		b = append(b, `, "description": `...)
		b = appendForeign(b, d.Description)
	}
	b = append(b, `, "parameters": {"type": "object", "properties": {`...)
	var required, examples [][]byte
	for i := range d.Parameters {
		p := &d.Parameters[i]
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendForeign(b, p.Name)
		b = append(b, ": "+property(p)...)
		if p.Required {
			required = append(required, appendForeign(nil, p.Name))
		}
	}
	b = appendList(append(b, '}'), "required", required)
	b = append(b, '}')
	for i := range d.Examples {
		if _, err := (Protocol{}).FormatToolRequests(d.Examples[i : i+1]); err != nil {
			continue
		}
		examples = append(examples, appendCall(nil, &d.Examples[i], true))
	}
	b = appendList(b, "examples", examples)
	for i, c := range b[start:] {
		if c == '\n' || c == '\r' { // between the tokens of JSON, because strings contain none
			b[start+i] = ' '
		}
	}
	return append(b, "}}\n"...)
}

// appendList appends a member that contains a list, unless the list is empty.
func appendList(b []byte, key string, list [][]byte) []byte {
	if len(list) == 0 {
		return b
	}
	b = append(b, `, "`+key+`": [`...)
	return append(append(b, bytes.Join(list, []byte(", "))...), ']')
}

// property returns the JSON Schema of a parameter: the members of its field Schema, merged with its
// other fields, such as Type. If that would read back as another parameter, Schema is written
// apart, in allOf. A Default, Enum or Schema that is not JSON is omitted.
func property(p *protocol.Parameter) string {
	fields := propertyOfFields(p)
	if len(p.Schema) == 0 || !json.Valid(p.Schema) {
		return fields
	}
	schema := withoutTags(string(p.Schema))
	if inner := strings.TrimSpace(schema); strings.HasPrefix(inner, "{") {
		candidate := joined(fields, strings.TrimSpace(inner[1:len(inner)-1]))
		if got, err := parameterOf(candidate); err == nil && sameParameter(&got, p) {
			return candidate
		}
	}
	return joined(fields, `"allOf": [`+schema+"]")
}

// joined returns object with members added.
func joined(object, members string) string {
	if object != "{}" && members != "" {
		members = ", " + members
	}
	return strings.TrimSuffix(object, "}") + members + "}"
}

// sameParameter reports whether two parameters are equal except for Name and Required.
func sameParameter(a, b *protocol.Parameter) bool {
	return a.Type == b.Type && a.Nullable == b.Nullable && a.Description == b.Description && sameJSON(a.Enum, b.Enum) &&
		sameJSON([]json.RawMessage{a.Default, a.Schema}, []json.RawMessage{b.Default, b.Schema})
}

// propertyOfFields returns the JSON Schema of the fields of a parameter except Schema.
func propertyOfFields(p *protocol.Parameter) string {
	b := []byte("{")
	add := func(key string, value []byte) {
		if len(b) > 1 {
			b = append(b, ", "...)
		}
		b = append(append(b, `"`+key+`": `...), value...)
	}
	switch name := appendForeign(nil, p.Type); {
	case p.Type == "":
	case p.Nullable:
		add("type", append(append([]byte{'['}, name...), `, "null"]`...))
	default:
		add("type", name)
	}
	if p.Description != "" {
		add("description", appendForeign(nil, p.Description))
	}
	if json.Valid(p.Default) {
		add("default", []byte(withoutTags(string(p.Default))))
	}
	if enum, err := json.Marshal(p.Enum); err == nil && len(p.Enum) > 0 {
		add("enum", enum) // Marshal escapes angle brackets
	}
	return string(append(b, '}'))
}

// sameJSON reports whether two lists of values are equal: as JSON, or byte for byte if one is not
// JSON.
func sameJSON(a, b []json.RawMessage) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		var x, y any
		if json.Unmarshal(a[i], &x) != nil || json.Unmarshal(b[i], &y) != nil {
			x, y = string(a[i]), string(b[i])
		}
		if !reflect.DeepEqual(x, y) {
			return false
		}
	}
	return true
}
