package tool_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// composite returns the method code_run, whose code may call vault_open, hub/open-door and
// notes_read. The given names are secret parameters of vault_open and hub/open-door.
func composite(t testing.TB, secret ...string) *tool.Entry {
	t.Helper()
	handler := func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, nil }
	raw := func(name, parameter string, opts ...tool.Option) tool.Method {
		schema := json.RawMessage(`{"type":"object","properties":{"` + parameter + `":{"type":"string"}}}`)
		m, err := tool.Raw(name, "does "+name, schema, handler, opts...)
		require.NoError(t, err)
		return m
	}
	door := raw("door", "answer", tool.SecretParameters(secret...))
	door.FullName = "hub/open-door"
	reg := tool.NewRegistry()
	require.NoError(t, reg.Register(
		tool.Tool{ID: "code", Methods: []tool.Method{raw("run", "code", tool.Composite())}},
		tool.Tool{ID: "vault", Methods: []tool.Method{raw("open", "answer", tool.SecretParameters(secret...))}},
		tool.Tool{ID: "hub", Methods: []tool.Method{door}},
		tool.Tool{ID: "notes", Methods: []tool.Method{raw("read", "path")}},
	))
	e, ok := reg.Lookup("code_run")
	require.True(t, ok)
	return e
}

// secretCode are ways in which code reaches a method with a secret argument.
var secretCode = []string{
	`return await vault_open({answer: "walrus"})`,
	`const a = "walrus"; return await vault_open({answer: a})`,
	"const a = `walrus`; /* walrus */ vault_open({answer: a})", `v = /walrus/.source; vault_open({answer: v})`,
	`vault_open({answer: walrus})`, `vault_open(answer="walrus"`, `const f = vault_open; f({answer: "walrus"})`,
	`vault_op\u0065n({answer: "walrus"})`, `vault_op\u{65}n({answer: "walrus"})`, `vault_open({answer: "\x77alrus", x: "walrus"})`,
	`call("vault_open", {answer: "walrus"})`, `call('vault' + '_open', {answer: "walrus"})`, `call("\166ault_open", {answer: "walrus"})`,
	"call(`vault_open`, {answer: 'walrus'})", "call/**/(n, {answer: 'walrus'})",
	`const c = call; c(["vault", "open"].join("_"), {answer: "walrus"})`,
	`call("notes_read" + x, {answer: "walrus"})`, `call("notes_read\n", {answer: "walrus"})`,
	`c\u0061ll(n, {answer: "walrus"})`, `c\u{61}ll(n, {answer: "walrus"})`,
	`globalThis["vault" + "_open"]({answer: "walrus"})`, `globalTh\u0069s[n]({answer: "walrus"})`,
	`(function () { return this })()[n]({answer: "walrus"})`, `hub_open_door({answer: "walrus"})`, `call("hub/open-door", {answer: "walrus"})`,
}

func TestCodeThatMayCallAMethodWithSecretsIsSecret(t *testing.T) {
	e := composite(t, "answer")
	require.True(t, e.MayHaveSecrets())
	for _, code := range secretCode {
		t.Run(code, func(t *testing.T) {
			arguments, err := json.Marshal(map[string]string{"code": code})
			require.NoError(t, err)
			require.Equal(t, `{"code":"[secret]"}`, string(e.MaskArguments(arguments)))
			require.Equal(t, `"[secret]"`, string(e.MaskArguments(arguments[:len(arguments)-1])),
				"arguments that are not JSON")
			inJSON := string(arguments[len(`{"code":`) : len(arguments)-1])
			for _, name := range []string{"code", "c0de"} { // the second is an undeclared name
				for _, argument := range []protocol.Argument{{Value: code}, {Value: inJSON, Form: protocol.FormJSON}} {
					argument.Name = name
					list := []protocol.Argument{argument, {Name: "answer", Value: "walrus"}}
					require.Equal(t, `{"`+name+`":"[secret]","answer":"[secret]"}`, string(e.MaskRequest(list)))
					masked, hasSecrets := e.MaskWritten(list)
					require.True(t, hasSecrets)
					require.NotContains(t, masked[0].Value+masked[1].Value, "walrus")
					require.NotContains(t, e.RequestSecrets(list).MaskText("failed in: "+code), "walrus")
				}
			}
			require.NotContains(t, e.CallSecrets(arguments).MaskText("failed in: "+code), "walrus")
			require.Equal(t, string(arguments), string(e.UnmaskArguments(e.MaskArguments(arguments), arguments)))
		})
	}
}

func TestCodeThatCallsNoMethodWithSecretsIsShown(t *testing.T) {
	for _, code := range []string{
		`return await notes_read({path: "a.txt"})`, `await call("notes_read", {path: "a.txt"}); await call ( 'notes_read' )`,
		`const all = await Promise.all(["a", "b"].map((path) => notes_read({path}))); return all.join("\n")`,
	} {
		arguments, err := json.Marshal(map[string]string{"code": code})
		require.NoError(t, err)
		require.JSONEq(t, string(arguments), string(composite(t, "answer").MaskArguments(arguments)))
	}
	for _, code := range secretCode { // no method has secrets
		arguments, err := json.Marshal(map[string]string{"code": code})
		require.NoError(t, err)
		require.Equal(t, string(arguments), string(composite(t).MaskArguments(arguments)))
	}
}
