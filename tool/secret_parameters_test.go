package tool_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
)

// login registers a method with the given secret parameters.
func login(t *testing.T, secret ...string) *tool.Entry {
	t.Helper()
	type in struct {
		User     string         `json:"user"`
		Password string         `json:"password,omitempty"`
		Options  map[string]any `json:"options,omitempty"`
		List     []any          `json:"list,omitempty"`
	}
	m, err := tool.New("login", "Logs in.", func(context.Context, in) (string, error) { return "", nil }, tool.SecretParameters(secret...))
	require.NoError(t, err)
	reg := tool.NewRegistry()
	require.NoError(t, reg.Register(tool.Tool{ID: "t", Methods: []tool.Method{m}}))
	e, ok := reg.Lookup("t_login")
	require.True(t, ok)
	return e
}

func TestMaskArgumentsHidesSecrets(t *testing.T) {
	for _, tt := range []struct{ name, arguments, want string }{
		{"an argument", `{"user":"eve","password":"hush"}`, `{"user":"eve","password":"[secret]"}`},
		{"a value of any type", `{"password":{"a":["hush"]}}`, `{"password":"[secret]"}`},
		{
			"a member of an argument", `{"options":{"deep":{"api_key":"hush"},"n":10000000000000000001}}`,
			`{"options":{"deep":{"api_key":"[secret]"},"n":10000000000000000001}}`,
		},
		{"a member in a list", `{"list":[1,{"Password":"hush"}]}`, `{"list":[1,{"Password":"[secret]"}]}`},
		{
			"a name in another spelling",
			`{"options":{"ApiKey":"hush","api-key":"hush","API KEY":"hush","apikeys":"seen"}}`,
			`{"options":{"ApiKey":"[secret]","api-key":"[secret]","API KEY":"[secret]","apikeys":"seen"}}`,
		},
		{
			"everything else is unchanged",
			`{"options":{"b":[true,null,"<\u00e9>",1.50e3,{},[]],"a":""},"pass-word":"hush"}`,
			`{"options":{"b":[true,null,"<é>",1.50e3,{},[]],"a":""},"pass-word":"[secret]"}`,
		},
		{"a member of JSON in a string", `{"user":"{\"password\": \"hush\", \"n\": 1}"}`, `{"user":"{\"password\":\"[secret]\",\"n\":1}"}`},
		{
			"a member of JSON in a string within JSON in a string",
			`{"user":"[\"{\\\"api_key\\\":{\\\"hush\\\":1}}\"]"}`,
			`{"user":"[\"{\\\"api_key\\\":\\\"[secret]\\\"}\"]"}`,
		},
		{
			"a member that is given twice in a string", `{"user":"{\"password\":1,\"password\":2}"}`,
			`{"user":"{\"password\":\"[secret]\",\"password\":\"[secret]\"}"}`,
		},
		{
			"a member of one of several values in a string", `{"user":"{\"password\":1}\n{\"n\":2}"}`,
			`{"user":"{\"password\":\"[secret]\"}\n{\"n\":2}"}`,
		},
		{"a member of a string of JSON that needs repairs", `{"user":"{'password': 'hush',}"}`, `{"user":"{\"password\":\"[secret]\"}"}`},
		{"a member of JSON in a code fence", `{"user":"` + "```json\\n{\\\"password\\\":1}\\n```" + `"}`, `{"user":"{\"password\":\"[secret]\"}"}`},
		{"JSON in a string without a secret stays byte for byte", `{"user":"{ \"note\": \"password\" }"}`, `{"user":"{ \"note\": \"password\" }"}`},
		{"text that is not JSON stays, whatever it mentions", `{"user":"echo password={\"hush\" # {"}`, `{"user":"echo password={\"hush\" # {"}`},
		{"arguments that are not JSON", `"hush`, `"[secret]"`},
		{"empty arguments", ``, `"[secret]"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			given := json.RawMessage(tt.arguments)
			require.Equal(t, tt.want, string(login(t, "password", "api_key").MaskArguments(given)))
			require.Equal(t, tt.arguments, string(given), "the input is unchanged")
		})
	}
	require.Equal(t, `{"user":"<b>", "z":1,"a":2}`, string(login(t).MaskArguments(json.RawMessage(`{"user":"<b>", "z":1,"a":2}`))),
		"without secrets, the arguments are unchanged byte for byte")
}

func TestUnmaskArgumentsRestoresSecrets(t *testing.T) {
	const original = `{"user":"eve","password":"hush","options":{"api_key":{"a":["hush"]},"n":1},"list":[{"password":"first"},{"password":"second"}]}`
	for _, tt := range []struct{ name, edited, want string }{
		{"a masked secret keeps its value", `{"user":"bob","password":"[secret]"}`, `{"user":"bob","password":"hush"}`},
		{"a changed secret is used", `{"password":"new","list":["[secret]"]}`, `{"password":"new","list":["[secret]"]}`},
		{"a member keeps its value, whatever its type", `{"options":{"n":2,"api_key":"[secret]"}}`, `{"options":{"n":2,"api_key":{"a":["hush"]}}}`},
		{
			"elements of a list keep their own secrets", `{"list":[{"password":"[secret]"},{"password":"[secret]"}]}`,
			`{"list":[{"password":"first"},{"password":"second"}]}`,
		},
		{"a name in another spelling", `{"options":{"API-Key":"[secret]"}}`, `{"options":{"API-Key":{"a":["hush"]}}}`},
		{
			"the mask stays if the original has no such path",
			`{"list":[{"api_key":"[secret]"},1,{"password":"[secret]"}]}`,
			`{"list":[{"api_key":"[secret]"},1,{"password":"[secret]"}]}`,
		},
		{"the mask stays if the original has another type there", `{"user":{"password":"[secret]"}}`, `{"user":{"password":"[secret]"}}`},
		{"the mask stays in an argument that is not secret", `{"user":"[secret]"}`, `{"user":"[secret]"}`},
		{"members that are given twice stay twice", `{"user":"a","user":"b","password":"[secret]"}`, `{"user":"a","user":"b","password":"hush"}`},
		{
			"everything else is unchanged",
			`{"options":{"b":[true,null,1.50e3,{},[]],"a":"<é>"},"password":"[secret]"}`,
			`{"options":{"b":[true,null,1.50e3,{},[]],"a":"<é>"},"password":"hush"}`,
		},
		{"edited text that is not JSON", `{"password":"[secret]"`, `{"password":"[secret]"`},
		{
			"the mask stays in a string that was not JSON", `{"user":"{\"password\":\"[secret]\",\"n\":2}"}`,
			`{"user":"{\"password\":\"[secret]\",\"n\":2}"}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, string(login(t, "password", "api_key").UnmaskArguments(json.RawMessage(tt.edited), json.RawMessage(original))))
		})
	}
	t.Run("in a string of JSON", func(t *testing.T) {
		const original = `{"user":"{ \"password\": \"hush\", \"n\": 1 }"}`
		e := login(t, "password")
		require.Equal(t, original, string(e.UnmaskArguments(e.MaskArguments(json.RawMessage(original)), json.RawMessage(original))),
			"unedited arguments are the original, byte for byte")
		require.Equal(t, `{"user":"{\"password\":\"hush\",\"n\":2}"}`, string(e.UnmaskArguments(
			json.RawMessage(`{"user":"{\"password\":\"[secret]\",\"n\":2}"}`), json.RawMessage(original))), "edited arguments keep the secret")
	})
	t.Run("unedited arguments are the original", func(t *testing.T) {
		e := login(t, "password", "api_key")
		require.Equal(t, original, string(e.UnmaskArguments(e.MaskArguments(json.RawMessage(original)), json.RawMessage(original))))
	})
	require.Equal(t, `{"password":"[secret]"}`, string(login(t).UnmaskArguments(json.RawMessage(`{"password":"[secret]"}`), json.RawMessage(original))))
}

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
		{"a member of JSON in text", protocol.Argument{Name: "options", Value: `{"password": "hush"}`}, `{"options":"{\"password\":\"[secret]\"}"}`},
		{"text that is not JSON and names a secret", protocol.Argument{Name: "options", Value: `{password: 'hush'}`}, `{"options":"[secret]"}`},
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
			protocol.Argument{Name: "options", Value: `{'pass\u0077ord':hush}`}, `{"options":"[secret]"}`,
		},
		{
			"several values", protocol.Argument{Name: "options", Value: `{"password":1} {"n":1}`},
			`{"options":"{\"password\":\"[secret]\"}\n{\"n\":1}"}`,
		},
		{
			"a name with escapes in a string of JSON",
			protocol.Argument{Name: "options", Value: `{"a":"{\"pass\\u0077ord\":1}"}`},
			`{"options":"{\"a\":\"{\\\"password\\\":\\\"[secret]\\\"}\"}"}`,
		},
		{"an argument that the method does not know", protocol.Argument{Name: "passwort", Value: "hush"}, `{"passwort":"[secret]"}`},
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
		var none *tool.Entry
		require.Equal(t, `{"a":"[secret]","b":"[secret]"}`, string(none.MaskRequest([]protocol.Argument{
			{Name: "a", Value: "x"}, {Name: "b", Value: "1", Form: protocol.FormJSON},
		})))
		require.Equal(t, `{}`, string(none.MaskRequest(nil)))
	})
}

