package executor

import (
	"github.com/vcpgo/vcp/tool"
)

// Approve says which calls need no leave of a person, where no Rule says otherwise.
type Approve string

// The values of Approve. "" is ApproveWrite.
const (
	// ApproveAsk asks for each call.
	ApproveAsk Approve = "ask"
	// ApproveNever allows no call and asks nobody: where a rule would ask, the call is denied too.
	ApproveNever Approve = "never"
	// ApproveRead runs methods that only read, and asks for the others.
	ApproveRead Approve = "read"
	// ApproveWrite runs methods that read or write, and asks for those that are dangerous.
	ApproveWrite Approve = "write"
	// ApproveAll runs each call and asks for none.
	ApproveAll Approve = "all"
)

// Valid reports whether a is one of the values.
func (a Approve) Valid() bool {
	switch a {
	case "", ApproveAsk, ApproveNever, ApproveRead, ApproveWrite, ApproveAll:
		return true
	}
	return false
}

// Decision is what becomes of a valid call.
type Decision string

const (
	// DecisionAllow runs it.
	DecisionAllow Decision = "allow"
	// DecisionAsk asks the Approver.
	DecisionAsk Decision = "ask"
	// DecisionDeny refuses it without asking anyone.
	DecisionDeny Decision = "deny"
)

// Rule decides on the calls that fit all of its conditions; one without conditions fits each call.
type Rule struct {
	// Tool is the id of a tool, Method the full name of a method, Risk a level; "" is any.
	Tool   string    `json:"tool,omitempty" yaml:"tool,omitempty"`
	Method string    `json:"method,omitempty" yaml:"method,omitempty"`
	Risk   tool.Risk `json:"risk,omitempty" yaml:"risk,omitempty"`
	// Decision is what becomes of the calls.
	Decision Decision `json:"decision" yaml:"decision"`
}

func (r Rule) fits(m *tool.Entry) bool {
	return (r.Tool == "" || r.Tool == m.Tool.ID) && (r.Method == "" || r.Method == m.FullName) && (r.Risk == "" || r.Risk == m.Risk())
}

// weight is how narrow a rule is: a method is narrower than its tool, and a tool with a risk is narrower than the tool.
func (r Rule) weight() int {
	w := 0
	if r.Method != "" {
		w += 4
	}
	if r.Tool != "" {
		w += 2
	}
	if r.Risk != "" {
		w++
	}
	return w
}

// Policy decides which calls run at once, which are asked for, and which never run.
type Policy struct {
	// Approve holds for the calls that no rule fits.
	Approve Approve
	// Rules win over Approve. Of several that fit, the narrowest decides: one that names the method, then one that names the tool,
	// then one that names the risk. Of equals the strictest decides, whatever their order. A decision that does not exist denies.
	Rules []Rule
}

// Decide returns what becomes of a valid call of the method.
func (p Policy) Decide(m *tool.Entry) Decision {
	var d Decision
	best := -1
	for _, r := range p.Rules {
		if !r.fits(m) {
			continue
		}
		if w := r.weight(); w > best {
			best, d = w, r.Decision
		} else if w == best && strictness(r.Decision) > strictness(d) {
			d = r.Decision
		}
	}
	if best < 0 {
		return p.Approve.decide(m.Risk())
	}
	if strictness(d) == strictest || d == DecisionAsk && p.Approve == ApproveNever {
		return DecisionDeny
	}
	return d
}

func (a Approve) decide(risk tool.Risk) Decision {
	read, write := risk == tool.RiskRead, risk == tool.RiskWrite
	switch {
	case a == ApproveAll, a == ApproveRead && read, (a == ApproveWrite || a == "") && (read || write):
		return DecisionAllow
	case a == ApproveNever || !a.Valid():
		return DecisionDeny
	}
	return DecisionAsk
}

const strictest = 2

func strictness(d Decision) int {
	switch d {
	case DecisionAllow:
		return 0
	case DecisionAsk:
		return 1
	}
	return strictest
}
