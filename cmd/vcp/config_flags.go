package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol"
)

// configFlags are the flags that set the fields of a configuration. They win over the file that
// --config names.
type configFlags struct {
	path  string
	flags []*configFlag
}

// uses are the commands other than chat in which a field has an effect. In chat all have one.
type uses uint8

const (
	inPrompt uses = 1 << iota
	inTools
	inCall
	inChat
)

// The fields, each as the flag that sets it.
var configFields = []configFlag{
	{name: "enabled", use: inPrompt | inTools | inCall, kind: "true|false", usage: "tool calling as a whole", apply: func(c *engine.Config, s string) error {
		return setBool(&c.Enabled, s)
	}},
	{name: "mode", kind: "auto|manual", usage: "run what the model asks for, or only show it", apply: func(c *engine.Config, s string) error {
		c.Mode = engine.Mode(s)
		return nil
	}},
	{
		name: "tool-toggles", use: inPrompt | inTools | inCall, kind: "NAME=true|false", apply: setToggles,
		usage: "switch single tools or methods, with commas between; may be repeated",
	},
	{name: "default-tool-enabled", use: inPrompt | inTools | inCall, kind: "true|false", usage: "what holds for other tools", apply: func(c *engine.Config, s string) error {
		return setBool(&c.DefaultToolEnabled, s)
	}},
	{name: "max-iterations", kind: "N", usage: "how many replies of one answer may call tools", apply: func(c *engine.Config, s string) error {
		// What is not a number is refused like a number out of range.
		c.MaxIterations, _ = strconv.Atoi(s)
		return nil
	}},
	{name: "max-requests", kind: "N", usage: "how many requests of one reply are answered", apply: func(c *engine.Config, s string) error {
		c.MaxRequests, _ = strconv.Atoi(s)
		return nil
	}},
	{name: "max-reply-bytes", kind: "N", usage: "how long one reply may be, reasoning included, in bytes; a longer one is truncated, and nothing in it runs", apply: func(c *engine.Config, s string) error {
		c.MaxReplyBytes, _ = strconv.Atoi(s)
		return nil
	}},
	{name: "max-calls", kind: "N", usage: "how many requests of one answer are answered; 0 is any number", apply: func(c *engine.Config, s string) error {
		c.MaxCalls = number(s)
		return nil
	}},
	{
		name: "max-time", kind: "DURATION", usage: "how long one answer may take, questions included, such as 90s or 5m; 0 is any time",
		allowed: `a duration such as "5m", at most 24h, or 0`,
		apply:   func(c *engine.Config, s string) error { return setDuration(&c.MaxTime, s) },
	},
	{name: "max-tokens", kind: "N", usage: "what the model's replies to one message may cost, prompts included; 0 is any number", apply: func(c *engine.Config, s string) error {
		c.MaxTokens = number(s)
		return nil
	}},
	{name: "history-tokens", kind: "N", usage: "how long the conversation may be that the model is shown, in tokens: then old parts are shortened; 0 is any length", apply: func(c *engine.Config, s string) error {
		c.HistoryTokens = number(s)
		return nil
	}},
	{
		name: "timeout", use: inCall, kind: "DURATION", usage: "how long one tool call may take, such as 30s or 2m",
		allowed: `a duration such as "30s", above 0 and at most 24h`,
		apply:   func(c *engine.Config, s string) error { return setDuration(&c.Timeout, s) },
	},
	{
		name: "approve", use: inCall, kind: "ask|never|read|write|all", usage: "which tool calls run without asking, as vcp chat --help says",
		apply: func(c *engine.Config, s string) error {
			c.Approve, c.RequireConfirmation = policy.Approve(s), false // a file may have said so under its older name
			return nil
		},
	},
	{name: "require-confirmation", use: inCall, kind: "true|false", usage: "the older name of --approve ask", apply: func(c *engine.Config, s string) error {
		return setBool(&c.RequireConfirmation, s)
	}},
	{name: "parallel-execution", kind: "true|false", usage: "run the calls of one reply at the same time", apply: func(c *engine.Config, s string) error {
		return setBool(&c.ParallelExecution, s)
	}},
	{name: "result-tokens", use: inPrompt | inTools | inCall, kind: "N", usage: "how much of one result the model is given, in tokens; 0 is all of it", apply: func(c *engine.Config, s string) error {
		c.ResultTokens = number(s)
		return nil
	}},
	{name: "protocol", use: inPrompt, kind: protocolNames(), usage: "the text protocol; auto takes that of the model's preset", apply: func(c *engine.Config, s string) error {
		c.Protocol = s
		return nil
	}},
}

