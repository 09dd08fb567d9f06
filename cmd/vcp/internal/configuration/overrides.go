package configuration

import (
	"encoding/json"
	"fmt"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/tool"
)

// overrideFields are the fields of an entry of toolOverrides.
type overrideFields struct {
	Title       string           `yaml:"title"`
	Description string           `yaml:"description"`
	Aliases     []string         `yaml:"aliases"`
	Tags        []string         `yaml:"tags"`
	Risk        tool.Risk        `yaml:"risk"`
	Examples    []document.Value `yaml:"examples"`
}

// readOverrides reads the field toolOverrides of a configuration.
func readOverrides(value document.Value) (map[string]tool.Override, error) {
	var fields map[string]overrideFields
	if err := value.Decode(&fields); err != nil {
		return nil, configError(fieldOverrides, err)
	}
	overrides := map[string]tool.Override{}
	for name, f := range fields {
		o := tool.Override{Title: f.Title, Description: f.Description, Aliases: f.Aliases, Tags: f.Tags, Risk: f.Risk}
		switch f.Risk {
		case "", tool.RiskRead, tool.RiskWrite, tool.RiskDangerous:
		default:
			return nil, &engine.ConfigError{
				Field: fieldOverrides + "." + name + ".risk", Value: fmt.Sprintf("%q", f.Risk),
				Allowed: `"read", "write" or "dangerous"`, Line: value.Field(name).Field("risk").Line,
			}
		}
		for i, v := range f.Examples {
			var arguments map[string]any
			data, err := v.JSON()
			if err != nil || json.Unmarshal(data, &arguments) != nil || arguments == nil {
				return nil, &engine.ConfigError{
					Field: fmt.Sprintf("%s.%s.examples[%d]", fieldOverrides, name, i), Value: v.String(),
					Allowed: "a mapping of arguments", Line: v.Line,
				}
			}
			o.Examples = append(o.Examples, arguments)
		}
		overrides[name] = o
	}
	return overrides, nil
}
