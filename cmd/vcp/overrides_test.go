package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

func TestOverridesDescribeTools(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "vcp.yaml")
	require.NoError(t, os.WriteFile(file, []byte(`
toolOverrides:
  clock: {title: Time, risk: dangerous}
  clock_now: {description: The time. Ask it first., aliases: [jetzt], tags: [daily], risk: write}
`), 0o600))
	got := listedTools(t, "--config", file)["clock_now"]
	require.Equal(t, []any{"The time. Ask it first.", []any{"jetzt"}, []any{"daily"}, "write", "ask"},
		[]any{got["description"], got["aliases"], got["tags"], got["risk"], got["decision"]})
	require.Equal(t, "dangerous", listedTools(t, "--config", file)["clock_between"]["risk"])
	require.Contains(t, runArgs(t, "prompt", "--config", file).stdout, "Ask it first.")
	require.Equal(t, [2]any{[]any{"clock", "clock_now"}, "file"},
		showConfig(t, nil, "--config", file).field("toolOverrides"))
}

func TestWrongOverridesAreReported(t *testing.T) {
	file := filepath.Join(t.TempDir(), "vcp.yaml")
	for text, want := range map[string]string{
		"{clock: {titel: x}}":          `there is no field "toolOverrides.clock.titel"; did you mean title?`,
		"{clock: {risk: high}}":        `toolOverrides.clock.risk is "high"; allowed is "read", "write" or "dangerous"`,
		"{clock_now: {examples: [x]}}": `toolOverrides.clock_now.examples[0] is "x"; allowed is a mapping of arguments`,
		"[clock]":                      "toolOverrides is a list; allowed is a mapping",
	} {
		require.NoError(t, os.WriteFile(file, []byte("toolOverrides: "+text), 0o600))
		runArgs(t, "tools", "--config", file).reported(t, cli.ExitFailure, want)
	}
	require.NoError(t, os.WriteFile(file, []byte("toolOverrides: {clok_now: {title: x}}"), 0o600))
	require.Contains(t, runArgs(t, "tools", "--config", file).stderr,
		"toolOverrides.clok_now names no tool and no method here; did you mean clock_now?")
}
