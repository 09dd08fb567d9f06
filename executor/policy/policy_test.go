package policy_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/executor/policy"
	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/tool"
)

const (
	allow = policy.Allow
	ask   = policy.Ask
	deny  = policy.Deny
)

func TestApproveLimitsTheRisk(t *testing.T) {
	for _, tt := range []struct {
		approve                            policy.Approve
		read, write, dangerous, undeclared policy.Decision
	}{
		{policy.ApproveAsk, ask, ask, ask, ask},
		{policy.ApproveNever, deny, deny, deny, deny},
		{policy.ApproveRead, allow, ask, ask, ask},
		{policy.ApproveWrite, allow, allow, ask, allow},
		{"", allow, allow, ask, allow},
		{policy.ApproveAll, allow, allow, allow, allow},
		{"sometimes", deny, deny, deny, deny},
	} {
		for _, c := range []struct {
			risk tool.Risk
			want policy.Decision
		}{
			{tool.RiskRead, tt.read},
			{tool.RiskWrite, tt.write},
			{tool.RiskDangerous, tt.dangerous},
			{"", tt.undeclared},
		} {
			t.Run(fmt.Sprintf("%q and a method with the risk %q", tt.approve, c.risk), func(t *testing.T) {
				require.Equal(t, c.want, policy.Policy{Approve: tt.approve}.Decide(entry(t, c.risk)))
			})
		}
	}
}

// entry returns the method shell_run, declared with the risk.
func entry(t testing.TB, risk tool.Risk) *tool.Entry {
	t.Helper()
	handler := func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, nil }
	run, err := tool.Raw("run", "", nil, handler, tool.WithRisk(risk))
	require.NoError(t, err)
	reg := tool.NewRegistry()
	require.NoError(t, reg.Register(tool.Tool{ID: "shell", Methods: []tool.Method{run}}))
	e, ok := reg.Lookup("shell_run")
	require.True(t, ok)
	return e
}

func TestMostSpecificRuleDecides(t *testing.T) {
	for _, tt := range []struct {
		name    string
		approve policy.Approve
		rules   []policy.Rule
		want    policy.Decision
	}{
		{"a rule without conditions matches each call", policy.ApproveAll, []policy.Rule{{Decision: deny}}, deny},
		{
			"a rule of another tool does not match", policy.ApproveAll,
			[]policy.Rule{{Tool: "files", Decision: deny}},
			allow,
		},
		{
			"a rule of another method does not match", policy.ApproveAll,
			[]policy.Rule{{Method: "shell_list", Decision: deny}},
			allow,
		},
		{
			"a rule of another risk does not match", policy.ApproveAll,
			[]policy.Rule{{Risk: tool.RiskRead, Decision: deny}},
			allow,
		},
		{
			"a rule of which one condition fails does not match", policy.ApproveAll,
			[]policy.Rule{{Tool: "shell", Risk: tool.RiskRead, Decision: deny}},
			allow,
		},
		{"any rule wins over Approve", policy.ApproveAsk, []policy.Rule{{Tool: "shell", Decision: allow}}, allow},
		{
			"a risk's rule wins over one for all", policy.ApproveAll,
			[]policy.Rule{{Risk: tool.RiskDangerous, Decision: ask}, {Decision: deny}},
			ask,
		},
		{
			"a tool's rule wins over a risk's", policy.ApproveAll,
			[]policy.Rule{{Risk: tool.RiskDangerous, Decision: deny}, {Tool: "shell", Decision: allow}},
			allow,
		},
		{
			"a tool's rule with a risk wins over the tool's", policy.ApproveAll,
			[]policy.Rule{{Tool: "shell", Decision: allow}, {Tool: "shell", Risk: tool.RiskDangerous, Decision: ask}},
			ask,
		},
		{
			"a method's rule wins over its tool's", policy.ApproveAll,
			[]policy.Rule{
				{Tool: "shell", Risk: tool.RiskDangerous, Decision: deny}, {Method: "shell_run", Decision: allow},
			},
			allow,
		},
		{
			"of two equal rules the one that denies wins", policy.ApproveAll,
			[]policy.Rule{
				{Tool: "shell", Decision: allow}, {Tool: "shell", Decision: deny}, {Tool: "shell", Decision: ask},
			},
			deny,
		},
		{
			"of two equal rules the one that asks wins over the one that allows", policy.ApproveAll,
			[]policy.Rule{{Method: "shell_run", Decision: ask}, {Method: "shell_run", Decision: allow}},
			ask,
		},
		{
			"a rule that asks denies if nobody may be asked", policy.ApproveNever,
			[]policy.Rule{{Tool: "shell", Decision: ask}},
			deny,
		},
		{
			"a rule that allows still allows if nobody may be asked", policy.ApproveNever,
			[]policy.Rule{{Tool: "shell", Decision: allow}},
			allow,
		},
		{"an unknown decision denies", policy.ApproveAll, []policy.Rule{{Tool: "shell", Decision: "perhaps"}}, deny},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := entry(t, tool.RiskDangerous)
			require.Equal(t, tt.want, policy.Policy{Approve: tt.approve, Rules: tt.rules}.Decide(e))
			slices.Reverse(tt.rules)
			require.Equal(t, tt.want, policy.Policy{Approve: tt.approve, Rules: tt.rules}.Decide(e),
				"the order of the rules must not matter")
		})
	}
}

