package configuration

import (
	"errors"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/mcp"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// sourceFlag adds the sources of one kind. It implements pflag.Value.
type sourceFlag struct {
	kind        *sourceKind
	pins        mcp.Pins
	definitions *[]string // collects the values that are files of definitions; nil if they are not accepted
	values      []string
	sources     []tool.Source
}

// Set adds a source.
func (f *sourceFlag) Set(value string) error {
	if value == "" {
		return cli.Valuef("is empty; name a %s, or omit the flag", f.placeholder())
	}
	if info, err := os.Stat(value); err == nil && info.IsDir() && f.kind.field == "commands" {
		return cli.Valuef("is %q, a directory; a file is needed", value)
	}
	f.values = append(f.values, value)
	if f.definitions != nil && isDefinitions(value) {
		*f.definitions = append(*f.definitions, value)
		return nil
	}
	field := document.Field{Name: f.kind.field, Value: document.Value{Kind: document.String, Text: value}}
	entry := sourceEntry{
		place: "--" + f.kind.flag, pins: f.pins,
		fields: document.Value{Kind: document.Mapping, Fields: []document.Field{field}},
	}
	source, err := f.kind.open(&entry)
	if bad, ok := errors.AsType[*engine.ConfigError](err); ok {
		return notAllowed(value, bad.Allowed)
	}
	if err != nil {
		return cli.Valuef("%v", err)
	}
	f.sources = append(f.sources, source)
	return nil
}

// placeholder returns what the help text calls the value.
func (f *sourceFlag) placeholder() string {
	name, _ := pflag.UnquoteUsage(&pflag.Flag{Usage: f.kind.usage, Value: f})
	return name
}

// String returns the values.
func (f *sourceFlag) String() string {
	return strings.Join(f.values, ",")
}

// Type returns the name of the value in the help text.
func (f *sourceFlag) Type() string { return "VALUE" }
