package configuration

import (
	"cmp"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// Flags are the flags that set the fields of a configuration, and the flags that select its file.
type Flags struct {
	path    string      // of --config
	hasPath func() bool // --config was given
	noFile  bool        // --no-config was given
	flags   []*configFlag

	sources          []*sourceFlag
	Pins             userPins // the recorded definitions of tools of MCP servers
	noSources        bool     // no flag adds a source
	takesDefinitions bool     // --tools also takes a file of definitions, which replaces all tools
	Definitions      []string // the files of definitions that --tools names; package workspace opens them
	wholeResults     bool     // results are whole, unless --result-tokens is given
}

// The names of the fields for which a command has flags, if it does not have flags for all fields.
var (
	toolFields   = []string{Root, "enabled", "toolToggles", "defaultToolEnabled", "resultTokens"}
	promptFields = append([]string{"protocol"}, toolFields...)                       // of vcp prompt
	ListFields   = append([]string{"approve", "requireConfirmation"}, toolFields...) // of vcp tools
	callFields   = append([]string{"timeout", SaveFiles, ChartFont}, ListFields...)  // of vcp call and vcp mcp
	evalFields   = []string{Model, BaseURL}                                          // of vcp eval
)

// Add adds the flags to f. If names are given, only the fields with these names have flags. The
// help text of a flag says its default, if it has one.
func (c *Flags) Add(f *pflag.FlagSet, names ...string) {
	f.StringVar(&c.path, "config", "", "read the configuration from a YAML or JSON `FILE` "+
		"(default config.yaml in the vcp folder of your configuration directory); other flags override it")
	c.hasPath = func() bool { return f.Changed("config") }
	f.BoolVar(&c.noFile, "no-config", false, "read no configuration file")
	if !c.noSources {
		c.addSourceFlags(f)
	}
	for i := range Fields {
		flag := &configFlag{field: &Fields[i]}
		name := flag.FlagName()
		if name == "" || len(names) > 0 && !slices.Contains(names, flag.Name) {
			continue
		}
		c.flags = append(c.flags, flag)
		usage := flag.Description
		if flag.env != "" {
			usage += " (or " + flag.env + ")"
		}
		if flag.Default != "" {
			usage += " (default " + flag.Default + ")" // pflag would omit 0 and false
		}
		v := f.VarPF(flag, name, "", usage)
		if isBoolean := strings.HasPrefix(flag.Placeholder, "true"); isBoolean {
			v.NoOptDefVal = "true"
		}
	}
}

// AddForPrompt adds the flags of vcp prompt, whose --tools also takes a file of definitions.
func (c *Flags) AddForPrompt(f *pflag.FlagSet) {
	c.takesDefinitions = true
	c.Add(f, promptFields...)
	f.Lookup("tools").Usage = "add command tools, which run programs, from a `FILE`; may be repeated. " +
		"If FILE is JSON, or - for standard input, print its definitions instead of all other tools"
}

// AddForEval adds the flags of vcp eval. An evaluation brings its own tools, so no flag adds a
// source.
func (c *Flags) AddForEval(f *pflag.FlagSet) {
	c.noSources = true
	c.Add(f, evalFields...)
}

// AddForCalls adds the flags of vcp call and vcp mcp. Their results are whole, unless
// --result-tokens is given, because a person reads them or clients have limits of their own.
func (c *Flags) AddForCalls(f *pflag.FlagSet) {
	c.wholeResults = true
	c.Add(f, callFields...)
	tokens := f.Lookup("result-tokens")
	tokens.Usage = tokens.Usage[:strings.LastIndex(tokens.Usage, "(default ")] + "(default 0)"
}

// Load returns the settings that result from the defaults, the file, the environment and the flags.
func (c *Flags) Load() (*Settings, error) {
	s := DefaultSettings()
	s.pins = &c.Pins
	if err := c.loadFile(s); err != nil {
		return nil, err
	}
	for i := range Fields {
		if f := &Fields[i]; f.env != "" && os.Getenv(f.env) != "" {
			if err := s.set(f, os.Getenv(f.env), f.env); err != nil {
				return nil, err
			}
		}
	}
	for _, f := range c.flags {
		for _, value := range f.values {
			if err := s.set(f.field, value, "--"+f.FlagName()); err != nil {
				return nil, err
			}
		}
	}
	if err := c.loadSources(s); err != nil {
		return nil, err
	}
	if c.wholeResults && !strings.HasPrefix(s.From["resultTokens"], "--") {
		s.ResultTokens = 0
	}
	s.Protocol = cmp.Or(s.Protocol, Protocols[0].ID())
	return s, nil
}

// loadFile sets the fields of s that the configuration file names, if there is a file and the flags
// do not exclude it.
func (c *Flags) loadFile(s *Settings) error {
	hasPath := c.hasPath()
	switch {
	case c.noFile && c.path != "":
		return cli.Usagef("--no-config and --config %s cannot be used together", c.path)
	case c.noFile, hasPath && c.path == "": // --config "" means no file, too
		return nil
	case hasPath:
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

// Set checks the value by the field's rule and keeps it for Load.
func (f *configFlag) Set(value string) error {
	err := DefaultSettings().set(f.field, value, "")
	if errors.As(err, new(*engine.ConfigError)) {
		return notAllowed(value, f.Allowed)
	}
	if err == nil && f.Name == "protocol" { // the engine does not know the protocols of vcp
		err = cli.NewChoice(new(protocol.Protocol), configuredOptions()).Set(value)
	}
	if err != nil {
		return err
	}
	f.values = append(f.values, value)
	return nil
}

// String returns the values. The usage of the flag names the default.
func (f *configFlag) String() string {
	return strings.Join(f.values, ",")
}

// Type returns the name of the value in the help text.
func (f *configFlag) Type() string { return f.Placeholder }

// NamesInToggles returns the names that the flag --tool-toggles contains.
func (c *Flags) NamesInToggles() []string {
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

// addSourceFlags adds the flags for sources.
func (c *Flags) addSourceFlags(f *pflag.FlagSet) {
	for _, k := range sourceKinds {
		if k.flag == "" {
			continue
		}
		flag := &sourceFlag{kind: k, pins: &c.Pins}
		if c.takesDefinitions && k.field == "commands" {
			flag.definitions = &c.Definitions
		}
		c.sources = append(c.sources, flag)
		f.Var(flag, k.flag, k.usage)
	}
}

// loadSources adds the sources of the flags to those of the file. It returns an error if a flag
// names a path that does not exist.
func (c *Flags) loadSources(s *Settings) error {
	var flags []string
	for _, f := range c.sources {
		for _, path := range f.values {
			if f.kind.isPath && path != StandardInput {
				if _, err := os.Stat(path); err != nil {
					return cli.Message("--%s cannot be opened: %v", f.kind.flag, err)
				}
			}
		}
		s.Sources = append(s.Sources, f.sources...)
		if len(f.sources) > 0 {
			flags = append(flags, "--"+f.kind.flag)
		}
	}
	if len(flags) > 0 {
		if file := s.From[fieldSources]; file != "" {
			flags = append([]string{file}, flags...)
		}
		s.From[fieldSources] = strings.Join(flags, ", ")
	}
	return nil
}
