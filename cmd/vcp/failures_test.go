package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

func TestFailuresAreOneLineAndStatus1(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	tests := []struct {
		name  string
		args  []string
		parts []string
	}{
		{
			"parse: a file that does not exist",
			[]string{"parse", "missing.txt"},
			[]string{"missing.txt", "no such file"},
		},
		{"parse: a directory", []string{"parse", dir}, []string{dir, "directory"}},
		{"a root that does not exist", []string{"tools", "--root", "missing"}, []string{"--root", "missing"}},
		{
			"a configuration that does not exist",
			[]string{"chat", "--config", "missing.yaml", "hi"},
			[]string{"missing.yaml"},
		},
		{
			"a configuration with a field that does not exist",
			[]string{"tools", "--config", file("a.yaml", "maxIteration: 3\n")},
			[]string{"a.yaml", "maxIteration", "did you mean maxIterations?"},
		},
		{
			"a configuration with a bad value",
			[]string{"tools", "--config", file("b.json", `{"timeout": "soon"}`)},
			[]string{"b.json", "timeout", "soon", "30s"},
		},
		{
			"a configuration with a protocol that does not exist",
			[]string{"chat", "--config", file("c.yaml", "protocol: x\n"), "hi"},
			[]string{"c.yaml: configuration: line 1: protocol", `"x"`, "vcp, hermes, qwencoder or auto"},
		},
		{
			"call: a method that does not exist",
			[]string{"call", "files_lst"},
			[]string{"method_not_found", `"files_lst"`, "did you mean files_list or files_edit?"},
		},
		{
			"call: a name that no method's name resembles",
			[]string{"call", "foo"},
			[]string{"tool_not_found", `no method "foo" (vcp tools lists the methods)`},
		},
		{
			"call: a tool without its method",
			[]string{"call", "files"},
			[]string{"method_not_found", "(methods: files_edit, files_list, files_read, files_search, files_write)"},
		},
		{
			"call: a call that is denied",
			[]string{"call", "--approve", "never", "clock_now"},
			[]string{"permission_denied", "--approve", "say what may run"},
		},
		{
			"call: an argument of the wrong type",
			[]string{"call", "files_list", "recursive=maybe"},
			[]string{"invalid_arguments", "recursive"},
		},
		{"call: a missing argument", []string{"call", "files_read"}, []string{"invalid_arguments", "path"}},
		{
			"call: a tool that fails",
			[]string{"call", "calculator_evaluate", "expression=1/0"},
			[]string{"execution_failed", "division by zero"},
		},
		{
			"call: a path outside of the root",
			[]string{"call", "files_read", "path=../x"},
			[]string{"execution_failed", "outside"},
		},
		{
			"call: a tool that is switched off",
			[]string{"call", "--tool-toggles", "files=false", "files_list"},
			[]string{"tool_disabled", "--tool-toggles files_list=true"},
		},
		{
			"call: a method that needs a chat, in another spelling",
			[]string{"call", "Results-Read", "--result-tokens", "200"},
			[]string{"tool_disabled", "here there is no chat"},
		},
		{
			"call: all tools switched off",
			[]string{"call", "--enabled=false", "files_list"},
			[]string{"tool_disabled", "--enabled switches"},
		},
		{
			"call: a value from a file that does not exist",
			[]string{"call", "files_list", "path=@missing"},
			[]string{"path", "missing"},
		},
		{
			"call: a file that is not a font",
			[]string{"call", "--chart-font", file("font.ttf", "x"), "clock_now"},
			[]string{"--chart-font", "font.ttf is not a TrueType or OpenType font"},
		},
		{
			"chat: a server that is not there",
			[]string{"chat", "--base-url", "http://127.0.0.1:1/v1", "--model", "m", "--retries", "0", "hi"},
			[]string{"127.0.0.1:1", "connection refused"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := runArgs(t, tt.args...)
			o.reported(t, cli.ExitFailure, tt.parts...)
			require.Empty(t, o.stdout)
		})
	}
}

func TestOutputThatCannotBeWrittenIsAFailure(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	store := filepath.Join(t.TempDir(), "chats.db")
	require.Equal(t, cli.ExitOK, runArgs(t, "chat", "--store", store, "--session", "a", "What is 2+2?").status)
	for _, args := range [][]string{
		{"parse"},
		{"parse", "--jsonl"},
		{"prompt"},
		{"tools"},
		{"tools", "--json"},
		{"config"},
		{"config", "--json"},
		{"call", "clock_now"},
		{"version"},
		{"--version"},
		{"help"},
		{"help", "chat"},
		{"--help"},
		{"chat", "--help"},
		{"chat", "--preset", "list"},
		{"demo-model"},
		{"sessions", "export", "a", "--store", store},
		{"sessions", "export", "a", "--markdown", "--store", store},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			require.NoError(t, err)
			o := invocation{args: args, stdin: `{"text":""}` + "\n", out: full}.run(t)
			require.NoError(t, full.Close())
			o.reported(t, cli.ExitFailure, "cannot write the output", "no space")
		})
	}
}

func TestASentenceGetsAtMostOneFullStop(t *testing.T) {
	for text, want := range map[string]string{
		"it failed": "it failed.", "It failed. ": "It failed.", "失败。": "失败。", "真的？": "真的？",
	} {
		require.Equal(t, want, sentence(text))
	}
}
