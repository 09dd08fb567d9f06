package configuration

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/text"
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
	// The value is wrapped so that errors name its fields in full, such as
	// toolOverrides.files.risk.
	whole := document.Value{Kind: document.Mapping, Fields: []document.Field{{Name: fieldOverrides, Value: value}}}
	var fields struct {
		Overrides map[string]overrideFields `yaml:"toolOverrides"`
	}
	var (
		unknown *document.UnknownFieldError
		bad     *document.ValueError
	)
	switch err := whole.Decode(&fields); {
	case errors.As(err, &unknown):
		problem := &engine.UnknownFieldError{Field: unknown.Field, Known: unknown.Known, Line: unknown.Line}
		if near := text.Nearest(unknown.Name, unknown.Known); len(near) > 0 {
			problem.Nearest = near[0]
		}
		return nil, problem
	case errors.As(err, &bad):
		return nil, &engine.ConfigError{Field: bad.Field, Value: bad.Value, Allowed: bad.Want, Line: bad.Line}
	case err != nil:
		return nil, err
	}
	overrides := map[string]tool.Override{}
	for name, f := range fields.Overrides {
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
