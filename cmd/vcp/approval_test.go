package main

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/tool"
)

func TestAQuestionShowsNoSecret(t *testing.T) {
	m, err := tool.Raw("login", "", json.RawMessage(`{"type":"object","properties":{"user":{"type":"string"},"password":{"type":"string"}}}`),
		func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, nil }, tool.SecretParameters("password"))
	require.NoError(t, err)
	registry := tool.NewRegistry()
	require.NoError(t, registry.Register(tool.Tool{ID: "t", Methods: []tool.Method{m}}))
	entry, ok := registry.Lookup("t_login")
	require.True(t, ok)
	text := callText(executor.Approval{Method: entry, Arguments: json.RawMessage(`{"user":"eve","password":"hush-hush"}`)})
	require.Equal(t, `[tool] t_login user="eve" password="[secret]"`, text)
}
