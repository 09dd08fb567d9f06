package hermes

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// GenerateToolDefinitions writes the definitions as in the training of these models: one object per
// line inside <tools>, in the form of the APIs of model servers. The instructions are around them.
// Examples are members next to the name; those that cannot be written as a call are omitted.
func (Protocol) GenerateToolDefinitions(definitions []protocol.ToolDefinition, o protocol.PromptOptions) string {
	if len(definitions) == 0 {
		return ""
	}
	before, after := usage(o.Language)
	b := []byte(before + toolsStart + "\n")
	for i := range definitions {
		b = appendDefinition(b, &definitions[i])
		b = append(b, '\n')
	}
	return string(b) + toolsEnd + "\n" + after
}

func appendDefinition(b []byte, d *protocol.ToolDefinition) []byte {
	b = append(b, `{"type": "function", "function": {"name": `...)
	b = appendString(b, d.ToolName, true)
	if d.Description != "" {
		b = append(b, `, "description": `...)
		b = appendString(b, d.Description, true)
	}
	b = append(b, `, "parameters": {"type": "object", "properties": {`...)
	var required []byte
	for i := range d.Parameters {
		p := &d.Parameters[i]
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendString(b, p.Name, true)
		b = append(b, ": "+property(p)...)
		if p.Required {
			if required != nil {
				required = append(required, ", "...)
			}
			required = appendString(required, p.Name, true)
		}
	}
	b = append(b, "}"...)
	if required != nil {
		b = append(append(append(b, `, "required": [`...), required...), ']')
	}
	b = append(b, "}"...)
	var examples []byte
	for i := range d.Examples {
		if _, err := (Protocol{}).FormatToolRequests(d.Examples[i : i+1]); err != nil {
			continue
		}
		if examples != nil {
			examples = append(examples, ", "...)
		}
		examples = appendCall(examples, &d.Examples[i], true)
	}
	if examples != nil {
		b = append(append(append(b, `, "examples": [`...), examples...), ']')
	}
	return append(b, "}}"...)
}

// property returns the JSON Schema of a parameter. It merges the parts with the members of the
// parameter's schema. If that would read back as another parameter, it keeps both separately. It
// omits parts that are not JSON.
func property(p *protocol.Parameter) string {
	parts := propertyOfParts(p)
	if len(p.Schema) == 0 || !json.Valid(p.Schema) {
		return parts
	}
	schema := withoutTags(string(p.Schema))
	if inner := strings.TrimSpace(schema); strings.HasPrefix(inner, "{") {
		candidate := joined(parts, strings.TrimSpace(inner[1:len(inner)-1]))
		if got, err := parameterOf(candidate); err == nil && sameParameter(&got, p) {
			return candidate
		}
	}
	return joined(parts, `"allOf": [`+schema+"]")
}

// joined returns object with members added.
func joined(object, members string) string {
	if object != "{}" && members != "" {
		members = ", " + members
	}
	return strings.TrimSuffix(object, "}") + members + "}"
}

// sameParameter reports whether two parameters are equal except for their names.
func sameParameter(a, b *protocol.Parameter) bool {
	return a.Type == b.Type && a.Nullable == b.Nullable && a.Description == b.Description && sameJSON(a.Enum, b.Enum) &&
		sameJSON([]json.RawMessage{a.Default, a.Schema}, []json.RawMessage{b.Default, b.Schema})
}

