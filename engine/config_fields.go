package engine

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol/scan"
)

// ConfigField describes one field of a Config.
type ConfigField struct {
	Name string // as in a file
	// Default is the value in DefaultConfig, as Set takes it, or "" if the field has no default.
	Default     string
	Description string // what the field does
	// Placeholder represents a value in a help text: the allowed words, with | between them, or a
	// word for any value, such as N for a number.
	Placeholder string
	// Allowed says which values are allowed, for errors and documents.
	Allowed string

	min, max int64 // limits of a number or a Duration
	orZero   bool  // the zero value is allowed as well
}

// ConfigFields describes all fields, in the order of Config. The caller owns the slice.
func ConfigFields() []ConfigField { return slices.Clone(configFields) }

// configFields describes each field of Config, in the same order. DefaultConfig, Validate, Set, the
// reader of files, the flags of vcp and docs/configuration.md follow these descriptions.
var configFields = withTypes([]ConfigField{
	{
		Name: "enabled", Default: "true",
		Description: "tool calling as a whole; without it the model is shown no tools, and nothing that it writes runs",
	},
	{
		Name: "mode", Default: "auto", Placeholder: "auto|manual", Allowed: `"auto" or "manual"`,
		Description: "auto runs what the model requests; manual dispatches it to the application, " +
			"and vcp chat only shows it",
	},
	{
		Name: "toolToggles",
		Description: "switches single tools on and off by id, and methods by full name; the full name wins; " +
			"the ids of the engine's own tools are results and tools",
	},
	{
		Name: "defaultToolEnabled", Default: "true",
		Description: "applies to tools and methods that toolToggles does not name",
	},
	{
		Name: "maxIterations", Default: "10", min: 1, max: 1000,
		Description: "how many replies of a run may have their requests processed",
	},
	{
		Name: "maxRequests", Default: strconv.Itoa(scan.MaxBlocks), min: 1, max: 1000,
		Description: "how many requests of one reply are processed",
	},
	{
		Name: "maxReplyBytes", Default: strconv.Itoa(2 * scan.MaxBlockBytes), min: 1000, max: 1e9,
		Description: "the length of one reply in bytes: text, reasoning and native calls together; " +
			"a longer one is truncated, and nothing of it runs",
	},
	{
		Name: "maxCalls", Default: "200", min: 1, max: 100_000, orZero: true,
		Description: "how many requests of a run are processed, with the calls that scripts make; 0 means no limit",
	},
	{
		Name: "maxTime", Default: "0", min: 1, max: int64(24 * time.Hour), orZero: true,
		Description: "how long a run may take, including the time that people need to decide; 0 means no limit",
	},
	{ // the first prompt would exceed a smaller limit
		Name: "maxTokens", Default: "0", min: 1000, max: 1e9, orZero: true,
		Description: "what the replies of a run may cost, in tokens of prompts and replies; 0 means no limit",
	},
	{
		Name: "historyTokens", Default: "0", min: 1000, max: 1e9, orZero: true,
		Description: "the length of the conversation that the model is shown, in tokens; " +
			"old parts are shortened to fit; 0 means no limit",
	},
	{
		Name: "timeout", Default: "30s", min: 1, max: int64(24 * time.Hour),
		Description: "how long a call may take if its method sets no timeout",
	},
	{
		Name: "approve", Default: string(policy.ApproveWrite), orZero: true,
		Placeholder: "ask|never|read|write|all", Allowed: `"ask", "never", "read", "write" or "all"`,
		Description: "which calls run without approval, by the risk of their methods",
	},
	{Name: "approveRules", Description: "decisions on single tools, methods and risks; they win over approve"},
	{
		Name: "requireConfirmation", Default: "false",
		Description: "the older name of approve: ask; if set, it wins over a laxer approve",
	},
	{
		Name: "parallelExecution", Default: "false",
		Description: "runs the requests of one reply concurrently, not one after the other",
	},
	{ // the upper limit is more than any model reads
		Name: "resultTokens", Default: strconv.Itoa(executor.DefaultResultTokens),
		min: executor.MinResultTokens, max: 1e6, orZero: true,
		Description: "how much of one result the model is given, in tokens; 0 means all of it",
	},
	{
		Name: "promptMethods", Default: "64", min: 1, max: 100_000, orZero: true,
		Description: "how many methods the prompt lists; if there are more, it lists only the pinned ones, " +
			"and the model finds the others with tools_search; 0 means no limit",
	},
	{
		Name: "promptTokens", Default: "8000", min: 200, max: 1e6, orZero: true,
		Description: "the length of the definitions that the prompt lists, in tokens; if they are longer, " +
			"it lists only the pinned ones, as with promptMethods; 0 means no limit",
	},
	{
		Name:        "pinnedTools",
		Description: "tools by id and methods by full name that the prompt lists in any case, if true",
	},
	{
		Name: "protocol", Placeholder: "ID", Allowed: "the id of a protocol",
		Description: "the text protocol; without it the first of Options.Protocols",
	},
})

