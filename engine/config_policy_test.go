package engine_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/tool"
)

// TestTheRulesInTheDocumentationDecideAsDescribed checks that the rules in docs/execution.md decide
// as the text next to them says.
func TestTheRulesInTheDocumentationDecideAsDescribed(t *testing.T) {
	page, err := os.ReadFile("../docs/execution.md")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(page), "```yaml\n")
	example, _, found := strings.Cut(rest, "```")
	require.True(t, found)
	c, err := engine.ReadConfig(strings.NewReader(example))
	require.NoError(t, err)
	for _, tt := range []struct {
		tool, method string
		risk         tool.Risk
		want         policy.Decision
	}{
		{"shell", "list", tool.RiskRead, policy.Ask},
		{"shell", "run", tool.RiskDangerous, policy.Deny},
		{"shell", "status", tool.RiskRead, policy.Allow},
		{"shell", "status", tool.RiskDangerous, policy.Allow},
		{"notes", "add", tool.RiskWrite, policy.Allow},
		{"notes", "burn", tool.RiskDangerous, policy.Ask},
		{"files", "read", tool.RiskRead, policy.Allow},
		{"files", "write", tool.RiskWrite, policy.Ask},
	} {
		reg := tool.NewRegistry()
		decided := method(t, tt.method, nop, tool.WithRisk(tt.risk))
		require.NoError(t, reg.Register(tool.Tool{ID: tt.tool, Methods: []tool.Method{decided}}))
		require.Equal(t, tt.want, c.Policy().Decide(reg.Entries()[0]), "%s_%s, %s", tt.tool, tt.method, tt.risk)
	}
}

func TestRequireConfirmationOverridesApprove(t *testing.T) {
	rules := []policy.Rule{{Tool: "shell", Decision: policy.Deny}}
	for _, tt := range []struct {
		name                string
		approve             policy.Approve
		requireConfirmation bool
		want                policy.Approve
	}{
		{"approve decides without requireConfirmation", policy.ApproveRead, false, policy.ApproveRead},
		{"requireConfirmation means ask", "", true, policy.ApproveAsk},
		{"requireConfirmation overrides all", policy.ApproveAll, true, policy.ApproveAsk},
		{"requireConfirmation does not override never", policy.ApproveNever, true, policy.ApproveNever},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := engine.Config{Approve: tt.approve, RequireConfirmation: tt.requireConfirmation, ApproveRules: rules}
			require.Equal(t, policy.Policy{Approve: tt.want, Rules: rules}, c.Policy())
		})
	}
}
