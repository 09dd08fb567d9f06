package configuration

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/command"
	"github.com/vcpgo/vcp/tool/mcp"
	"github.com/vcpgo/vcp/tool/vcpplugin"
)

// sourceKinds are the kinds of sources in the order of the help texts.
var sourceKinds = append([]*sourceKind{
	{
		field: "commands", flag: "tools", isPath: true,
		usage: "add command tools, which run programs, from a `FILE`; may be repeated",
		open: func(e *sourceEntry) (tool.Source, error) {
			path, err := e.path("commands")
			return command.NewSource(path), err
		},
	},
	{
		field: "plugins", options: []string{"env"}, flag: "plugins", isPath: true,
		usage: "add the plug-ins in the folders of a `DIRECTORY`, as VCPToolBox keeps them; may be repeated",
		open: func(e *sourceEntry) (tool.Source, error) {
			path, err := e.path("plugins")
			if err != nil {
				return nil, err
			}
			var fields struct {
				Plugins string   `yaml:"plugins"`
				Env     []string `yaml:"env"`
			}
			err = e.decode(&fields)
			return vcpplugin.NewSource(path, vcpplugin.Options{Env: fields.Env}), err
		},
	},
}, mcpKinds...)

// readSources makes the sources in list, the value of the field sources. dir is the directory of
// the configuration file.
func readSources(list document.Value, dir string, pins mcp.Pins) (all []tool.Source, err error) {
	if list.Kind != document.List && list.Kind != document.Null {
		return nil, &engine.ConfigError{
			Field: fieldSources, Value: list.String(), Allowed: "a list of sources", Line: list.Line,
		}
	}
	for i, item := range list.Items {
		entry := &sourceEntry{place: fmt.Sprintf("%s[%d]", fieldSources, i), dir: dir, fields: item, pins: pins}
		source, err := entry.open()
		if err != nil {
			return nil, err
		}
		all = append(all, source)
	}
	return all, nil
}

// open makes the source of an entry of a configuration.
func (e *sourceEntry) open() (tool.Source, error) {
	var kinds []string
	var kind *sourceKind
	for _, k := range sourceKinds {
		kinds = append(kinds, k.field)
		if e.fields.Field(k.field).Kind == document.Null {
			continue
		}
		if kind != nil {
			return nil, &engine.ConfigError{
				Field: e.place, Value: "both " + kind.field + " and " + k.field,
				Allowed: "one of them; write another entry for the other", Line: e.fields.Line,
			}
		}
		kind = k
	}
	if kind == nil {
		return nil, cmp.Or(e.refuseOthers(kinds), error(&engine.ConfigError{
			Field: e.place, Value: e.fields.String(), Allowed: "a mapping with " + strings.Join(kinds, " or "),
			Line: e.fields.Line,
		}))
	}
	if err := e.refuseOthers(append([]string{kind.field}, kind.options...)); err != nil {
		return nil, err
	}
	return kind.open(e)
}
