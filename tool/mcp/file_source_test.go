package mcp_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/mcp"
)

// serverFile is a file that lists servers, and the sources that read it.
type serverFile struct {
	*testing.T
	path     string
	sources  *tool.Sources
	registry *tool.Registry
	writes   int
}

func startFile(t *testing.T, text string) *serverFile {
	t.Helper()
	f := &serverFile{T: t, path: filepath.Join(t.TempDir(), "servers.json"), registry: tool.NewRegistry()}
	f.write(text)
	f.sources = tool.NewSources(f.registry)
	t.Cleanup(f.sources.Close)
	require.NoError(t, f.sources.Add(mcp.NewFileSource(f.path, mcp.FileOptions{})))
	require.NoError(t, f.sources.Wait(t.Context()))
	return f
}

// write replaces the file. Each version has another modification time, even if the clock of the
// file system is coarse.
func (f *serverFile) write(text string) {
	f.Helper()
	require.NoError(f, os.WriteFile(f.path+".new", []byte(text), 0o600))
	f.writes++
	require.NoError(f, os.Chtimes(f.path+".new", time.Time{}, time.Unix(int64(f.writes), 0)))
	require.NoError(f, os.Rename(f.path+".new", f.path))
}

// states returns the health of each provider by its name.
func (f *serverFile) states() map[string]tool.Health {
	states := map[string]tool.Health{}
	for _, p := range f.sources.Providers() {
		states[p.Name] = p.Health
	}
	return states
}

func (f *serverFile) eventually(want map[string]tool.Health) {
	f.Helper()
	require.Eventually(f, func() bool { return maps.Equal(want, f.states()) }, 30*time.Second, 10*time.Millisecond,
		"%v", want)
}

func TestEachServerOfAFileIsAProvider(t *testing.T) {
	f := startFile(t, `{"mcpServers":{
		"good": {"command": "true", "args": ["-x", 1], "env": {"N": 1, "B": true}, "autoApprove": ["all"]},
		"github.com/a/b": {"url": "http://127.0.0.1:1/mcp", "headers": {"Authorization": "x"}},
		"disabled": {"command": "true", "disabled": true},
		"not enabled": {"command": "true", "enabled": false},
		"sse": {"type": "sse", "url": "https://example.org/sse"},
		"nothing": {},
		"unset": {"command": "${NO_SUCH_VARIABLE}"},
		"text": "npx"
	}, "other": 1}`)
	require.Equal(t, []string{
		"disabled", "github.com_a_b-b703f2af", "good", "not enabled", "nothing", "sse", "text", "unset",
	}, slices.Sorted(maps.Keys(f.states())))
	for _, p := range f.sources.Providers() {
		require.Equal(t, "mcpServers "+f.path, p.Source)
		require.Equal(t, tool.HealthDown, p.Health)
		require.NotEmpty(t, p.Reason)
	}
}

func TestAFileThatCannotBeReadIsAProviderThatIsDown(t *testing.T) {
	for _, text := range []string{`{}`, `[]`, `{"mcpServers": []}`, `{`} {
		f := startFile(t, text)
		require.Equal(t, map[string]tool.Health{"the file servers.json": tool.HealthDown}, f.states(), text)
	}
}

func TestAChangedFileStartsAndStopsServers(t *testing.T) {
	server := func(behavior string) string {
		return fmt.Sprintf(`{"command": %q, "env": {%q: %q, %q: %q}}`, os.Args[0], serverEnv, behavior, raceEnv, noDelay)
	}
	const up, down, degraded = tool.HealthUp, tool.HealthDown, tool.HealthDegraded
	f := startFile(t, `{"mcpServers": {"a": `+server("echo")+`, "b": `+server("echo")+`}}`)
	require.Equal(t, map[string]tool.Health{"a": up, "b": up}, f.states())
	entry, _ := f.registry.Lookup("a/echo")

	f.write(`{"mcpServers": {"a": ` + server("echo") + `, "b": ` + server("changes") + `, "c": {"command": "no-such-program-here"}}}`)
	f.eventually(map[string]tool.Health{"a": up, "b": up, "c": down})
	require.Eventually(t, func() bool {
		_, changed := f.registry.Lookup("b/post")
		return changed
	}, 30*time.Second, 10*time.Millisecond)
	now, _ := f.registry.Lookup("a/echo")
	require.Same(t, entry, now, "a server whose entry in the file did not change keeps running")

	f.write(`{"mcpServers": `)
	f.eventually(map[string]tool.Health{"a": up, "b": up, "c": down, "the file servers.json": degraded})
	f.write(`{"mcpServers": {"a": ` + server("echo") + `}}`)
	f.eventually(map[string]tool.Health{"a": up})
	now, _ = f.registry.Lookup("a/echo")
	require.Same(t, entry, now, "neither a broken file nor the end of other servers stops a server")
	_, there := f.registry.Lookup("b/post")
	require.False(t, there)
}
