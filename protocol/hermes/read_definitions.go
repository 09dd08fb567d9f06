package hermes

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

// ParseToolDefinitions reads what GenerateToolDefinitions wrote, and ignores other text. A
// malformed definition is a *protocol.ReadError.
func (Protocol) ParseToolDefinitions(text string) ([]protocol.ToolDefinition, error) {
	var definitions []protocol.ToolDefinition
	inside := false
	at := 0
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == tags.ToolsStart || trimmed == tags.ToolsEnd:
			inside = trimmed == tags.ToolsStart
		case inside && trimmed != "":
			d, err := readDefinition(trimmed)
			if err != nil {
				return definitions, &protocol.ReadError{
					Protocol: protocolID, Block: "definition", Offset: at, Reason: err.Error(), Err: err,
				}
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
		return d, errors.New("its function is not an object")
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

func readParameters(schema string) ([]protocol.Parameter, error) {
	properties, err := memberOf(schema, "properties")
	if err != nil {
		return nil, err
	}
	members, ok := readMembers(properties)
	if !ok {
		return nil, errors.New("its properties are not an object")
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

// parameterOf reads the JSON Schema of a parameter.
func parameterOf(schema string) (protocol.Parameter, error) {
	var p protocol.Parameter
	members, ok := readMembers(schema)
	if !ok {
		return p, fmt.Errorf("the schema of a parameter is not an object: %s", schema)
	}
	// If property cannot merge Parameter.Schema with the other fields, allOf contains the Schema
	// alone.
	var allOf []json.RawMessage
	var rest []string // members for which a Parameter has no field but Schema
	for _, m := range members {
		var err error
		isField := true
		switch m.Name {
		case "type":
			p.Type, p.Nullable, isField = typeOf(m.Value)
		case "description":
			p.Description, isField = stringOf(m.Value)
		case "default":
			p.Default = json.RawMessage(m.Value)
		case "enum":
			err = json.Unmarshal([]byte(m.Value), &p.Enum)
		case "allOf":
			if err = json.Unmarshal([]byte(m.Value), &allOf); err == nil && len(allOf) != 1 {
				allOf, isField = nil, false
			}
		default:
			isField = false
		}
		if err != nil {
			return p, fmt.Errorf("%s of a parameter: %w", m.Name, err)
		}
		if !isField {
			rest = append(rest, string(appendForeign(nil, m.Name))+":"+m.Value)
		}
	}
	switch {
	case len(rest) > 0 && allOf != nil: // another program wrote the definition
		p.Schema = json.RawMessage("{" + strings.Join(append(rest, `"allOf":[`+string(allOf[0])+"]"), ",") + "}")
	case len(rest) > 0:
		p.Schema = json.RawMessage("{" + strings.Join(rest, ",") + "}")
	case allOf != nil:
		p.Schema = allOf[0]
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

// readExample reads a call that appendCall wrote.
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
	reading := readCall(fields, nil, scan.MaxKeyBytes)
	return protocol.RequestOf(&reading)
}
