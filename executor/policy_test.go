package executor_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/tool"
)

const (
	allow = executor.DecisionAllow
	ask   = executor.DecisionAsk
	deny  = executor.DecisionDeny
)

func TestApproveByRisk(t *testing.T) {
	for _, tt := range []struct {
		approve                            executor.Approve
		read, write, dangerous, undeclared executor.Decision
	}{
		{executor.ApproveAsk, ask, ask, ask, ask},
		{executor.ApproveNever, deny, deny, deny, deny},
		{executor.ApproveRead, allow, ask, ask, ask},
		{executor.ApproveWrite, allow, allow, ask, allow},
		{"", allow, allow, ask, allow},
		{executor.ApproveAll, allow, allow, allow, allow},
		{"sometimes", deny, deny, deny, deny},
	} {
		for _, c := range []struct {
			risk tool.Risk
			want executor.Decision
		}{{tool.RiskRead, tt.read}, {tool.RiskWrite, tt.write}, {tool.RiskDangerous, tt.dangerous}, {"", tt.undeclared}} {
			t.Run(fmt.Sprintf("%q and a method with the risk %q", tt.approve, c.risk), func(t *testing.T) {
				require.Equal(t, c.want, executor.Policy{Approve: tt.approve}.Decide(entry(t, c.risk)))
			})
		}
	}
}

// entry is the method shell_run.
func entry(t testing.TB, risk tool.Risk) *tool.Entry {
	t.Helper()
	reg := tool.NewRegistry()
	require.NoError(t, reg.Register(tool.Tool{ID: "shell", Methods: []tool.Method{method(t, "run", says(""), tool.WithRisk(risk))}}))
	e, ok := reg.Lookup("shell_run")
	require.True(t, ok)
	return e
}

func TestRules(t *testing.T) {
	for _, tt := range []struct {
		name    string
		approve executor.Approve
		rules   []executor.Rule
		want    executor.Decision
	}{
		{"a rule without conditions fits each call", executor.ApproveAll, []executor.Rule{{Decision: deny}}, deny},
		{"a rule of another tool says nothing", executor.ApproveAll, []executor.Rule{{Tool: "files", Decision: deny}}, allow},
		{"a rule of another method says nothing", executor.ApproveAll, []executor.Rule{{Method: "shell_list", Decision: deny}}, allow},
		{"a rule of another risk says nothing", executor.ApproveAll, []executor.Rule{{Risk: tool.RiskRead, Decision: deny}}, allow},
		{"a rule whose conditions do not all fit says nothing", executor.ApproveAll, []executor.Rule{{Tool: "shell", Risk: tool.RiskRead, Decision: deny}}, allow},
		{"a tool's rule wins over what Approve says", executor.ApproveAsk, []executor.Rule{{Tool: "shell", Decision: allow}}, allow},
		{"a risk's rule wins over one for all", executor.ApproveAll, []executor.Rule{{Risk: tool.RiskDangerous, Decision: ask}, {Decision: deny}}, ask},
		{"a tool's rule wins over a risk's", executor.ApproveAll, []executor.Rule{{Risk: tool.RiskDangerous, Decision: deny}, {Tool: "shell", Decision: allow}}, allow},
		{"a tool's rule with a risk wins over the tool's", executor.ApproveAll, []executor.Rule{{Tool: "shell", Decision: allow}, {Tool: "shell", Risk: tool.RiskDangerous, Decision: ask}}, ask},
		{"a method's rule wins over its tool's", executor.ApproveAll, []executor.Rule{{Tool: "shell", Risk: tool.RiskDangerous, Decision: deny}, {Method: "shell_run", Decision: allow}}, allow},
		{"of equals deny wins", executor.ApproveAll, []executor.Rule{{Tool: "shell", Decision: allow}, {Tool: "shell", Decision: deny}, {Tool: "shell", Decision: ask}}, deny},
		{"of equals ask wins over allow", executor.ApproveAll, []executor.Rule{{Method: "shell_run", Decision: ask}, {Method: "shell_run", Decision: allow}}, ask},
		{"where nobody is to be asked, a rule that asks denies", executor.ApproveNever, []executor.Rule{{Tool: "shell", Decision: ask}}, deny},
		{"where nobody is to be asked, a rule that allows does so", executor.ApproveNever, []executor.Rule{{Tool: "shell", Decision: allow}}, allow},
		{"a decision that does not exist denies", executor.ApproveAll, []executor.Rule{{Tool: "shell", Decision: "perhaps"}}, deny},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := entry(t, tool.RiskDangerous)
			require.Equal(t, tt.want, executor.Policy{Approve: tt.approve, Rules: tt.rules}.Decide(e))
			slices.Reverse(tt.rules)
			require.Equal(t, tt.want, executor.Policy{Approve: tt.approve, Rules: tt.rules}.Decide(e), "the order of rules says nothing")
		})
	}
}

// TestAnotherDenialNeverAllowsMore is the law that makes a list of rules safe to add to.
func TestAnotherDenialNeverAllowsMore(t *testing.T) {
	e := entry(t, tool.RiskDangerous)
	strictness := map[executor.Decision]int{allow: 0, ask: 1, deny: 2}
	anyRule := rapid.Custom(func(t *rapid.T) executor.Rule {
		return executor.Rule{
			Tool:     rapid.SampledFrom([]string{"", "shell", "files"}).Draw(t, "tool"),
			Method:   rapid.SampledFrom([]string{"", "shell_run", "shell_list"}).Draw(t, "method"),
			Risk:     rapid.SampledFrom([]tool.Risk{"", tool.RiskRead, tool.RiskDangerous}).Draw(t, "risk"),
			Decision: rapid.SampledFrom([]executor.Decision{allow, ask, deny}).Draw(t, "decision"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		p := executor.Policy{
			Approve: rapid.SampledFrom([]executor.Approve{"", executor.ApproveAsk, executor.ApproveNever, executor.ApproveRead, executor.ApproveAll}).Draw(t, "approve"),
			Rules:   rapid.SliceOfN(anyRule, 0, 6).Draw(t, "rules"),
		}
		before := p.Decide(e)
		more := anyRule.Draw(t, "one more")
		more.Decision = deny
		p.Rules = append(p.Rules, more)
		if after := p.Decide(e); strictness[after] < strictness[before] {
			t.Fatalf("%s became %s", before, after)
		}
	})
}
