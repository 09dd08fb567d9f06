package tool_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool"
)

// login registers a method with the given secret parameters, and returns its entry.
func login(t *testing.T, secret ...string) *tool.Entry {
	t.Helper()
	type in struct {
		User     string         `json:"user"`
		Password string         `json:"password,omitempty"`
		Options  map[string]any `json:"options,omitempty"`
		List     []any          `json:"list,omitempty"`
	}
	m, err := tool.New("login", "Logs in.", func(context.Context, in) (string, error) { return "", nil },
		tool.SecretParameters(secret...))
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
		{
			"a member of JSON in a string",
			`{"user":"{\"password\": \"hush\", \"n\": 1}"}`, `{"user":"{\"password\":\"[secret]\",\"n\":1}"}`,
		},
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
		{
			"a member of a string of JSON that needs repairs",
			`{"user":"{'password': 'hush',}"}`, `{"user":"{\"password\":\"[secret]\"}"}`,
		},
		{
			"a member of JSON in a code fence",
			`{"user":"` + "```json\\n{\\\"password\\\":1}\\n```" + `"}`, `{"user":"{\"password\":\"[secret]\"}"}`,
		},
		{
			"JSON in a string without a secret stays byte for byte",
			`{"user":"{ \"note\": \"password\" }"}`, `{"user":"{ \"note\": \"password\" }"}`,
		},
		{
			"text that is not JSON stays, whatever it mentions",
			`{"user":"echo password={\"hush\" # {"}`, `{"user":"echo password={\"hush\" # {"}`,
		},
		{"arguments that are not JSON", `"hush`, `"[secret]"`},
		{"empty arguments", ``, `"[secret]"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			given := json.RawMessage(tt.arguments)
			require.Equal(t, tt.want, string(login(t, "password", "api_key").MaskArguments(given)))
			require.Equal(t, tt.arguments, string(given), "the input is unchanged")
		})
	}
	require.Equal(t, `{"user":"<b>", "z":1,"a":2}`,
		string(login(t).MaskArguments(json.RawMessage(`{"user":"<b>", "z":1,"a":2}`))),
		"without secrets, the arguments are unchanged byte for byte")
}

func TestUnmaskArgumentsRestoresSecrets(t *testing.T) {
	const original = `{"user":"eve","password":"hush","options":{"api_key":{"a":["hush"]},"n":1},"list":[{"password":"first"},{"password":"second"}]}`
	for _, tt := range []struct{ name, edited, want string }{
		{"a masked secret keeps its value", `{"user":"bob","password":"[secret]"}`, `{"user":"bob","password":"hush"}`},
		{"a changed secret is used", `{"password":"new","list":["[secret]"]}`, `{"password":"new","list":["[secret]"]}`},
		{
			"a member keeps its value, whatever its type",
			`{"options":{"n":2,"api_key":"[secret]"}}`, `{"options":{"n":2,"api_key":{"a":["hush"]}}}`,
		},
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
		{
			"the mask stays if the original has another type there",
			`{"user":{"password":"[secret]"}}`, `{"user":{"password":"[secret]"}}`,
		},
		{"the mask stays in an argument that is not secret", `{"user":"[secret]"}`, `{"user":"[secret]"}`},
		{
			"members that are given twice stay twice",
			`{"user":"a","user":"b","password":"[secret]"}`, `{"user":"a","user":"b","password":"hush"}`,
		},
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
			e := login(t, "password", "api_key")
			got := e.UnmaskArguments(json.RawMessage(tt.edited), json.RawMessage(original))
			require.Equal(t, tt.want, string(got))
		})
	}
	t.Run("in a string of JSON", func(t *testing.T) {
		const original = `{"user":"{ \"password\": \"hush\", \"n\": 1 }"}`
		e := login(t, "password")
		require.Equal(t, original, string(e.UnmaskArguments(e.MaskArguments(json.RawMessage(original)),
			json.RawMessage(original))),
			"unedited arguments are the original, byte for byte")
		require.Equal(t, `{"user":"{\"password\":\"hush\",\"n\":2}"}`, string(e.UnmaskArguments(
			json.RawMessage(`{"user":"{\"password\":\"[secret]\",\"n\":2}"}`), json.RawMessage(original))),
			"edited arguments keep the secret")
	})
	t.Run("unedited arguments are the original", func(t *testing.T) {
		e := login(t, "password", "api_key")
		require.Equal(t, original, string(e.UnmaskArguments(e.MaskArguments(json.RawMessage(original)),
			json.RawMessage(original))))
	})
	t.Run("without secrets the mask stays", func(t *testing.T) {
		const edited = `{"password":"[secret]"}`
		require.Equal(t, edited, string(login(t).UnmaskArguments(json.RawMessage(edited), json.RawMessage(original))))
	})
}
