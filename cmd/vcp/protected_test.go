package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/internal/requesttest"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// A model that may write files could otherwise decide which programs vcp runs, and which calls need
// approval.
func TestAModelDoesNotChangeWhatDecidesItsRights(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	root := t.TempDir()
	for name, content := range map[string]string{
		"vcp.yaml": "sources: [{commands: notes.yaml}, {mcpServers: servers.json}, {plugins: Plugin}, " +
			"{mcp: {name: m, command: [sh, " + filepath.Join(root, "server.sh") + "]}}]\n",
		"notes.yaml": "tools: [{id: n, methods: [{name: a, description: Adds., " +
			"run: [sh, append.sh, --rules=rules.sed]}]}]\n",
		"append.sh": "echo noted\n",
		"servers.json": `{"mcpServers": {"f": {"command": "sh", "args": ["` +
			filepath.Join(root, "file_server.sh") + `"]}}}`,
		"server.sh": "exit\n", "file_server.sh": "exit\n", "rules.sed": "",
		"Plugin/README.md": "", "audit.jsonl": "", "chats.db": "",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(content), 0o600))
	}
	var env []string
	for _, name := range []string{"config", "data", "state"} {
		env = append(env, "XDG_"+strings.ToUpper(name)+"_HOME="+filepath.Join(root, name))
	}
	for _, path := range []string{
		"vcp.yaml", "notes.yaml", "append.sh", "rules.sed", "servers.json", "server.sh", "file_server.sh",
		"Plugin/P/plugin-manifest.json", "config/vcp/config.yaml", "data/vcp/mcp-tools.jsonl", "state/vcp/history",
		"audit.jsonl", "chats.db", "chats.db-wal",
	} {
		t.Run(path, func(t *testing.T) {
			text := requesttest.Text(t, vcp.Protocol{}, "files_write", "path", path, "content", "x")
			s := modelserver.Start(t, modelserver.Text(text), modelserver.Text("Done."))
			o := ask(t, s, invocation{env: env, args: []string{
				"--config", filepath.Join(root, "vcp.yaml"), "--root", root, "--approve", "write",
				"--audit", filepath.Join(root, "audit.jsonl"), "--store", filepath.Join(root, "chats.db"), "Go on.",
			}})
			require.Contains(t, o.stdout, "decides what this program runs or records", o.stderr)
		})
	}
}