// add adds the flags of the fields that have an effect in a command, each with its default.
func (c *configFlags) add(f *pflag.FlagSet, use uses) {
	f.StringVar(&c.path, "config", "", "a YAML or JSON `FILE` with the configuration, as docs/configuration.md describes it; the flags below win over it")
	for _, field := range configFields {
		if use != inChat && field.use&use == 0 {
			continue
		}
		flag := field
		c.flags = append(c.flags, &flag)
		usage := flag.usage
		initial := defaultOf(fieldOf(flag.name))
		if use == inCall && flag.name == "result-tokens" {
			initial = "0" // a person who calls by hand reads all of it
		}
		if initial != "" {
			usage += " (default " + initial + ")" // pflag leaves 0 and false out
		}
		if v := f.VarPF(&flag, flag.name, "", usage); strings.HasPrefix(flag.kind, "true") {
			v.NoOptDefVal = "true"
		}
	}
}

// fieldOf is the field of a configuration file that a flag sets.
func fieldOf(flag string) string {
	words := strings.Split(flag, "-")
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}

// defaultOf returns the default of a field, as it is written; "" for a list.
func defaultOf(field string) string {
	switch field {
	case "approve":
		return string(policy.ApproveWrite)
	case "protocol":
		return protocols[0].ID()
	case "maxTime":
		return "0"
	}
	var fields map[string]any
	data, err := json.Marshal(engine.DefaultConfig())
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber() // as one would write it, without an exponent
		err = d.Decode(&fields)
	}
	if value, ok := fields[field]; err == nil && ok && value != nil {
		return fmt.Sprint(value)
	}
	return ""
}

// load returns the configuration of the file, or the default one, changed by the flags.
func (c *configFlags) load() (engine.Config, error) {
	config := engine.DefaultConfig()
	if c.path != "" {
		var err error
		if config, err = engine.LoadConfig(c.path); err != nil {
			return engine.Config{}, err
		}
		if _, err = protocolNamed(config.Protocol); err != nil {
			return engine.Config{}, fmt.Errorf("%s: %w", c.path, err)
		}
	}
	for _, f := range c.flags {
		for _, value := range f.values {
			if err := f.apply(&config, value); err != nil {
				return engine.Config{}, err
			}
		}
	}
	return config, nil
}

// given reports whether the flag of that name was given.
func (c *configFlags) given(name string) bool {
	return slices.ContainsFunc(c.flags, func(f *configFlag) bool { return f.name == name && len(f.values) > 0 })
}

// configFlag sets one field of a configuration. It implements pflag.Value.
type configFlag struct {
	name, kind, usage string
	use               uses
	allowed           string // what the flag takes, if a file takes something else; else ""
	apply             func(*engine.Config, string) error
	values            []string
}

// Set checks the value by the engine's own rules and keeps it for load.
func (f *configFlag) Set(value string) error {
	config := engine.DefaultConfig()
	err := f.apply(&config, value)
	if err == nil {
		err = config.Validate()
	}
	if bad := (*engine.ConfigError)(nil); errors.As(err, &bad) {
		return notAllowed(value, or(f.allowed, bad.Allowed))
	}
	if err == nil && f.name == "protocol" {
		err = newChoice(new(protocol.Protocol), configuredOptions()).Set(value)
	}
	if err != nil {
		return err
	}
	f.values = append(f.values, value)
	return nil
}

// String returns what was set; for the help text nothing, since usage names the default.
func (f *configFlag) String() string {
	if f == nil {
		return ""
	}
	return strings.Join(f.values, ",")
}

// Type is how the help text calls the value.
func (f *configFlag) Type() string { return f.kind }

// number returns -1 for what is not a number, which is refused like a number out of range.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

// setDuration takes a duration with its unit. A file may give a bare number, in milliseconds; who
// types --timeout 30 means seconds, and would have each call fail.
func setDuration(dst *engine.Duration, s string) error {
	d, err := time.ParseDuration(s)
	if err != nil && s != "" && strings.Trim(s, "0123456789.") == "" {
		return &valueError{fmt.Sprintf("is %q, which has no unit; write %ss for seconds, or use ms, m or h", s, s)}
	}
	if *dst = engine.Duration(d); err != nil {
		*dst = -1 // refused as one out of range is
	}
	return nil
}

func setBool(dst *bool, s string) error {
	switch s {
	case "true":
		*dst = true
	case "false":
		*dst = false
	default:
		return notAllowed(s, "true or false")
	}
	return nil
}

func setToggles(c *engine.Config, s string) error {
	toggles := map[string]bool{}
	for name, on := range c.ToolToggles {
		toggles[name] = on
	}
	for pair := range strings.SplitSeq(s, ",") {
		name, value, _ := strings.Cut(pair, "=")
		var on bool
		if name == "" || setBool(&on, value) != nil {
			return notAllowed(s, "the name of a tool or method, =, and true or false, with commas between several")
		}
		toggles[name] = on
	}
	c.ToolToggles = toggles
	return nil
}

// namesInToggles returns the names that the flags, not the file, switch.
func (c *configFlags) namesInToggles() []string {
	var names []string
	for _, f := range c.flags {
		if f.name != "tool-toggles" {
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
