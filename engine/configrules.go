package engine

import (
	"fmt"

	"github.com/goccy/go-yaml"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/tool"
)

// setRules reads a list such as
//
//   - {tool: shell, decision: ask}
//   - {method: shell_run, risk: dangerous, decision: deny}
func setRules(c *Config, v any) bool {
	list, ok := v.([]any)
	if !ok {
		return v == nil // a heading whose entries are all commented out
	}
	rules := make([]executor.Rule, len(list))
	for i, v := range list {
		if rules[i], ok = readRule(v); !ok {
			return false
		}
	}
	c.ApproveRules = rules
	return true
}

func readRule(v any) (r executor.Rule, ok bool) {
	fields, ok := v.(map[string]any)
	if !ok {
		return r, false
	}
	for name, v := range fields {
		text, ok := v.(string)
		if !ok || text == "" {
			return r, false
		}
		switch name {
		case "tool":
			r.Tool = text
		case "method":
			r.Method = text
		case "risk":
			r.Risk = tool.Risk(text)
		case "decision":
			r.Decision = executor.Decision(text)
		default:
			return r, false
		}
	}
	return r, validRule(r)
}

func validRule(r executor.Rule) bool {
	switch r.Decision {
	case executor.DecisionAllow, executor.DecisionAsk, executor.DecisionDeny:
	default:
		return false
	}
	switch r.Risk {
	case "", tool.RiskRead, tool.RiskWrite, tool.RiskDangerous:
		return true
	}
	return false
}

// badRule returns the first rule that is none.
func badRule(f yaml.MapItem) (field string, value any, bad bool) {
	list, _ := f.Value.([]any)
	for i, v := range list {
		if _, ok := readRule(v); !ok {
			return fmt.Sprintf("%v[%d]", f.Key, i), v, true
		}
	}
	return "", nil, false
}
