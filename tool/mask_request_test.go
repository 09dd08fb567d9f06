package tool_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

func TestMaskRequestHidesSecrets(t *testing.T) {
	for _, tt := range []struct {
		name string
		arg  protocol.Argument
		want string
	}{
		{"an argument", protocol.Argument{Name: "PASS-WORD", Value: "hush"}, `{"PASS-WORD":"[secret]"}`},
		{"an argument that is not secret", protocol.Argument{Name: "user", Value: "007"}, `{"user":"007"}`},
		{"JSON stays JSON", protocol.Argument{Name: "user", Value: `7`, Form: protocol.FormJSON}, `{"user":7}`},
		{
			"a member of JSON",
			protocol.Argument{Name: "options", Value: `{"password":"hush"}`, Form: protocol.FormJSON},
			`{"options":{"password":"[secret]"}}`,
		},
		{
			"a member of JSON in text",
			protocol.Argument{Name: "options", Value: `{"password": "hush"}`},
			`{"options":"{\"password\":\"[secret]\"}"}`,
		},
		{
			"text that is not JSON and names a secret",
			protocol.Argument{Name: "options", Value: `{password: 'hush'}`},
			`{"options":"[secret]"}`,
		},
		{
			"invalid JSON that names a secret",
			protocol.Argument{Name: "options", Value: `{"Pass_word": "hush"`, Form: protocol.FormJSON},
			`{"options":"[secret]"}`,
		},
		{
			"JSON in a string of JSON",
			protocol.Argument{Name: "options", Value: `{"inner":"{\"password\":\"hush\"}","n":1}`, Form: protocol.FormJSON},
			`{"options":{"inner":"{\"password\":\"[secret]\"}","n":1}}`,
		},
		{
			"JSON that is a string of JSON",
			protocol.Argument{Name: "options", Value: `"{\"inner\":\"{\\\"password\\\":1}\"}"`, Form: protocol.FormJSON},
			`{"options":"{\"inner\":\"{\\\"password\\\":\\\"[secret]\\\"}\"}"}`,
		},
		{
			"a name with escapes in JSON that needs repairs",
			protocol.Argument{Name: "options", Value: `{'pass\u0077ord':'hush',}`},
			`{"options":"{\"password\":\"[secret]\"}"}`,
		},
		{
			"a name with escapes in text that is not JSON",
			protocol.Argument{Name: "options", Value: `{'pass\u0077ord':hush}`},
			`{"options":"[secret]"}`,
		},
		{
			"several values",
			protocol.Argument{Name: "options", Value: `{"password":1} {"n":1}`},
			`{"options":"{\"password\":\"[secret]\"}\n{\"n\":1}"}`,
		},
		{
			"a name with escapes in a string of JSON",
			protocol.Argument{Name: "options", Value: `{"a":"{\"pass\\u0077ord\":1}"}`},
			`{"options":"{\"a\":\"{\\\"password\\\":\\\"[secret]\\\"}\"}"}`,
		},
		{
			"an argument that the method does not know",
			protocol.Argument{Name: "passwort", Value: "hush"},
			`{"passwort":"[secret]"}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, string(login(t, "password").MaskRequest([]protocol.Argument{tt.arg})))
		})
	}
	t.Run("without secrets nothing is masked", func(t *testing.T) {
		args := []protocol.Argument{{Name: "passwort", Value: "{x"}, {Name: "user", Value: `{"b":1,"a":2}`}}
		require.Equal(t, `{"passwort":"{x","user":"{\"b\":1,\"a\":2}"}`, string(login(t).MaskRequest(args)))
	})
	t.Run("without a method everything is masked", func(t *testing.T) {
		var noMethod *tool.Entry
		require.Equal(t, `{"a":"[secret]","b":"[secret]"}`, string(noMethod.MaskRequest([]protocol.Argument{
			{Name: "a", Value: "x"}, {Name: "b", Value: "1", Form: protocol.FormJSON},
		})))
		require.Equal(t, `{}`, string(noMethod.MaskRequest(nil)))
	})
}

func TestMaskWrittenKeepsOtherText(t *testing.T) {
	reg := tool.NewRegistry()
	m, err := tool.Raw("login", "logs in", json.RawMessage(
		`{"type":"object","properties":{"user":{"type":"string"},"pin":{"type":"string"},"options":{"type":"object"}}}`),
		echo, tool.SecretParameters("pin"))
	require.NoError(t, err)
	require.NoError(t, reg.Register(tool.Tool{ID: "t", Methods: []tool.Method{m}}))
	entry, ok := reg.Lookup("t_login")
	require.True(t, ok)
	plain := func(name, value string) protocol.Argument { return protocol.Argument{Name: name, Value: value} }
	inJSON := func(name, value string) protocol.Argument {
		return protocol.Argument{Name: name, Value: value, Form: protocol.FormJSON}
	}
	for _, tt := range []struct {
		name     string
		entry    *tool.Entry
		in, want []protocol.Argument
		masked   bool
	}{
		{
			"no secret: the exact text stays", entry,
			[]protocol.Argument{inJSON("options", "{ \"a\" : 1.0 }"), plain("user", " x ")},
			[]protocol.Argument{inJSON("options", "{ \"a\" : 1.0 }"), plain("user", " x ")},
			false,
		},
		{
			"a plain secret", entry,
			[]protocol.Argument{plain("user", "ann"), plain("PIN", "1234")},
			[]protocol.Argument{plain("user", "ann"), plain("PIN", tool.Masked)},
			true,
		},
		{
			"a secret in JSON", entry,
			[]protocol.Argument{inJSON("pin", "1234")},
			[]protocol.Argument{inJSON("pin", `"[secret]"`)},
			true,
		},
		{
			"a member of JSON", entry,
			[]protocol.Argument{inJSON("options", `{"a":"[secret]","pin":"1"}`)},
			[]protocol.Argument{inJSON("options", `{"a":"[secret]","pin":"[secret]"}`)},
			true,
		},
		{
			"an undeclared name may be a misspelled secret", entry,
			[]protocol.Argument{plain("pn", "1")},
			[]protocol.Argument{plain("pn", tool.Masked)},
			true,
		},
		{"no method is known", nil, []protocol.Argument{plain("a", "1")}, []protocol.Argument{plain("a", tool.Masked)}, true},
		{"no arguments", entry, nil, nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			original := slices.Clone(tt.in)
			got, masked := tt.entry.MaskWritten(tt.in)
			require.Equal(t, tt.want, got)
			require.Equal(t, tt.masked, masked)
			require.Equal(t, original, tt.in, "the arguments are not changed")
		})
	}
}
