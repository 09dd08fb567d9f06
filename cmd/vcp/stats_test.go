package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/modelserver"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// mistakenModel returns a server with replies for two turns. In the first turn, the model calls a
// tool with a mistake, and then corrects the mistake.
func mistakenModel(t *testing.T) *modelserver.Server {
	t.Helper()
	return modelserver.Start(t,
		modelserver.Text(request(t, "calculator_evaluate", "expr", "1+1")),
		modelserver.Text(request(t, "calculator_evaluate", "expression", "1+1")),
		modelserver.Text("2"), modelserver.Text("Bye."))
}

func TestStatsAreShownAtTheEnd(t *testing.T) {
	o := ask(t, mistakenModel(t), invocation{args: []string{"--stats"}, stdin: "how much\nthanks\n"})
	require.Equal(t, cli.ExitOK, o.status)
	require.Regexp(t, `(?m)^tool calls +2 +in 4 replies$`, o.stderr)
	require.Regexp(t, `(?m)^self-correction +100 % +1 of 1 mistakes`, o.stderr)
	require.Regexp(t, `(?m)^latency +\S+ +mean; half within`, o.stderr)
	require.NotContains(t, o.stdout, "tool calls")

	o = ask(t, mistakenModel(t), invocation{args: []string{"--stats=json"}, stdin: "how much\nthanks\n"})
	var stats struct {
		Calls, Succeeded   int
		SelfCorrectionRate float64
	}
	require.NoError(t, json.Unmarshal([]byte(o.stderr), &stats))
	require.Equal(t, 2, stats.Calls)
	require.Equal(t, 1, stats.Succeeded)
	require.InDelta(t, 1, stats.SelfCorrectionRate, 0)

	o = ask(t, modelserver.Start(t, modelserver.Unfinished("tw")), invocation{args: []string{"--stats", "hi"}})
	require.Equal(t, cli.ExitFailure, o.status)
	require.Contains(t, o.stderr, "tool calls", "after a failure too")
}

func TestCallsAreAudited(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	for range 2 {
		ask(t, mistakenModel(t), invocation{args: []string{"--audit", path}, stdin: "how much\nthanks\n"}).succeeded(t)
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var list []executor.AuditRecord
	for line := range strings.Lines(string(text)) {
		var r executor.AuditRecord
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		list = append(list, r)
	}
	require.Len(t, list, 4, "a second chat adds to the first")
	require.Equal(t, "invalid_arguments", list[0].ErrorType)
	require.Equal(t, `{"expr":"1+1"}`, string(list[0].Arguments))
	require.Equal(t, `{"expression":"1+1"}`, string(list[3].Arguments))
	require.NotEmpty(t, list[0].Session)
	require.NotEqual(t, list[0].Session, list[2].Session)
	require.WithinDuration(t, time.Now(), list[3].Started, time.Hour)
	requirePrivate(t, path)

	o := ask(t, modelserver.Start(t), invocation{args: []string{"--audit", filepath.Join(path, "x"), "hi"}})
	o.reported(t, cli.ExitFailure, "--audit", path)
}

// requirePrivate checks that only the owner of a file may read and write it.
func requirePrivate(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestTheAuditFileIsPrivate(t *testing.T) {
	chatWithAudit := func(t *testing.T, path string) outcome {
		s := modelserver.Start(t, modelserver.Text("Hello."))
		return ask(t, s, invocation{args: []string{"--audit", path, "hi"}})
	}
	t.Run("a file that others can read is restricted to its owner", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "audit.jsonl")
		require.NoError(t, os.WriteFile(path, []byte("{}\n"), 0o600))
		require.NoError(t, os.Chmod(path, 0o644))
		chatWithAudit(t, path).succeeded(t)
		requirePrivate(t, path)
	})
	t.Run("a device is refused and keeps its mode", func(t *testing.T) {
		mode := func() os.FileMode {
			info, err := os.Stat(os.DevNull)
			require.NoError(t, err)
			return info.Mode()
		}
		original := mode()
		chatWithAudit(t, os.DevNull).reported(t, cli.ExitFailure,
			"--audit cannot be opened", os.DevNull, "a regular file is needed")
		require.Equal(t, original, mode())
	})
	t.Run("a file that cannot be restricted to its owner is refused", func(t *testing.T) {
		const path = "/proc/self/comm" // its mode cannot be changed
		if _, err := os.Stat(path); err != nil {
			t.Skip("no such file here")
		}
		chatWithAudit(t, path).reported(t, cli.ExitFailure,
			"--audit cannot be opened", "others may read or change the file", "mode 600", path)
	})
}

func TestAPersonGetsExcerptsOnlyByAFlag(t *testing.T) {
	root := t.TempDir()
	long := strings.Repeat("a line of a long file\n", 1000)
	require.NoError(t, os.WriteFile(filepath.Join(root, "long.txt"), []byte(long), 0o600))
	s := modelserver.Start(t, modelserver.Text(request(t, "files_search", "query", "line")),
		modelserver.Text(request(t, "results_read", "id", "1.1", "page", "2")), modelserver.Text("Long."))
	ask(t, s, invocation{args: []string{"--root", root, "--result-tokens", "500", "hi"}}).succeeded(t)
	require.Contains(t, s.Requests()[1].Last(), `To read on, call results_read with id "1.1" and page 2;`)
	require.Contains(t, s.Requests()[2].Last(), `[Result "1.1", page 2 of `)

	o := runArgs(t, "call", "files_search", "query=line", "--root", root)
	o.succeeded(t)
	require.NotContains(t, o.stdout, "results_read", "a person gets the whole result")
	o = runArgs(t, "call", "files_search", "query=line", "--root", root, "--result-tokens", "500",
		"--tool-toggles", "results_read=true")
	o.reported(t, cli.ExitOK, "vcp call: this is an excerpt of the result", "--result-tokens is 500", "0 gives all of it")
	require.Contains(t, o.stdout, "Omitted here: ")
	require.NotContains(t, o.stdout, "results_read", "vcp call cannot run results_read")
	runArgs(t, "call", "files_search", "query=line", "--root", root, "--result-tokens", "0").succeeded(t)

	s = modelserver.Start(t, modelserver.Text(request(t, "files_read", "path", "long.txt")), modelserver.Text("Long."))
	ask(t, s, invocation{args: []string{"--root", root, "--result-tokens", "500", "hi"}}).succeeded(t)
	require.Regexp(t, `\(Lines 1 to \d+ of 1000; to continue, set startLine to \d+; to find a word, use files_search\.\)`,
		s.Requests()[1].Last())
	require.NotContains(t, s.Requests()[1].Last(), "Omitted here: ", "a page fits the budget")
}
