package tool_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool/schema"
)

func TestMaskTextHidesSecrets(t *testing.T) {
	e := login(t, "password", "pin")
	arguments := json.RawMessage(`{"user":"{\"pin\":\"inner pin\"}",` +
		`"password":["hushhush","hush",{"user":1,"a name of ours":2}],` +
		`"options":{"pin":12345,"x":"seen"},"list":[{"pin":"abc"}]}`)
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
	require.Equal(t, "hush", e.CallSecrets(json.RawMessage(`{`)).MaskText("hush"), "arguments that are not JSON")
	require.Equal(t, "hushhush", login(t).CallSecrets(arguments).MaskText("hushhush"),
		"a method without secret parameters")
	t.Run("a request that was refused", func(t *testing.T) {
		s := e.RequestSecrets([]protocol.Argument{
			{Name: "user", Value: `pin = {hushhush`},
			{Name: "pasword", Value: "mistyped"},
			{Name: "list", Value: "seen, all of it"},
		})
		require.Equal(t, "got ([secret], [secret] and seen, all of it",
			s.MaskText("got ({hushhush, mistyped and seen, all of it"))
	})
}

func TestMaskProblemsHidesSecrets(t *testing.T) {
	s := login(t, "password", "api.key", "list[").CallSecrets(json.RawMessage(`{"password":{"hunter2hunter2":"hush"}}`))
	for _, tt := range []struct {
		name       string
		give, want schema.Problem
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
			"a secret's name with a dot",
			schema.Problem{Path: "options.api.key.x", Received: "1"},
			schema.Problem{Path: "options.api.key", Received: "[secret]"},
		},
		{
			"a secret's name with a bracket",
			schema.Problem{Path: "list[.x", Received: "1"},
			schema.Problem{Path: "list[", Received: "[secret]"},
		},
		{
			"a missing secret is not masked",
			schema.Problem{Path: "password", Code: schema.CodeRequired, Received: "nothing"},
			schema.Problem{Path: "password", Code: schema.CodeRequired, Received: "nothing"},
		},
		{
			"a missing secret in Chinese",
			schema.Problem{Path: "password", Code: schema.CodeRequired, Received: "无"},
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
			require.Equal(t, []schema.Problem{tt.want}, s.MaskProblems(given))
			require.Equal(t, tt.give, given[0], "the input is unchanged")
		})
	}
}

func TestMaskRepairedHidesWhatFollowsALongName(t *testing.T) {
	long := strings.Repeat("long", 30)
	e := login(t, long)
	require.Equal(t, []schema.Repaired{{
		Repair: "x", Path: long[:80] + "…",
	}}, e.MaskRepaired([]schema.Repaired{{Repair: "x", Path: long[:80] + "….hunter2"}}),
		"the path of a long name ends at its 80th character")
}
