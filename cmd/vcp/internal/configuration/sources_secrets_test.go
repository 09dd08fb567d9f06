package configuration

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/process/processtest"
	"github.com/vcpgo/vcp/tool"
)

// mcpServer is an MCP server with one tool.
const mcpServer = `
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if m.get("method") == "initialize":
        result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "x", "version": "1"}}
    else:
        result = {"tools": [{"name": "go", "inputSchema": {"type": "object"}}]}
    if "id" in m:
        print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": result}), flush=True)
`

// Each way in which a source gives a variable of the environment to a program is a case.
func TestVariablesOfProgramsAreSecrets(t *testing.T) {
	processtest.Needs(t, "sh", "python3")
	t.Setenv("VCP_TEST_TOKEN", "hidden-value-1")
	for name, source := range map[string]string{
		"commands":            "commands: tools.yaml",
		"plugins":             "plugins: plugins, env: [VCP_TEST_TOKEN]",
		"mcp, in an argument": `mcp: {name: s, command: [python3, server.py, "${VCP_TEST_TOKEN}"], dir: .}`,
		"mcp, in a variable":  `mcp: {name: s, command: [python3, server.py], dir: ., env: {TOKEN: "${VCP_TEST_TOKEN}"}}`,
		"mcpServers":          "mcpServers: servers.json",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.MkdirAll(filepath.Join(dir, "plugins", "A"), 0o700))
			for file, text := range map[string]string{
				"vcp.yaml": "sources:\n  - {" + source + "}\n",
				"tools.yaml": "tools: [{id: c, methods: [" +
					"{name: go, description: Goes., run: [sh, -c, env], env: [VCP_TEST_TOKEN]}]}]\n",
				"server.py": mcpServer,
				"servers.json": `{"mcpServers":{"s":{"command":"python3","args":["` + filepath.ToSlash(dir) + `/server.py"],` +
					`"env":{"TOKEN":"${VCP_TEST_TOKEN}"}}}}`,
				"plugins/A/plugin-manifest.json": `{"name":"A","pluginType":"synchronous","entryPoint":{"command":"sh a.sh"},` +
					`"communication":{"protocol":"stdio"},"capabilities":{"invocationCommands":[{"commandIdentifier":"go"}]}}`,
			} {
				require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
			}
			s := DefaultSettings()
			require.NoError(t, s.readFile(filepath.Join(dir, "vcp.yaml"), false))
			registry := tool.NewRegistry()
			sources := tool.NewSources(registry)
			t.Cleanup(sources.Close)
			for _, source := range s.Sources {
				require.NoError(t, sources.Add(source))
			}
			require.NoError(t, sources.Wait(t.Context()))
			require.Contains(t, registry.Secrets(), "hidden-value-1", "%+v", sources.Providers())
		})
	}
}