func TestMaskTextHidesSecrets(t *testing.T) {
	e := login(t, "password", "pin")
	arguments := json.RawMessage(`{"user":"{\"pin\":\"inner pin\"}","password":["hushhush","hush",{"user":1,"a name of ours":2}],"options":{"pin":12345,"x":"seen"},"list":[{"pin":"abc"}]}`)
	for _, tt := range []struct{ name, text, want string }{
		{"values of 4 bytes or more", "eve: hushhush, hush, 12345, seen, abc", "eve: [secret], [secret], [secret], seen, abc"},
		{"names of members", `{"a name of ours":2}`, `{"[secret]":2}`},
		{"names that the schema declares stay", `{"user":2}`, `{"user":2}`},
		{"values of JSON in a string", "not the inner pin", "not the [secret]"},
		{"a substring of 8 bytes", "(name of …)", "([secret]…)"},
		{"a substring of 7 bytes stays", "(name of…)", "(name of…)"},
		{"values and names with escapes", `\\\"a\\u0020n\x61me\u0020of%20ours&quot;`, `\\\"[secret]&quot;`},
		{"empty text", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, e.CallSecrets(arguments).MaskText(tt.text))
		})
	}
	require.Equal(t, "hush", e.CallSecrets(json.RawMessage(`{`)).MaskText("hush"))
	require.Equal(t, "hushhush", login(t).CallSecrets(arguments).MaskText("hushhush"))
	t.Run("a request that was refused", func(t *testing.T) {
		s := e.RequestSecrets([]protocol.Argument{
			{Name: "user", Value: `pin = {hushhush`}, {Name: "pasword", Value: "mistyped"},
			{Name: "list", Value: "seen, all of it"},
		})
		require.Equal(t, "got ([secret], [secret] and seen, all of it", s.MaskText("got ({hushhush, mistyped and seen, all of it"))
	})
}

