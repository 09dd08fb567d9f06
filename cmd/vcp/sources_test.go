package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// notesTool writes a file of command tools and the script that its tool runs, and returns the path
// of the file.
func notesTool(t *testing.T) (file string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	dir := t.TempDir()
	const script = "cat >> notes.txt\necho \"noted $1\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "append.sh"), []byte(script), 0o600))
	file = filepath.Join(dir, "notes.yaml")
	require.NoError(t, os.WriteFile(file, []byte(`tools:
  - id: notes
    methods:
      - name: append
        description: Appends a line to the notes file.
        risk: write
        parameters: {type: object, properties: {line: {type: string}}, required: [line]}
        run: [sh, append.sh, "${line}"]
        timeout: 5s
`), 0o600))
	return file
}

// listedTools returns the objects of vcp tools --json by name: methods by their full name, and all
// other objects by their field tool.
func listedTools(t *testing.T, args ...string) map[string]map[string]any {
	t.Helper()
	o := runArgs(t, append([]string{"tools", "--json"}, args...)...)
	require.Equal(t, cli.ExitOK, o.status, o.stderr)
	var list []map[string]any
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &list))
	byName := map[string]map[string]any{}
	for _, object := range list {
		name, isMethod := object["fullName"].(string)
		if !isMethod {
			name = object["tool"].(string)
		}
		byName[name] = object
	}
	return byName
}

func TestAFileOfCommandToolsIsASource(t *testing.T) {
	file := notesTool(t)
	dir := filepath.Dir(file)
	config := filepath.Join(dir, "vcp.yaml")
	settings := "sources: [{commands: notes.yaml}]\napproveRules: [{tool: notes, decision: allow}]\n"
	require.NoError(t, os.WriteFile(config, []byte(settings), 0o600))

	o := runArgs(t, "call", "--config", config, "notes", "command=append", "line=buy milk")
	o.succeeded(t)
	require.Equal(t, "noted buy milk\n", o.stdout)
	notes, err := os.ReadFile(filepath.Join(dir, "notes.txt"))
	require.NoError(t, err)
	require.Equal(t, `{"line":"buy milk"}`+"\n", string(notes), "the arguments come as JSON on standard input")
	runArgs(t, "call", "--config", config, "notes_append", "line=-n").reported(t, cli.ExitFailure, "invalid_arguments")

	source := "commands " + file
	got := listedTools(t, "--tools", file)["notes_append"]
	for field, want := range map[string]any{
		"tool": "notes", "method": "append", "source": source, "risk": "write", "enabled": true,
		"decision": "ask", "reason": nil,
	} {
		require.Equal(t, want, got[field], field)
	}
	got = listedTools(t, "--tools", file, "--tool-toggles", "notes=false")["notes_append"]
	require.Equal(t, false, got["enabled"])
	require.Equal(t, "switched off by toolToggles: notes is false", got["reason"])
	require.Contains(t, runArgs(t, "prompt", "--tools", file).stdout, "notes_append")
	require.Equal(t, [2]any{[]any{source}, "--tools"}, showConfig(t, nil, "--tools", file).field("sources"))

	require.NoError(t, os.WriteFile(file, []byte("tools:\n  - idd: notes\n"), 0o600))
	broken := listedTools(t, "--tools", file)["notes.yaml"]
	require.Equal(t, []any{source, "down"}, []any{broken["source"], broken["health"]})
	require.Contains(t, broken["reason"], "notes.yaml:2: tools[0].idd: there is no such field")
	o = runArgs(t, "tools", "--tools", file)
	require.Contains(t, o.stderr, "notes.yaml:2")
	require.Contains(t, o.stdout, "calculator_evaluate", "the other tools are listed")
}

func TestAFolderOfPluginsIsASource(t *testing.T) {
	folder, err := filepath.Abs(filepath.Join(repository, "tool", "vcpplugin", "testdata", "Plugin"))
	require.NoError(t, err)
	list := listedTools(t, "--plugins", folder)
	for _, name := range []string{"Weather", "Old"} {
		require.Equal(t, "off", list[name]["health"], name)
		require.NotEmpty(t, list[name]["reason"])
	}
	got := list["Postcard_draw_it"]
	require.Equal(t, []any{"Postcard", "draw_it", "plugins " + folder, "write", "ask"},
		[]any{got["tool"], got["method"], got["source"], got["risk"], got["decision"]})
	require.Contains(t, runArgs(t, "prompt", "--plugins", folder).stdout, "Postcard_write")
	runArgs(t, "call", "--plugins", folder, "--approve", "write", "Postcard", "command=write").
		reported(t, cli.ExitUsage, "need approval")
}

func TestNoValueOfApproveAllowsAPlugin(t *testing.T) {
	folder, err := filepath.Abs(filepath.Join(repository, "tool", "vcpplugin", "testdata", "Plugin"))
	require.NoError(t, err)
	for approve, want := range map[string]string{"all": "ask", "read": "ask", "never": "deny"} {
		method := listedTools(t, "--plugins", folder, "--approve", approve)["Postcard_draw_it"]
		require.Equal(t, want, method["decision"], approve)
	}
}

