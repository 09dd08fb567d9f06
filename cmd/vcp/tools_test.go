package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
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
	require.Contains(t, o.stdout, "The settings do not allow this call: approveRules[0] (tool: calculator, decision: deny).")
	o = runArgs(t, "chat", "--approve", "never", "What is 2*3?")
	require.Contains(t, o.stdout, "The settings do not allow this call: approve: never.")
}