func TestMaskProblemsHidesSecrets(t *testing.T) {
	s := login(t, "password", "api.key", "list[").CallSecrets(json.RawMessage(`{"password":{"hunter2hunter2":"hush"}}`))
	for _, tt := range []struct {
		name      string
		give, got schema.Problem
	}{
		{
			"a path ends at a secret's name",
			schema.Problem{Path: "password.hunter2[0].x", Expected: "integer", Received: `"hush"`, Nearest: "hunter"},
			schema.Problem{Path: "password", Expected: "integer", Received: "[secret]"},
		},
		{
			"a path to a member at any depth",
			schema.Problem{Path: "options[3].Pass-Word[0]", Expected: "integer", Received: "1"},
			schema.Problem{Path: "options[3].Pass-Word", Expected: "integer", Received: "[secret]"},
		},
		{
			"a secret's name with a dot", schema.Problem{Path: "options.api.key.x", Received: "1"},
			schema.Problem{Path: "options.api.key", Received: "[secret]"},
		},
		{"a secret's name with a bracket", schema.Problem{Path: "list[.x", Received: "1"}, schema.Problem{Path: "list[", Received: "[secret]"}},
		{
			"a missing secret is not masked",
			schema.Problem{Path: "password", Code: schema.CodeRequired, Received: "nothing"},
			schema.Problem{Path: "password", Code: schema.CodeRequired, Received: "nothing"},
		},
		{
			"a missing secret in Chinese", schema.Problem{Path: "password", Code: schema.CodeRequired, Received: "无"},
			schema.Problem{Path: "password", Code: schema.CodeRequired, Received: "无"},
		},
		{
			"a value that mentions a secret's name is masked",
			schema.Problem{Path: "options", Received: `"{\"pass\\u0077ord\":…" (99 bytes)`},
			schema.Problem{Path: "options", Received: "[secret]"},
		},
		{
			"a text that repeats a secret is masked",
			schema.Problem{Path: "options", Expected: "better than hunter2hunter2", Received: "1"},
			schema.Problem{Path: "options", Expected: "better than [secret]", Received: "1"},
		},
		{
			"everything else is unchanged",
			schema.Problem{Path: "options.passwords", Expected: "integer", Received: `"x"`, Nearest: "y", Code: schema.CodeUnknown},
			schema.Problem{Path: "options.passwords", Expected: "integer", Received: `"x"`, Nearest: "y", Code: schema.CodeUnknown},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			given := []schema.Problem{tt.give}
			require.Equal(t, []schema.Problem{tt.got}, s.MaskProblems(given))
			require.Equal(t, tt.give, given[0], "the input is unchanged")
		})
	}
	long := strings.Repeat("long", 30)
	e := login(t, long)
	require.Equal(t, []schema.Repaired{{
		Repair: "x", Path: long[:80] + "…",
	}}, e.MaskRepaired([]schema.Repaired{{Repair: "x", Path: long[:80] + "….hunter2"}}), "the path of a long name ends at its 80th character")
}

