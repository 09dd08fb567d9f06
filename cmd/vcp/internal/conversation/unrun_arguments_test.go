package conversation

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// registryWithSecret returns a registry with one method, t_login. Its parameter password is secret.
func registryWithSecret(t *testing.T) *tool.Registry {
	t.Helper()
	const schema = `{"type":"object","properties":{"user":{"type":"string"},"password":{"type":"string"}}}`
	run := func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, nil }
	m, err := tool.Raw("login", "", json.RawMessage(schema), run, tool.SecretParameters("password"))
	require.NoError(t, err)
	registry := tool.NewRegistry()
	require.NoError(t, registry.Register(tool.Tool{ID: "t", Methods: []tool.Method{m}}))
	return registry
}

func TestACallThatIsNotRunShowsNoSecret(t *testing.T) {
	login := []protocol.Argument{{Name: "user", Value: "eve"}, {Name: "Password", Value: "hush-hush"}}
	others := []protocol.Argument{
		{Name: "API_key", Value: "hush"},
		{Name: "note", Value: "the password is hush"},
		{Name: "list", Value: `["a",{"token":"hush"}]`, Form: protocol.FormJSON},
	}
	for _, tt := range []struct {
		name, tool string
		arguments  []protocol.Argument
		want       string
	}{
		{"a method by its name", "t_login", login, ` user="eve" Password="[secret]"`},
		{"a method by a name that is repaired", "T-Login", login, ` user="eve" Password="[secret]"`},
		{
			"an unknown method", "t_logn", append(login, others...),
			` user="eve" Password="[secret]" API_key="[secret]" note="[secret]" list=["a",{"token":"[secret]"}]`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			request := &protocol.ToolRequest{ToolName: tt.tool, Arguments: tt.arguments}
			require.Equal(t, tt.want, unrunArgumentsText(registryWithSecret(t), request))
		})
	}
}
