package engine

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

// Validate returns a *ConfigError for the first field with a value that is not allowed. It does not
// check whether Protocol exists; New and SetConfig do.
func (c Config) Validate() error {
	for i := range configFields {
		if err := configFields[i].check(&c); err != nil {
			return err
		}
	}
	return nil
}

// check returns a *ConfigError if the field has a value that is not allowed.
func (f *ConfigField) check(c *Config) error {
	bad := func(value string) error { return &ConfigError{Field: f.Name, Value: value, Allowed: f.Allowed} }
	switch p := f.pointerIn(c).(type) {
	case *int:
		if !f.within(int64(*p)) {
			return bad(strconv.Itoa(*p))
		}
	case *Duration:
		if !f.within(int64(*p)) {
			return bad(p.String())
		}
	case *map[string]bool:
		if _, nameless := (*p)[""]; nameless {
			return bad(`""`)
		}
	case *[]policy.Rule:
		return checkRules(*p)
	case *bool:
	default: // a string: Placeholder lists the allowed words, as in "auto|manual"; without | any text is allowed
		word := reflect.ValueOf(p).Elem().String()
		words := strings.Split(f.Placeholder, "|")
		if len(words) > 1 && !slices.Contains(words, word) && (word != "" || !f.orZero) {
			return bad(quoted(word))
		}
	}
	return nil
}

func checkRules(rules []policy.Rule) error {
	for i, r := range rules {
		field := func(name string) string { return fmt.Sprintf("approveRules[%d].%s", i, name) }
		if !slices.Contains([]policy.Decision{policy.Allow, policy.Ask, policy.Deny}, r.Decision) {
			return &ConfigError{Field: field("decision"), Value: quoted(r.Decision), Allowed: allowedDecision}
		}
		if !slices.Contains([]tool.Risk{"", tool.RiskRead, tool.RiskWrite, tool.RiskDangerous}, r.Risk) {
			return &ConfigError{Field: field("risk"), Value: quoted(r.Risk), Allowed: allowedRisk}
		}
	}
	return nil
}

// Set sets the named field to the given value, written as in a file: true or false, a number, a
// duration or a word. For toolToggles and pinnedTools the value is a list of NAME=true and
// NAME=false, separated by commas; entries with other names stay. Setting approve also sets
// RequireConfirmation to false. Set refuses any value for approveRules.
//
// The error is an *UnknownFieldError or, for a value that is not allowed, a *ConfigError. An error
// means that c is unchanged.
func (c *Config) Set(field, value string) error {
	f := configField(field)
	if f == nil {
		names := make([]string, len(configFields))
		for i := range configFields {
			names[i] = configFields[i].Name
		}
		const maxShown = 60 // bytes, as in errors about a document
		shown := text.TruncateBytes(field, maxShown)
		return unknownField(&document.UnknownFieldError{Field: shown, Name: field}, names)
	}
	changed := c.clone()
	if !f.set(&changed, value) || f.check(&changed) != nil {
		return &ConfigError{Field: field, Value: quoted(value), Allowed: f.Allowed}
	}
	if field == "approve" {
		changed.RequireConfirmation = false
	}
	*c = changed
	return nil
}
