package main

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// withSecret contains one method, t_login, with the secret parameter password.
func withSecret(t *testing.T) *tool.Registry {
	t.Helper()
	m, err := tool.Raw("login", "", json.RawMessage(`{"type":"object","properties":{"user":{"type":"string"},"password":{"type":"string"}}}`),
		func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, nil }, tool.SecretParameters("password"))
	require.NoError(t, err)
	registry := tool.NewRegistry()
	require.NoError(t, registry.Register(tool.Tool{ID: "t", Methods: []tool.Method{m}}))
	return registry
}

func TestACallThatIsNotRunShowsNoSecret(t *testing.T) {
	arguments := []protocol.Argument{{Name: "user", Value: "eve"}, {Name: "Password", Value: "hush-hush"}}
	for _, tt := range []struct{ name, tool, want string }{
		{"of a method by its name", "t_login", ` user="eve" Password="[secret]"`},
		{"of a method by a name that is repaired", "T-Login", ` user="eve" Password="[secret]"`},
		{"of an unknown method", "t_logn", ` user="eve" Password="[secret]" API_key="[secret]" note="[secret]" list=["a",{"token":"[secret]"}]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.tool == "t_logn" {
				arguments = append(arguments, protocol.Argument{Name: "API_key", Value: "hush"}, protocol.Argument{Name: "note", Value: "the password is hush"},
					protocol.Argument{Name: "list", Value: `["a",{"token":"hush"}]`, Form: protocol.FormJSON})
			}
			require.Equal(t, tt.want, unrunArgumentsText(withSecret(t), &protocol.ToolRequest{ToolName: tt.tool, Arguments: arguments}))
		})
	}
}

// A method that a person cannot approve is not shown, unless somebody named it.
func TestMethodsThatNobodyCanApprove(t *testing.T) {
	m, err := tool.Raw("write", "Writes.", nil, func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, nil }, tool.AgentCallable())
	require.NoError(t, err)
	registry := tool.NewRegistry()
	require.NoError(t, registry.Register(tool.Tool{ID: "t", Methods: []tool.Method{m}}))
	e, _ := registry.Lookup("t_write")
	for _, tt := range []struct {
		name   string
		change func(*settings)
		want   bool
	}{
		{"by the default", func(*settings) {}, false},
		{"if approve allows it", func(s *settings) { s.Approve = policy.ApproveWrite }, true},
		{"if approve asks for each call", func(s *settings) { s.Approve = policy.ApproveAsk }, true},
		{"if a toggle names it", func(s *settings) { s.ToolToggles = map[string]bool{"t_write": true} }, true},
		{"if a toggle names its tool", func(s *settings) { s.ToolToggles = map[string]bool{"t": true} }, false},
		{"if a rule asks", func(s *settings) { s.ApproveRules = []policy.Rule{{Tool: "t", Decision: policy.Ask}} }, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := defaultSettings()
			tt.change(s)
			require.Equal(t, tt.want, (&approver{unavailable: errors.New("no terminal")}).mayShow(s)(e))
			require.Nil(t, (&approver{}).mayShow(s), "if a person can be asked, no method is hidden")
		})
	}
}
