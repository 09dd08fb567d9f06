package mcp_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/mcp"
)

func TestInvalidConfigurationsAreRefused(t *testing.T) {
	for _, tt := range []struct {
		field  string
		config mcp.Config
	}{
		{"name", mcp.Config{Command: []string{"x"}}},
		{"name", mcp.Config{Name: "a/b", Command: []string{"x"}}},
		{"name", mcp.Config{Name: strings.Repeat("x", 65), Command: []string{"x"}}},
		{"command", mcp.Config{Name: "a"}},
		{"command", mcp.Config{Name: "a", Command: []string{" "}}},
		{"url", mcp.Config{Name: "a", Command: []string{"x"}, URL: "http://a"}},
		{"url", mcp.Config{Name: "a", URL: "ftp://a"}},
		{"url", mcp.Config{Name: "a", URL: "http://a", Env: map[string]string{"A": ""}}},
		{"headers", mcp.Config{Name: "a", Command: []string{"x"}, Headers: map[string]string{"A": ""}}},
		{"headers", mcp.Config{Name: "a", URL: "http://a", Headers: map[string]string{"A": "b\r\nC: d"}}},
		{"env", mcp.Config{Name: "a", Command: []string{"x"}, Env: map[string]string{"A=B": ""}}},
		{"risk", mcp.Config{Name: "a", Command: []string{"x"}, Risk: "none"}},
		{"timeout", mcp.Config{Name: "a", Command: []string{"x"}, Timeout: -1}},
		{"connectTimeout", mcp.Config{Name: "a", Command: []string{"x"}, ConnectTimeout: -1}},
	} {
		_, err := mcp.New(tt.config)
		var bad *mcp.ConfigError
		require.ErrorAs(t, err, &bad, "%+v", tt.config)
		require.Equal(t, tt.field, bad.Field, "%+v", tt.config)
	}
}

func TestExpandReplacesVariables(t *testing.T) {
	lookup := func(name string) (string, bool) {
		value, ok := map[string]string{"A": "${B}", "EMPTY": ""}[name]
		return value, ok
	}
	for in, want := range map[string]string{
		"x${A}y": "x${B}y", "${env:A}": "${B}", "${NONE:-d}": "d", "${NONE:-}": "",
		"${EMPTY:-d}": "d", "${EMPTY}": "", "$A ${} ${a b}": "$A ${} ${a b}",
	} {
		c := mcp.Config{Name: "s", Command: []string{"x", in}, Dir: in, Env: map[string]string{"V": in}}
		got, err := c.Expand(lookup)
		require.NoError(t, err)
		require.Equal(t, []string{want, want, want}, []string{got.Command[1], got.Dir, got.Env["V"]}, in)
		require.Equal(t, in, c.Env["V"], "the original is unchanged")
	}
	c := mcp.Config{Name: "s", URL: "http://a", Headers: map[string]string{"Authorization": "Bearer ${NONE}"}}
	_, err := c.Expand(lookup)
	var bad *mcp.ConfigError
	require.ErrorAs(t, err, &bad)
	require.Equal(t, "headers", bad.Field)
}

func TestNamesOfMethodsAreValidAndUnique(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		server := rapid.StringMatching(`[a-z_.-]{1,64}`).Draw(t, "server")
		name, other := rapid.String().Draw(t, "name"), rapid.String().Draw(t, "other")
		got := mcp.MethodName(server, name)
		if !tool.ValidName(server+"/"+got) || !tool.ValidName(got) {
			t.Fatalf("%q is not a name", got)
		}
		if tool.ValidName(name) && tool.ValidName(server+"/"+name) && got != name {
			t.Fatalf("%q became %q, but is valid itself", name, got)
		}
		if name != other && got == mcp.MethodName(server, other) {
			t.Fatalf("%q and %q both became %q", name, other, got)
		}
	})
}
