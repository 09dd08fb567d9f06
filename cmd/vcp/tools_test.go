package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/protocol/vcp"
)

func TestToolsShowWhatHappensToACall(t *testing.T) {
	file := filepath.Join(t.TempDir(), "vcp.yaml")
	require.NoError(t, os.WriteFile(file, []byte(`
approve: ask
toolToggles: {clock_now: false}
approveRules:
  - {tool: calculator, decision: allow}
  - {method: files_read, decision: deny}
`), 0o600))
	o := runArgs(t, "tools", "--config", file)
	o.succeeded(t)
	for _, want := range []string{
		"a call runs by approveRules[0] (tool: calculator, decision: allow)",
		"a call is denied by approveRules[1] (method: files_read, decision: deny)",
		"a call asks for approval by approve: ask",
		"\nclock_now\n  switched off by toolToggles: clock_now is false\n",
	} {
		require.Contains(t, o.stdout, want)
	}
	var list []map[string]any
	require.NoError(t, json.Unmarshal([]byte(runArgs(t, "tools", "--json", "--config", file).stdout), &list))
	found := map[string][]any{}
	for _, m := range list {
		found[m["fullName"].(string)] = []any{m["decision"], m["why"]}
	}
	require.Equal(t, []any{"allow", "approveRules[0] (tool: calculator, decision: allow)"}, found["calculator_evaluate"])
	require.Equal(t, []any{"deny", "approveRules[1] (method: files_read, decision: deny)"}, found["files_read"])
	require.Equal(t, []any{"ask", "approve: ask"}, found["files_list"])
	for _, m := range list {
		require.Equal(t, m["enabled"], m["reason"] == nil, m["fullName"])
	}
	require.Contains(t, found, "clock_now", "what is switched off is listed")
}

func TestTheLineOfADeniedCallNamesTheSetting(t *testing.T) {
	file := filepath.Join(t.TempDir(), "vcp.yaml")
	require.NoError(t, os.WriteFile(file, []byte("approveRules: [{tool: calculator, decision: deny}]\n"), 0o600))
	o := runArgs(t, "chat", "--config", file, "What is 2*3?")
	require.Contains(t, o.stdout, "permission_denied")
	require.Contains(t, o.stdout,
		"The settings do not allow this call: approveRules[0] (tool: calculator, decision: deny).")
	o = runArgs(t, "chat", "--approve", "never", "What is 2*3?")
	require.Contains(t, o.stdout, "The settings do not allow this call: approve: never.")
}

func TestDisabledToolsAreNotShownToTheModel(t *testing.T) {
	s := modelserver.Start(t, modelserver.Text("Hello.\n"+request(t, "clock_now")))
	o := ask(t, s, invocation{args: []string{"--enabled=false", "hi"}})
	o.succeeded(t)
	require.Equal(t, "Hello.\n", o.stdout)
	require.Empty(t, s.Requests()[0].System())
}

func TestFileToolsWorkBelowTheRoot(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "here.txt"), nil, 0o600))
	s := modelserver.Start(t, modelserver.Text(request(t, "files_list")), modelserver.Text("Yes."))
	ask(t, s, invocation{args: []string{"--root", root, "hi"}}).succeeded(t)
	results, err := vcp.Protocol{}.ParseToolResults(s.Requests()[1].Last())
	require.NoError(t, err)
	require.Equal(t, "here.txt (0 bytes)", results[0].Result)
}

func TestPromptAndToolsListTheSameMethods(t *testing.T) {
	o := runArgs(t, "prompt")
	o.succeeded(t)
	definitions, err := vcp.Protocol{}.ParseToolDefinitions(o.stdout)
	require.NoError(t, err)
	listed := runArgs(t, "tools")
	listed.succeeded(t)
	asJSON := runArgs(t, "tools", "--json")
	asJSON.succeeded(t)
	for _, d := range definitions {
		require.Regexp(t, "(?m)^"+regexp.QuoteMeta(d.ToolName)+"$", listed.stdout)
		require.Contains(t, asJSON.stdout, `"toolName": "`+d.ToolName+`"`)
	}
	require.Len(t, definitions, 14)
	require.Equal(t, 11, strings.Count(listed.stdout, "\n  risk: read; a call runs by approve: read\n"))
	require.Equal(t, 3, strings.Count(listed.stdout, "\n  risk: write; a call asks for approval by approve: read\n"),
		"files_write, files_edit and fetch_get")
	require.Contains(t, listed.stdout, "\nshell_run\n  switched off by the default, until toolToggles has shell_run: true\n")
	require.Equal(t, len(definitions), strings.Count(asJSON.stdout, `"enabled": true`))
}

func TestThePromptMayBeInChinese(t *testing.T) {
	o := runArgs(t, "prompt", "--language", "zh")
	o.succeeded(t)
	require.Regexp(t, `\p{Han}{4}`, o.stdout)
}

func TestMethodsThatAreSwitchedOffAreNotOffered(t *testing.T) {
	prompt := runArgs(t, "prompt", "--tool-toggles", "files=false")
	prompt.succeeded(t)
	require.NotContains(t, prompt.stdout, "files_list")
	for _, name := range []string{"results", "results_read"} {
		o := runArgs(t, "tools", "--tool-toggles", name+"=false")
		o.succeeded(t)
		require.Contains(t, o.stdout, "results_read\n  switched off by toolToggles: "+name+" is false\n",
			"the engine's own tool is switched off like any other")
		require.NotContains(t, o.stdout, "results_read\n  Reads")
	}
	for _, command := range []string{"prompt", "tools"} {
		o := runArgs(t, command, "--default-tool-enabled=false")
		o.reported(t, cli.ExitOK, "every method is switched off")
		require.Empty(t, o.stdout)
	}
	runArgs(t, "tools", "--enabled=false").reported(t, cli.ExitOK, "tool calling is switched off")
	require.NotContains(t, runArgs(t, "tools", "--enabled=false", "--json").stdout, `"enabled": true`)
}

func TestCallConvertsItsArguments(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("q", "17*23")
	write("a.go", "one\ntwo\nthree\n")
	write("@b", "at")
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"a text", []string{"calculator_evaluate", "expression=1+1"}, "1+1 = 2\n"},
		{"a value with an equals sign", []string{"files_search", "query=a=b"}, `"a=b" was not found`},
		{"a value from a file", []string{"calculator_evaluate", "expression=@q"}, "17*23 = 391\n"},
		{"a value that begins with @", []string{"files_read", "path=@@b"}, "at\n"},
		{"numbers as text", []string{"files_read", "path=a.go", "startLine=2", "endLine=2"}, "two"},
		{"a method by its command", []string{"files", "command=list", "glob=*.go"}, "a.go (14 bytes, 3 lines)\n"},
		{"flags between arguments", []string{"files_list", "glob=*.go", "--root", dir}, "a.go (14 bytes, 3 lines)\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := invocation{args: append([]string{"call"}, tt.args...), dir: dir}.run(t)
			o.succeeded(t)
			require.Contains(t, o.stdout, tt.want)
			require.True(t, strings.HasSuffix(o.stdout, "\n"))
		})
	}
}
