package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
)

// configFlags are the flags that set the fields of a configuration, and those that name its file.
type configFlags struct {
	path  string
	named func() bool // --config was given
	none  bool
	flags []*configFlag

	sources     []*sourceFlag
	pins        userPins
	definitions bool // --tools also takes a file of definitions in place of all tools
}

// The fields that have an effect in commands other than chat.
var (
	toolFields   = []string{fieldRoot, "enabled", "toolToggles", "defaultToolEnabled", "resultTokens"}
	promptFields = append([]string{"protocol"}, toolFields...)
	listFields   = append([]string{"approve", "requireConfirmation"}, toolFields...)
	callFields   = append([]string{"timeout", fieldSaveFiles, fieldChartFont}, listFields...)
)

// add adds the flags of the fields of those names, or of all if there are none, each with its
// default.
func (c *configFlags) add(f *pflag.FlagSet, names ...string) {
	f.StringVar(&c.path, "config", "", "the configuration, a YAML or JSON `FILE` (or config.yaml in the directory vcp of your configuration); the flags below win over it")
	c.named = func() bool { return f.Changed("config") }
	f.BoolVar(&c.none, "no-config", false, "read no configuration file")
	c.addSourceFlags(f)
	for i := range fields {
		flag := &configFlag{field: &fields[i]}
		name := flag.flagName()
		if name == "" || len(names) > 0 && !slices.Contains(names, flag.Name) {
			continue
		}
		c.flags = append(c.flags, flag)
		usage := flag.Description
		if flag.env != "" {
			usage += " (or " + flag.env + ")"
		}
		if flag.Default != "" {
			usage += " (default " + flag.Default + ")" // pflag omits 0 and false
		}
		if v := f.VarPF(flag, name, "", usage); strings.HasPrefix(flag.Placeholder, "true") {
			v.NoOptDefVal = "true"
		}
	}
}

// withDefault changes the default that the help text of a flag names.
func withDefault(f *pflag.FlagSet, name, value string) {
	flag := f.Lookup(name)
	if i := strings.LastIndex(flag.Usage, "(default "); i >= 0 {
		flag.Usage = flag.Usage[:i] + "(default " + value + ")"
	}
}

// load returns the resulting settings.
func (c *configFlags) load() (*settings, error) {
	s := defaultSettings()
	s.pins = &c.pins
	if err := c.loadFile(s); err != nil {
		return nil, err
	}
	for i := range fields {
		if f := &fields[i]; f.env != "" && os.Getenv(f.env) != "" {
			if err := s.set(f, os.Getenv(f.env), f.env); err != nil {
				return nil, err
			}
		}
	}
	for _, f := range c.flags {
		for _, value := range f.values {
			if err := s.set(f.field, value, "--"+f.flagName()); err != nil {
				return nil, err
			}
		}
	}
	if err := c.loadSources(s); err != nil {
		return nil, err
	}
	s.Protocol = cmp.Or(s.Protocol, protocols[0].ID())
	return s, nil
}

func (c *configFlags) loadFile(s *settings) error {
	named := c.named()
	switch {
	case c.none && c.path != "":
		return usagef("--no-config and --config %s exclude each other", c.path)
	case c.none, named && c.path == "":
		return nil
	case named:
		return s.readFile(c.path, false)
	case defaultFile() == "":
		return nil
	}
	return s.readFile(defaultFile(), true)
}

// configFlag sets one field of a configuration. It implements pflag.Value.
type configFlag struct {
	*field
	values []string
}

// Set checks the value by the field's rule and keeps it for load.
func (f *configFlag) Set(value string) error {
	err := defaultSettings().set(f.field, value, "")
	if errors.As(err, new(*engine.ConfigError)) {
		return notAllowed(value, f.Allowed)
	}
	if err == nil && f.Name == "protocol" {
		err = newChoice(new(protocol.Protocol), configuredOptions()).Set(value)
	}
	if err != nil {
		return err
	}
	f.values = append(f.values, value)
	return nil
}

// String returns the value, or "" for the help text, because usage names the default.
func (f *configFlag) String() string {
	if f == nil {
		return ""
	}
	return strings.Join(f.values, ",")
}

// Type returns the name of the value in the help text.
func (f *configFlag) Type() string { return f.Placeholder }

// namesInToggles returns the names in toggles that flags, not the file, set.
func (c *configFlags) namesInToggles() []string {
	var names []string
	for _, f := range c.flags {
		if f.Name != "toolToggles" {
			continue
		}
		for _, value := range f.values {
			for pair := range strings.SplitSeq(value, ",") {
				name, _, _ := strings.Cut(pair, "=")
				names = append(names, name)
			}
		}
	}
	return names
}

// addSourceFlags adds the flags that add sources.
func (c *configFlags) addSourceFlags(f *pflag.FlagSet) {
	for _, k := range sourceKinds {
		if k.flag == "" {
			continue
		}
		flag := &sourceFlag{kind: k, pins: &c.pins, definitions: k.field == "commands" && c.definitions}
		c.sources = append(c.sources, flag)
		f.Var(flag, k.flag, k.usage)
	}
}

// loadSources adds the sources of the flags to those of the file.
func (c *configFlags) loadSources(s *settings) error {
	var flags []string
	for _, f := range c.sources {
		for _, path := range f.values {
			if f.kind.isPath && path != standardInput {
				if _, err := os.Stat(path); err != nil {
					return fmt.Errorf("--%s cannot be opened: %w", f.kind.flag, err)
				}
			}
		}
		s.sources = append(s.sources, f.sources...)
		if len(f.sources) > 0 {
			flags = append(flags, "--"+f.kind.flag)
		}
	}
	if len(flags) > 0 {
		s.from[fieldSources] = strings.Join(append(slices.DeleteFunc([]string{s.from[fieldSources]}, func(n string) bool { return n == "" }), flags...), ", ")
	}
	return nil
}

// definitionFiles returns the files of definitions that --tools names.
func (c *configFlags) definitionFiles() (files []string) {
	for _, f := range c.sources {
		if f.definitions {
			files = slices.DeleteFunc(slices.Clone(f.values), func(path string) bool { return !isDefinitions(path) })
		}
	}
	return files
}
