package workspace

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/tool"

	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
)

func TestMethodsThatNobodyCanApproveAreHidden(t *testing.T) {
	nothing := func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, nil }
	m, err := tool.Raw("write", "Writes.", nil, nothing, tool.AgentCallable())
	require.NoError(t, err)
	registry := tool.NewRegistry()
	require.NoError(t, registry.Register(tool.Tool{ID: "t", Methods: []tool.Method{m}}))
	e, _ := registry.Lookup("t_write")
	for _, tt := range []struct {
		name   string
		change func(*configuration.Settings)
		shown  bool
	}{
		{"hidden by default", func(*configuration.Settings) {}, false},
		{"shown if approve allows it", func(s *configuration.Settings) { s.Approve = policy.ApproveWrite }, true},
		{
			"shown if approve asks for each call",
			func(s *configuration.Settings) { s.Approve = policy.ApproveAsk }, true,
		},
		{"shown if a toggle names it", func(s *configuration.Settings) {
			s.ToolToggles = map[string]bool{"t_write": true}
		}, true},
		{"hidden if a toggle names only its tool", func(s *configuration.Settings) {
			s.ToolToggles = map[string]bool{"t": true}
		}, false},
		{"shown if a rule asks", func(s *configuration.Settings) {
			s.ApproveRules = []policy.Rule{{Tool: "t", Decision: policy.Ask}}
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := configuration.DefaultSettings()
			tt.change(s)
			require.Equal(t, tt.shown, Unattended{Why: errors.New("no terminal")}.Filter(s)(e))
			require.Nil(t, Unattended{}.Filter(s), "a person can be asked, so all methods are shown")
		})
	}
}
