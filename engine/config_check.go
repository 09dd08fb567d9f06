package engine

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/tool"
)

// Validate returns a *ConfigError for the first field with a value that is not allowed. Only New
// checks whether Protocol exists.
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
		if _, blank := (*p)[""]; blank {
			return bad(`""`)
		}
	case *[]policy.Rule:
		return checkRules(*p)
	case *bool:
	default:
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
		switch r.Decision {
		case policy.Allow, policy.Ask, policy.Deny:
		default:
			return &ConfigError{Field: fmt.Sprintf("approveRules[%d].decision", i), Value: quoted(r.Decision), Allowed: allowedDecision}
		}
		switch r.Risk {
		case "", tool.RiskRead, tool.RiskWrite, tool.RiskDangerous:
		default:
			return &ConfigError{Field: fmt.Sprintf("approveRules[%d].risk", i), Value: quoted(r.Risk), Allowed: allowedRisk}
		}
	}
	return nil
}