func propertyOfParts(p *protocol.Parameter) string {
	b := []byte("{")
	add := func(key string, value []byte) {
		if len(b) > 1 {
			b = append(b, ", "...)
		}
		b = append(append(b, `"`+key+`": `...), value...)
	}
	switch name := appendString(nil, p.Type, true); {
	case p.Type == "":
	case p.Nullable:
		add("type", append(append([]byte{'['}, name...), `, "null"]`...))
	default:
		add("type", name)
	}
	if p.Description != "" {
		add("description", appendString(nil, p.Description, true))
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

// parameterOf reads the JSON Schema of a parameter. It keeps what the parts of a parameter cannot
// say.
func parameterOf(schema string) (protocol.Parameter, error) {
	var p protocol.Parameter
	members, ok := readMembers(schema)
	if !ok {
		return p, fmt.Errorf("the schema of a parameter is not an object: %s", schema)
	}
	var inner []json.RawMessage
	var rest []string // members that are not parts of a parameter
	for _, m := range members {
		var err error
		isPart := true
		switch m.Name {
		case "type":
			p.Type, p.Nullable, isPart = typeOf(m.Value)
		case "description":
			p.Description, isPart = stringOf(m.Value)
		case "default":
			p.Default = json.RawMessage(m.Value)
		case "enum":
			err = json.Unmarshal([]byte(m.Value), &p.Enum)
		case "allOf":
			if err = json.Unmarshal([]byte(m.Value), &inner); err == nil && len(inner) != 1 {
				inner, isPart = nil, false
			}
		default:
			isPart = false
		}
		if err != nil {
			return p, fmt.Errorf("%s of a parameter: %w", m.Name, err)
		}
		if !isPart {
			rest = append(rest, string(appendString(nil, m.Name, true))+":"+m.Value)
		}
	}
	switch {
	case len(rest) > 0 && inner != nil: // as others write it
		p.Schema = json.RawMessage("{" + strings.Join(append(rest, `"allOf":[`+string(inner[0])+"]"), ",") + "}")
	case len(rest) > 0:
		p.Schema = json.RawMessage("{" + strings.Join(rest, ",") + "}")
	case inner != nil:
		p.Schema = inner[0]
	}
	return p, nil
}

// typeOf reads the type of a parameter: a name, or a name and null. ok is false for anything else.
func typeOf(value string) (name string, nullable, ok bool) {
	if name, ok = stringOf(value); ok {
		return name, false, true
	}
	var names []string
	if json.Unmarshal([]byte(value), &names) == nil && len(names) == 2 && names[0] != "null" && names[1] == "null" {
		return names[0], true, true
	}
	return "", false, false
}

// ParseToolDefinitions reads what GenerateToolDefinitions wrote, and ignores other text. A
// malformed definition is a *protocol.ReadError.
func (Protocol) ParseToolDefinitions(text string) ([]protocol.ToolDefinition, error) {
	var definitions []protocol.ToolDefinition
	inside := false
	at := 0
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		switch {
		case bare == toolsStart || bare == toolsEnd:
			inside = bare == toolsStart
		case inside && bare != "":
			d, err := readDefinition(bare)
			if err != nil {
				return definitions, &protocol.ReadError{Protocol: protocolID, Block: "definition", Offset: at, Reason: err.Error(), Err: err}
			}
			definitions = append(definitions, d)
		}
		at += len(line)
	}
	return definitions, nil
}

func readDefinition(line string) (protocol.ToolDefinition, error) {
	var d protocol.ToolDefinition
	function, err := memberOf(line, "function")
	if err != nil {
		return d, err
	}
	members, ok := readMembers(function)
	if !ok {
		return d, fmt.Errorf("its function is not an object")
	}
	for _, m := range members {
		switch m.Name {
		case "name":
			d.ToolName, _ = stringOf(m.Value)
		case "description":
			d.Description, _ = stringOf(m.Value)
		case "parameters":
			if d.Parameters, err = readParameters(m.Value); err != nil {
				return d, err
			}
		case "examples":
			var examples []json.RawMessage
			if err := json.Unmarshal([]byte(m.Value), &examples); err != nil {
				return d, fmt.Errorf("its examples are not a list: %w", err)
			}
			for _, example := range examples {
				d.Examples = append(d.Examples, readExample(string(example)))
			}
		}
	}
	return d, nil
}

// memberOf returns a member of an object.
func memberOf(object, name string) (string, error) {
	members, ok := readMembers(object)
	if !ok {
		return "", fmt.Errorf("it is no JSON object")
	}
	for _, m := range members {
		if m.Name == name {
			return m.Value, nil
		}
	}
	return "", fmt.Errorf("it has no %q", name)
}

func readParameters(schema string) ([]protocol.Parameter, error) {
	properties, err := memberOf(schema, "properties")
	if err != nil {
		return nil, err
	}
	members, ok := readMembers(properties)
	if !ok {
		return nil, fmt.Errorf("its properties are not an object")
	}
	required := map[string]bool{}
	if list, err := memberOf(schema, "required"); err == nil {
		var names []string
		if err := json.Unmarshal([]byte(list), &names); err != nil {
			return nil, fmt.Errorf("its required parameters are not a list of names: %w", err)
		}
		for _, name := range names {
			required[name] = true
		}
	}
	var parameters []protocol.Parameter
	for _, m := range members {
		p, err := parameterOf(m.Value)
		if err != nil {
			return nil, err
		}
		p.Name, p.Required = m.Name, required[m.Name]
		parameters = append(parameters, p)
	}
	return parameters, nil
}

func readExample(call string) protocol.ToolRequest {
	var fields []scan.Field
	members, _ := readMembers(call)
	for _, m := range members {
		if m.Name == keyArguments {
			arguments, _ := readMembers(m.Value)
			fields = append(fields, arguments...)
			continue
		}
		text, _ := stringOf(m.Value)
		fields = append(fields, scan.Field{Name: m.Name, Value: text})
	}
	reading := readCall(fields, nil)
	return protocol.RequestOf(&reading)
}
