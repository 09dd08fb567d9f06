package main

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// npmPackages is the directory with the npm packages that MCP is tested with.
const npmPackages = repository + "/tool/mcp/testdata/npm"

// npmFile returns the path of Node, and the path of a file in npmPackages. The test is skipped if
// Node or the packages are not installed. If VCP_TEST_ALL_PROGRAMS is set, it fails instead.
func npmFile(t *testing.T, file string) (node, path string) {
	t.Helper()
	missing := t.Skipf
	if os.Getenv("VCP_TEST_ALL_PROGRAMS") != "" {
		missing = t.Fatalf
	}
	node, err := exec.LookPath("node")
	if err != nil {
		missing("node is not installed")
	}
	root, err := filepath.Abs(npmPackages)
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(root, "node_modules")); err != nil {
		missing("the npm packages are not installed; run npm ci in tool/mcp/testdata/npm")
	}
	return node, filepath.Join(root, file)
}

// serveMCP runs vcp mcp over HTTP until the test ends, and returns its URL.
func serveMCP(t *testing.T, args ...string) (url string) {
	t.Helper()
	args = append([]string{"mcp", "--http", "127.0.0.1:0"}, args...)
	cmd := invocation{args: args}.command(context.WithoutCancel(t.Context()), t)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
		require.NoError(t, cmd.Wait())
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	_, url, found := strings.Cut(strings.TrimSpace(line), " at ")
	require.True(t, found, line)
	return url
}

func TestAnNPMClientCallsTheMCPServer(t *testing.T) {
	node, script := npmFile(t, "client.mjs")
	for transport, target := range map[string]func() []string{
		"stdio": func() []string { return []string{binary, "mcp", "--approve", "ask"} },
		"http":  func() []string { return []string{serveMCP(t, "--approve", "ask")} },
	} {
		t.Run(transport, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), node, append([]string{script}, target()...)...)
			cmd.Dir, cmd.Stderr = repository, os.Stderr
			out, err := cmd.Output()
			require.NoError(t, err)
			var seen struct {
				Server    string
				Tools     []string
				Good, Bad struct {
					Text   string
					Failed bool
				}
				Questions []string
			}
			require.NoError(t, json.Unmarshal(out, &seen), "%s", out)
			require.Equal(t, "vcp", seen.Server)
			require.Contains(t, seen.Tools, "calculator_evaluate")
			require.NotContains(t, seen.Tools, "results_read")
			require.Contains(t, seen.Good.Text, "42")
			require.False(t, seen.Good.Failed)
			require.True(t, seen.Bad.Failed)
			require.Contains(t, seen.Bad.Text, "invalid_arguments")
			require.Len(t, seen.Questions, 1, "the call with wrong arguments needs no approval")
			require.Contains(t, seen.Questions[0], "calculator_evaluate (risk: read)")
		})
	}
}

func TestInputThatIsNoMCPMessageEndsTheServer(t *testing.T) {
	o := invocation{args: []string{"mcp"}, stdin: "list the files\n"}.run(t)
	o.reported(t, cli.ExitFailure, "standard input", "JSON-RPC message", "invalid character 'l'")
}

func TestCallsAreDeniedToAnMCPClientThatCannotAsk(t *testing.T) {
	audit := filepath.Join(t.TempDir(), "audit.jsonl")
	cmd := invocation{args: []string{"mcp", "--approve", "ask", "--audit", audit}}.command(t.Context(), t)
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	require.NoError(t, err)
	call := &sdk.CallToolParams{Name: "calculator_evaluate", Arguments: map[string]any{"expression": "6*7"}}
	result, err := session.CallTool(t.Context(), call)
	require.NoError(t, err)
	require.True(t, result.IsError)
	require.Contains(t, result.Content[0].(*sdk.TextContent).Text, "does not support elicitation")
	require.NoError(t, session.Close())
	record := textOfFile(t, audit)
	require.Contains(t, record, `"method":"calculator_evaluate"`)
	require.Contains(t, record, `"decision":"deny"`)
}

// Each MCP server of this test that can be started is vcp mcp.
func TestMCPServersAreSources(t *testing.T) {
	url := serveMCP(t)
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	servers := write("servers.json", `{"mcpServers": {
		"by command": {"command": "${VCP}", "args": ["mcp"], "alwaysAllow": ["calculator_evaluate"]},
		"old": {"type": "sse", "url": "http://127.0.0.1:1/sse"},
		"off": {"command": "true", "disabled": true},
		"unset": {"command": "true", "env": {"A": "${NO_SUCH_VARIABLE}"}}
	}}`)
	config := write("vcp.yaml", `
sources:
  - mcp: {name: child, command: ["`+binary+`", mcp], env: {LEVEL: 3}, risk: read}
  - mcp: {name: web, url: "`+url+`"}
  - mcpServers: `+servers+`
`)
	env := []string{"VCP=" + binary}
	args := []string{"tools", "--json", "--config", config, "--mcp", "flag='" + binary + "' mcp"}
	o := invocation{args: args, env: env}.run(t)
	require.Equal(t, cli.ExitOK, o.status, o.stderr)
	var list []struct {
		FullName, Source, Risk, Decision, Reason string
		Enabled                                  bool
	}
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &list))
	sources := map[string]string{}
	for _, m := range list {
		if strings.HasSuffix(m.FullName, "/calculator_evaluate") {
			sources[m.Source] = m.FullName + " " + m.Risk + " " + m.Decision
		}
	}
	require.Equal(t, map[string]string{
		"mcp child":             "child/calculator_evaluate read allow",
		"mcp web":               "web/calculator_evaluate write ask",
		"mcp flag":              "flag/calculator_evaluate write ask",
		"mcpServers " + servers: "by_command-c57ed286/calculator_evaluate write ask", // no blank is allowed; the suffix is a hash of the name
	}, sources)
	for _, reason := range []string{"sse", "disabled", "NO_SUCH_VARIABLE"} {
		require.Contains(t, o.stdout, reason)
	}

	args = []string{"call", "--config", config, "child/calculator_evaluate", "expression=6*7"}
	called := invocation{args: args, env: env}.run(t)
	require.Contains(t, called.stdout, "42", called.stderr)
}

func TestMCPServerOverHTTPRefusesWebPages(t *testing.T) {
	url := serveMCP(t)
	for header, value := range map[string]string{"Origin": "https://evil.example", "Host": "evil.example:80"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader("{}"))
		require.NoError(t, err)
		r.Header.Set(header, value)
		if header == "Host" {
			r.Host = value
		}
		resp, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusForbidden, resp.StatusCode, header)
	}
	http.DefaultClient.CloseIdleConnections()
	runArgs(t, "mcp", "--http", "0.0.0.0:0").reported(t, cli.ExitUsage, "loopback")
}

func TestMCPFlagIsChecked(t *testing.T) {
	for value, part := range map[string]string{
		"x":                  "NAME=COMMAND",
		"=true":              "NAME=COMMAND",
		"a/b=true":           "name must have",
		"a=http://":          "url must be",
		`a="open`:            "quotation mark",
		"a=${NO_VARIABLE_X}": "NO_VARIABLE_X",
	} {
		runArgs(t, "tools", "--mcp", value).reported(t, cli.ExitUsage, "--mcp", part)
	}
}
