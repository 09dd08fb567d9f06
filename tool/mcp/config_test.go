package mcp_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/mcp"
)

func TestConfigurationsThatAreRefused(t *testing.T) {
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

func TestExpand(t *testing.T) {
	lookup := func(name string) (string, bool) {
		value, ok := map[string]string{"A": "${B}", "EMPTY": ""}[name]
		return value, ok
	}
	for in, want := range map[string]string{
		"x${A}y": "x${B}y", "${env:A}": "${B}", "${NONE:-d}": "d", "${NONE:-}": "", "${EMPTY:-d}": "d", "${EMPTY}": "", "$A ${} ${a b}": "$A ${} ${a b}",
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

// offers are what a source sets first.
type offers struct{ set chan tool.Provider }

func (o offers) Set(providers ...tool.Provider)        { o.set <- providers[0] }
func (o offers) SetHealth(string, tool.Health, string) {}
func (o offers) Remove(...string)                      {}

func TestReadFile(t *testing.T) {
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "servers.json")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	sources, err := mcp.ReadFile(write(`{"mcpServers":{
		"good": {"command": "true", "args": ["-x", 1], "env": {"N": 1, "B": true}, "autoApprove": ["all"]},
		"github.com/a/b": {"url": "https://example.org/mcp", "headers": {"Authorization": "x"}},
		"disabled": {"command": "true", "disabled": true},
		"not enabled": {"command": "true", "enabled": false},
		"sse": {"type": "sse", "url": "https://example.org/sse"},
		"nothing": {},
		"text": "npx"
	}, "other": 1}`), os.LookupEnv)
	require.NoError(t, err)
	var names []string
	for _, s := range sources {
		names = append(names, s.Name())
	}
	require.Equal(t, []string{
		"mcp good", "mcp github.com_a_b-b703f2af", "mcp disabled", "mcp not enabled", "mcp sse", "mcp nothing", "mcp text",
	}, names)
	for _, s := range sources[2:] {
		ctx, cancel := context.WithCancel(t.Context())
		o, ended := offers{make(chan tool.Provider)}, make(chan error)
		go func() { ended <- s.Run(ctx, o) }()
		p := <-o.set
		require.Equal(t, tool.HealthDown, p.Health, s.Name())
		require.NotEmpty(t, p.Reason)
		cancel()
		require.NoError(t, <-ended)
	}
	for _, text := range []string{`{}`, `[]`, `{"mcpServers": []}`, `{`} {
		_, err := mcp.ReadFile(write(text), os.LookupEnv)
		require.Error(t, err, text)
	}
	_, err = mcp.ReadFile(filepath.Join(t.TempDir(), "none"), os.LookupEnv)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestLawNamesOfMethods(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		server := rapid.StringMatching(`[a-z_.-]{1,64}`).Draw(t, "server")
		name, other := rapid.String().Draw(t, "name"), rapid.String().Draw(t, "other")
		got := mcp.MethodName(server, name)
		if !tool.ValidName(server+"/"+got) || !tool.ValidName(got) {
			t.Fatalf("%q is no name", got)
		}
		if tool.ValidName(name) && tool.ValidName(server+"/"+name) && got != name {
			t.Fatalf("%q became %q without need", name, got)
		}
		if name != other && got == mcp.MethodName(server, other) {
			t.Fatalf("%q and %q both became %q", name, other, got)
		}
	})
}