// A chat without a terminal says which methods of sources the model is not shown, and what would
// show them.
func TestMethodsOfSourcesThatNobodyCanApproveAreReported(t *testing.T) {
	folder, err := filepath.Abs(filepath.Join(repository, "tool", "vcpplugin", "testdata", "Plugin"))
	require.NoError(t, err)
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	tools := write("notes.yaml", "tools:\n- id: notes\n  methods:\n  - {name: append, description: Appends., run: [cat]}\n")
	allowed := write("allowed.yaml", `approveRules:
- {tool: Postcard, decision: allow}
- {tool: Hostile, decision: allow}
- {tool: Ledger, decision: allow}
`)
	off := write("off.yaml", "toolToggles: {Postcard: false, Hostile: false, Ledger: false}\n")
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{
			"a plug-in",
			[]string{"--plugins", folder, "--approve", "all"},
			"; to show it, allow its calls in the configuration, by approveRules: [{tool: Hostile, decision: allow}]",
		},
		{"a method that writes", []string{"--tools", tools}, "such as notes_append; to show it, say with --approve"},
		{"a method that --approve allows", []string{"--tools", tools, "--approve", "write"}, ""},
		{"a plug-in that a rule allows", []string{"--plugins", folder, "--config", allowed}, ""},
		{"a plug-in that is switched off", []string{"--plugins", folder, "--config", off}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := modelserver.Start(t, modelserver.Text("Hello."))
			o := ask(t, s, invocation{args: append(tt.args, "hi")})
			require.Equal(t, cli.ExitOK, o.status, o.stderr)
			require.Contains(t, o.stderr, tt.want)
			require.Equal(t, tt.want != "", strings.Contains(o.stderr, "nobody can be asked"), o.stderr)
		})
	}
}

func TestInvalidSourcesAreRefused(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct{ name, text, want string }{
		{"no list", "sources: a", `sources is "a"; allowed is a list of sources`},
		{"no mapping", "sources: [a]", `sources[0] is "a"; allowed is a mapping with commands or plugins`},
		{
			"an unknown kind",
			"sources: [{comands: a}]", `there is no field "sources[0].comands"; did you mean commands?`,
		},
		{
			"two kinds",
			"sources: [{commands: a, plugins: b}]",
			"sources[0] is both commands and plugins; allowed is one of them",
		},
		{"an option of another kind", "sources: [{commands: a, env: [B]}]", `there is no field "sources[0].env"`},
		{"no mapping of a server", "sources: [{mcp: 5}]", "sources[0].mcp is 5; allowed is a mapping"},
		{"no path", "sources: [{plugins: [a]}]", "sources[0].plugins is a list; allowed is a path"},
		{"the same source twice", "sources: [{plugins: a}, {plugins: a}]", "is named twice"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(dir, "vcp.yaml")
			require.NoError(t, os.WriteFile(file, []byte(tt.text), 0o600))
			o := runArgs(t, "tools", "--config", file)
			require.NotEqual(t, cli.ExitOK, o.status)
			require.Contains(t, o.stderr, tt.want)
		})
	}
	missing := filepath.Join(dir, "none.yaml")
	runArgs(t, "tools", "--tools", missing).reported(t, cli.ExitFailure, "--tools cannot be opened")
	runArgs(t, "tools", "--plugins", "").reported(t, cli.ExitUsage, "--plugins is empty")
}

// A model calls a plug-in of VCPToolBox by tool_name and command, as its description says.
func TestAModelCallsAPlugin(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	folder, err := filepath.Abs(filepath.Join(repository, "tool", "vcpplugin", "testdata", "Plugin"))
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "vcp.yaml")
	config := fmt.Sprintf("sources: [{plugins: %q}]\napproveRules: [{method: Postcard_write, decision: allow}]\n", folder)
	require.NoError(t, os.WriteFile(file, []byte(config), 0o600))
	s := modelserver.Start(t,
		modelserver.Text("One moment.\n"+request(t, "Postcard", "command", "write", "to", "Ann", "n", "5")+
			request(t, "Postcard", "command", "draw_it")),
		modelserver.Text("It is written."))
	o := ask(t, s, invocation{args: []string{"--config", file, "Write to Ann."}})
	sent := s.Requests()
	require.Len(t, sent, 2, o.stderr)
	require.Contains(t, sent[0].Messages[0].Content, "Postcard_write", "the plug-in is in the prompt")
	require.NotContains(t, sent[0].Messages[0].Content, "tool_name:「始」Postcard「末」", "its description contains no request")
	results, err := vcp.Protocol{}.ParseToolResults(sent[1].Last())
	require.NoError(t, err)
	require.Len(t, results, 2)
	require.Contains(t, results[0].Result, `"args":{"command":"write","to":"Ann","n":"5"}`)
	require.Equal(t, protocol.StatusError, results[1].Status, "nobody could be asked about the other command")
}
