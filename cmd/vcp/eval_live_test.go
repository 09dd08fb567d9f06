package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/demomodel"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/vcp"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// demoSuite has three tasks. The demo model solves the first two.
const demoSuite = `
name: demo
tasks:
  - id: product
    kind: calculation
    user: What is 17*23?
    tools: [calculator]
    check: {answer: ["391"]}
  - id: listing
    kind: file
    user: Which Go files are in src/?
    files: {src/a.go: package a, src/b.txt: b}
    tools: [files]
    check: {answer: ["a\\.go"], never: ["b\\.txt"]}
  - id: capital
    kind: no tool needed
    user: What is the capital of France?
    tools: [calculator]
    check: {answer: [paris], noCalls: true}
`

// evalDemo evaluates the demo model, which writes its calls in the protocol p.
func evalDemo(t *testing.T, p protocol.Protocol, args ...string) outcome {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "demo.yaml")
	require.NoError(t, os.WriteFile(path, []byte(demoSuite), 0o600))
	server, err := demomodel.Start(demomodel.Options{Protocol: p})
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Close(context.Background()) })
	args = append([]string{"eval", "--live", path, "--base-url", server.URL(), "--protocol", p.ID()}, args...)
	return runArgs(t, args...)
}

func TestEvalLiveReportsWhatTheModelSolves(t *testing.T) {
	for _, p := range []protocol.Protocol{vcp.Protocol{}, hermes.Protocol{}} {
		t.Run(p.ID(), func(t *testing.T) {
			o := evalDemo(t, p, "--tries", "2", "--calls", "text,none")
			require.Equal(t, cli.ExitOK, o.status, o.stderr)
			require.Contains(t, o.stdout, "# Evaluation of "+demomodel.ModelID+" at http://127.0.0.1:")
			require.Contains(t, o.stdout, "\n| "+p.ID()+" | 4 of 6 (66 %) | 0 |")
			require.Contains(t, o.stdout, "\n| no tools | 0 of 6 (0 %) | 0 |")
			require.Contains(t, o.stdout, "\n| product | 2/2 | 0/2 |\n| listing | 2/2 | 0/2 |\n| capital | 0/2 | 0/2 |\n")
			require.Equal(t, 12, strings.Count(o.stderr, "\n"), "one line for each try: %s", o.stderr)
		})
	}
}

func TestEvalLiveSkipsAVariantThatTheServerRefuses(t *testing.T) {
	o := evalDemo(t, vcp.Protocol{}, "--calls", "native,text")
	require.Equal(t, cli.ExitOK, o.status, o.stderr)
	require.Contains(t, o.stdout, "\n| native | 0 of 3 (0 %) |")
	require.Contains(t, o.stdout, "native: skipped after 3 errors in a row.")
	require.Contains(t, o.stdout, "\n| vcp | 2 of 3 (66 %) |")
	require.Contains(t, o.stdout, "takes no native tools")
}

func TestEvalLiveFailsWithoutAnyAnswer(t *testing.T) {
	o := evalDemo(t, vcp.Protocol{}, "--calls", "native")
	require.Equal(t, cli.ExitFailure, o.status)
	require.Contains(t, o.stderr, "no try had an answer")
}

const suiteFile = "testdata/eval/suite.yaml"

func TestEvalLiveReportsWrongUsage(t *testing.T) {
	tests := []struct {
		name  string
		args  []string
		parts []string
	}{
		{
			"a file besides the suite",
			[]string{"eval", "--live", suiteFile, "replies.jsonl"},
			[]string{`"replies.jsonl"`, suiteFile},
		},
		{
			"a tolerance",
			[]string{"eval", "--live", suiteFile, "--tolerance", "safe"},
			[]string{"--tolerance has no effect with --live"},
		},
		{
			"a model without --live",
			[]string{"eval", "--model", "m", "replies.jsonl"},
			[]string{"--model has an effect only with --live"},
		},
		{"no model", []string{"eval", "--live", suiteFile}, []string{"--base-url", "demo-model"}},
		{"no tries", []string{"eval", "--live", suiteFile, "--tries", "0"}, []string{`"0"`, "from 1"}},
		{
			"calls that do not exist",
			[]string{"eval", "--live", suiteFile, "--calls", "auto"},
			[]string{`"auto"`, "text, native, none or all"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := runArgs(t, tt.args...)
			o.reported(t, cli.ExitUsage, append(tt.parts, "--help")...)
			require.Empty(t, o.stdout)
		})
	}
}

func TestEvalLiveNamesASuiteThatDoesNotExist(t *testing.T) {
	runArgs(t, "eval", "--live", "missing.yaml").reported(t, cli.ExitFailure, "missing.yaml")
}

func TestEvalLiveListsPresets(t *testing.T) {
	require.Contains(t, runArgs(t, "eval", "--live", suiteFile, "--preset", "list").stdout, "deepseek-r1")
}