func TestMaskWrittenKeepsOtherText(t *testing.T) {
	reg := tool.NewRegistry()
	m, err := tool.Raw("login", "logs in", json.RawMessage(`{"type":"object","properties":{"user":{"type":"string"},"pin":{"type":"string"},"options":{"type":"object"}}}`),
		func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, nil }, tool.AgentCallable(), tool.SecretParameters("pin"))
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
		any      bool
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
		{"a secret in JSON", entry, []protocol.Argument{inJSON("pin", "1234")}, []protocol.Argument{inJSON("pin", `"[secret]"`)}, true},
		{
			"a member", entry,
			[]protocol.Argument{inJSON("options", `{"a":"[secret]","pin":"1"}`)},
			[]protocol.Argument{inJSON("options", `{"a":"[secret]","pin":"[secret]"}`)},
			true,
		},
		{
			"an undeclared name may be a misspelled secret", entry, []protocol.Argument{plain("pn", "1")},
			[]protocol.Argument{plain("pn", tool.Masked)}, true,
		},
		{"no method is known", nil, []protocol.Argument{plain("a", "1")}, []protocol.Argument{plain("a", tool.Masked)}, true},
		{"no arguments", entry, nil, nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := slices.Clone(tt.in)
			got, masked := tt.entry.MaskWritten(tt.in)
			require.Equal(t, tt.want, got)
			require.Equal(t, tt.any, masked)
			require.Equal(t, before, tt.in, "the arguments are not changed")
		})
	}
}
