// Package policy decides which calls run without approval, which need it, and which never run.
//
// A Decision of this package is what a policy decides. What a person decides is a Decision of
// package github.com/vcpgo/vcp/executor.
package policy

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/vcpgo/vcp/tool"
)

// Approve says which calls run without approval if no Rule matches. Calls of methods with
// AlwaysAsk, and of methods whose definition has changed, need approval even under ApproveAll.
type Approve string

// The values of Approve. "" means ApproveWrite.
const (
	// ApproveAsk asks for approval of each call.
	ApproveAsk Approve = "ask"
	// ApproveNever runs no call and asks nobody. A rule that would ask denies instead.
	ApproveNever Approve = "never"
	// ApproveRead runs methods that only read, and asks for approval of the others.
	ApproveRead Approve = "read"
	// ApproveWrite runs methods that read or write, and asks for approval of dangerous ones.
	ApproveWrite Approve = "write"
	// ApproveAll runs each call, except those that always need approval.
	ApproveAll Approve = "all"
)

func (a Approve) decide(risk tool.Risk) Decision {
	allowed := false
	switch a {
	case ApproveAsk:
	case ApproveRead:
		allowed = risk == tool.RiskRead
	case ApproveWrite, "":
		allowed = risk == tool.RiskRead || risk == tool.RiskWrite
	case ApproveAll:
		allowed = true
	default: // ApproveNever, or an unknown value
		return Deny
	}
	if allowed {
		return Allow
	}
	return Ask
}

// Decision is what a Policy decides about a valid call. The Decision of a person, which answers an
// approval, is in package github.com/vcpgo/vcp/executor.
type Decision string

const (
	// Allow runs the call.
	Allow Decision = "allow"
	// Ask runs the call only if it is approved.
	Ask Decision = "ask"
	// Deny refuses the call without asking anyone.
	Deny Decision = "deny"
)

// strictness orders decisions. An unknown value is as strict as Deny.
func (d Decision) strictness() int {
	switch d {
	case Allow:
		return 0
	case Ask:
		return 1
	}
	return 2
}

// Rule decides about the calls that match all of its conditions. A rule without conditions matches
// each call.
type Rule struct {
	// Tool is a tool's id, Method a method's full name and Risk a level; "" matches any.
	Tool   string    `json:"tool,omitempty" yaml:"tool,omitempty"`
	Method string    `json:"method,omitempty" yaml:"method,omitempty"`
	Risk   tool.Risk `json:"risk,omitempty" yaml:"risk,omitempty"`
	// Decision is what happens to the calls.
	Decision Decision `json:"decision" yaml:"decision"`
}

// String returns the rule as a configuration spells it, such as "tool: shell, decision: deny".
func (r Rule) String() string {
	var parts []string
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+": "+value)
		}
	}
	add("tool", r.Tool)
	add("method", r.Method)
	add("risk", string(r.Risk))
	add("decision", string(r.Decision))
	return strings.Join(parts, ", ")
}

func (r Rule) matches(m *tool.Entry) bool {
	return (r.Tool == "" || r.Tool == m.Tool.ID) && (r.Method == "" || r.Method == m.FullName) &&
		(r.Risk == "" || r.Risk == m.Risk())
}

// specificity orders rules. A rule that names a method is more specific than one that names a tool,
// and either is more specific if it names a risk, too.
func (r Rule) specificity() int {
	s := 0
	if r.Method != "" {
		s += 4
	}
	if r.Tool != "" {
		s += 2
	}
	if r.Risk != "" {
		s++
	}
	return s
}

// Policy decides about calls. The zero value runs calls that read or write. It asks for approval of
// dangerous calls, of methods with AlwaysAsk, and of methods whose definition has changed
// (tool.Method.Changed).
type Policy struct {
	// Approve applies to calls that no rule matches.
	Approve Approve
	// Rules take precedence over Approve. The most specific match decides: a rule that names the
	// method, then one that names the tool, then one that names the risk. Of equally specific rules
	// the strictest decides, in whatever order they are listed. An unknown Decision denies.
	Rules []Rule
}

// Decide returns what happens to a valid call of the method.
func (p Policy) Decide(m *tool.Entry) Decision { return p.Ruling(m).Decision }

// Ruling returns what happens to a valid call of the method, and which rule or setting decides
// that.
func (p Policy) Ruling(m *tool.Entry) Ruling {
	r := Ruling{Rule: -1, approve: p.Approve}
	best := -1
	for i := range p.Rules {
		rule := &p.Rules[i]
		if !rule.matches(m) {
			continue
		}
		s := rule.specificity()
		if s > best || s == best && rule.Decision.strictness() > r.Decision.strictness() {
			best = s
			r.Decision, r.Rule, r.rule = rule.Decision, i, rule
		}
	}
	if r.rule == nil {
		r.Decision = p.Approve.decide(m.Risk())
	}
	named := r.rule != nil && (r.rule.Tool != "" || r.rule.Method != "")
	// A call that needs approval anyway gets this Ruling, too, so that String names the method.
	if m.Method.AlwaysAsk && !named && (r.Decision == Allow || r.Decision == Ask && r.rule == nil) {
		r = Ruling{Decision: Ask, Rule: -1, approve: p.Approve, always: true}
	}
	never := p.Approve == ApproveNever
	switch {
	case r.Decision == Ask && never:
		r = Ruling{Decision: Deny, Rule: -1, approve: p.Approve}
	case r.Decision == Allow && m.Method.Changed.Open():
		r.changed, r.Decision = true, Ask
		if never {
			r.Decision = Deny
		}
	case r.Decision != Allow && r.Decision != Ask:
		r.Decision = Deny
	}
	return r
}

// Ruling is a decision, and the rule or setting that made it.
type Ruling struct {
	Decision Decision
	// Rule is the index in Policy.Rules of the rule that decides; -1 means that no rule does.
	Rule int

	rule    *Rule
	approve Approve
	always  bool // the decision is Ask because the method has AlwaysAsk
	changed bool // the method's definition has changed, so the rule or Approve does not allow it
}

// String names the rule or setting that decides, in the words of a configuration: "approveRules[1]
// (tool: shell, decision: deny)" or "approve: never". If the call needs approval because the method
// has AlwaysAsk, String says that instead. If the definition of the method changed, String adds
// that.
func (r Ruling) String() string {
	if r.always {
		return "the method, whose calls need approval unless a rule in approveRules names it or its tool"
	}
	s := "approve: " + string(cmp.Or(r.approve, ApproveWrite))
	if r.rule != nil {
		s = fmt.Sprintf("approveRules[%d] (%v)", r.Rule, *r.rule)
	}
	if r.changed {
		s += ", which does not cover the method since its definition changed"
	}
	return s
}