// Descriptions of allowed values, for errors.
const (
	allowedBool     = "true or false"
	allowedDecision = `"allow", "ask" or "deny"`
	allowedRisk     = `"read", "write" or "dangerous"`
	allowedRule     = `decision: ` + allowedDecision +
		`, with any of tool: an id, method: a full name, risk: ` + allowedRisk
)

// withTypes fills in Placeholder and Allowed if they follow from the type of a field. It changes
// fields and returns them.
func withTypes(fields []ConfigField) []ConfigField {
	var c Config
	for i := range fields {
		f := &fields[i]
		orZero := ""
		if f.orZero {
			orZero = ", or 0"
		}
		switch f.pointerIn(&c).(type) {
		case *bool:
			f.Placeholder, f.Allowed = "true|false", allowedBool
		case *int:
			f.Placeholder, f.Allowed = "N", fmt.Sprintf("a whole number from %d to %d%s", f.min, f.max, orZero)
		case *Duration:
			limits := ", above 0 and at most 24h"
			if f.orZero {
				limits = ", at most 24h" + orZero
			}
			f.Placeholder, f.Allowed = "DURATION", allowedDuration+limits
		case *map[string]bool:
			f.Placeholder, f.Allowed = "NAME=true|false", "tool ids or full method names, each with true or false"
		case *[]policy.Rule:
			f.Allowed = "a list of rules"
		}
	}
	return fields
}

// pointerIn returns a pointer to the field in c.
func (f *ConfigField) pointerIn(c *Config) any {
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		if v.Type().Field(i).Tag.Get("yaml") == f.Name {
			return v.Field(i).Addr().Interface()
		}
	}
	return nil
}

// configField returns the description of a field, or nil if no field has that name.
func configField(name string) *ConfigField {
	i := slices.IndexFunc(configFields, func(f ConfigField) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &configFields[i]
}

// DefaultConfig returns the default configuration. Tools are enabled in mode auto, and dangerous
// methods need approval. Among its limits are 10 iterations, 8 MiB and 64 requests per reply, 200
// requests per run, 30 seconds per call and 2000 tokens per result.
func DefaultConfig() Config {
	var c Config
	for i := range configFields {
		if f := &configFields[i]; f.Default != "" {
			f.set(&c, f.Default)
		}
	}
	return c
}

// set stores the value that text represents. It reports whether text can be read as such a value;
// check says whether the value is allowed.
func (f *ConfigField) set(c *Config, text string) (ok bool) {
	var err error
	switch p := f.pointerIn(c).(type) {
	case *bool:
		*p = text == "true"
		return *p || text == "false"
	case *int:
		*p, err = strconv.Atoi(text)
	case *Duration:
		err = p.UnmarshalText([]byte(text))
	case *map[string]bool:
		for pair := range strings.SplitSeq(text, ",") {
			name, value, _ := strings.Cut(pair, "=")
			if name == "" || value != "true" && value != "false" {
				return false
			}
			if *p == nil {
				*p = map[string]bool{}
			}
			(*p)[name] = value == "true"
		}
	case *[]policy.Rule:
		return false
	default:
		reflect.ValueOf(p).Elem().SetString(text)
	}
	return err == nil
}

// within reports whether a number, or a Duration in nanoseconds, is within the field's limits.
func (f *ConfigField) within(n int64) bool { return f.min <= n && n <= f.max || f.orZero && n == 0 }

// allowedIn describes the allowed values of the field at a path, such as "mode" or
// "approveRules[0].risk".
func allowedIn(path string) string {
	switch {
	case strings.HasPrefix(path, "toolToggles."), strings.HasPrefix(path, "pinnedTools."):
		return allowedBool
	case strings.HasPrefix(path, "approveRules["):
		return allowedRule
	}
	return configField(path).Allowed
}