func TestOnlyARuleByNameAllowsAMethodThatAlwaysAsks(t *testing.T) {
	e := entry(t, tool.RiskDangerous)
	e.Method.AlwaysAsk = true
	for _, tt := range []struct {
		name    string
		approve policy.Approve
		rules   []policy.Rule
		want    policy.Decision
	}{
		{"it asks although ApproveAll runs all calls", policy.ApproveAll, nil, ask},
		{"it asks if ApproveRead asks about its risk", policy.ApproveRead, nil, ask},
		{"it is denied if nobody may be asked", policy.ApproveNever, nil, deny},
		{
			"it asks although a rule allows its risk", policy.ApproveAll,
			[]policy.Rule{{Risk: tool.RiskDangerous, Decision: allow}},
			ask,
		},
		{"it asks although a rule allows everything", policy.ApproveRead, []policy.Rule{{Decision: allow}}, ask},
		{
			"it is denied if a rule allows everything and nobody may be asked", policy.ApproveNever,
			[]policy.Rule{{Decision: allow}},
			deny,
		},
		{
			"it runs if a rule allows its tool", policy.ApproveRead,
			[]policy.Rule{{Tool: "shell", Decision: allow}},
			allow,
		},
		{
			"it runs if a rule allows the method", policy.ApproveAsk,
			[]policy.Rule{{Method: "shell_run", Decision: allow}},
			allow,
		},
		{"it is denied if a rule denies it", policy.ApproveAll, []policy.Rule{{Tool: "shell", Decision: deny}}, deny},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := policy.Policy{Approve: tt.approve, Rules: tt.rules}.Ruling(e)
			require.Equal(t, tt.want, r.Decision)
			require.Equal(t, tt.want == ask, strings.HasPrefix(r.String(), "the method"),
				"the reason must name the method if and only if the call needs approval: %s", r)
		})
	}
}

func TestNoRuleAllowsAChangedDefinition(t *testing.T) {
	e := entry(t, tool.RiskRead)
	e.Method.Changed = tool.NewChange("other words", nil)
	for _, tt := range []struct {
		name    string
		approve policy.Approve
		rules   []policy.Rule
		want    policy.Decision
	}{
		{"it asks although ApproveAll runs all calls", policy.ApproveAll, nil, ask},
		{"it asks although ApproveRead allows its risk", policy.ApproveRead, nil, ask},
		{
			"it asks although a rule allows it", policy.ApproveWrite,
			[]policy.Rule{{Tool: "shell", Method: "shell_run", Decision: allow}},
			ask,
		},
		{
			"it is denied if a rule allows it and nobody may be asked", policy.ApproveNever,
			[]policy.Rule{{Method: "shell_run", Decision: allow}},
			deny,
		},
		{"it is denied if a rule denies it", policy.ApproveAll, []policy.Rule{{Tool: "shell", Decision: deny}}, deny},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, policy.Policy{Approve: tt.approve, Rules: tt.rules}.Decide(e))
		})
	}
}

// A law is a property that rapid checks with generated inputs.
func TestLawAnotherDenialNeverAllowsMore(t *testing.T) {
	e := entry(t, tool.RiskDangerous)
	strictness := map[policy.Decision]int{allow: 0, ask: 1, deny: 2}
	anyRule := rapid.Custom(func(t *rapid.T) policy.Rule {
		return policy.Rule{
			Tool:     rapid.SampledFrom([]string{"", "shell", "files"}).Draw(t, "tool"),
			Method:   rapid.SampledFrom([]string{"", "shell_run", "shell_list"}).Draw(t, "method"),
			Risk:     rapid.SampledFrom([]tool.Risk{"", tool.RiskRead, tool.RiskDangerous}).Draw(t, "risk"),
			Decision: rapid.SampledFrom([]policy.Decision{allow, ask, deny}).Draw(t, "decision"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		p := policy.Policy{
			Approve: rapid.SampledFrom([]policy.Approve{
				"", policy.ApproveAsk, policy.ApproveNever, policy.ApproveRead, policy.ApproveAll,
			}).Draw(t, "approve"),
			Rules: rapid.SliceOfN(anyRule, 0, 6).Draw(t, "rules"),
		}
		without := p.Decide(e)
		denial := anyRule.Draw(t, "denial")
		denial.Decision = deny
		p.Rules = append(p.Rules, denial)
		if with := p.Decide(e); strictness[with] < strictness[without] {
			t.Fatalf("the rule %v changes %s to %s, which allows more", denial, without, with)
		}
	})
}
