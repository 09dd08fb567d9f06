package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

const repliesFile = "testdata/eval/replies.jsonl"

func TestEvalShowsAMatrix(t *testing.T) {
	o := runArgs(t, "eval", repliesFile)
	require.Zero(t, o.status, o.stderr)
	for _, setting := range []string{
		"vcp, strict, skip", "vcp, safe, skip", "vcp, greedy, skip", "hermes, strict, skip", "hermes, greedy, skip",
	} {
		require.Contains(t, o.stdout, setting)
	}
	require.Contains(t, o.stdout, "unexpected: v-call-not-wanted, v-call-twice, v-another-tool-besides")
}

func TestEvalReadsWhatTheFlagsChoose(t *testing.T) {
	tests := []struct {
		name     string
		args     []string
		settings []string
	}{
		{"one protocol", []string{"--protocol", "hermes", "--tolerance", "safe"}, []string{"hermes safe skip"}},
		{
			"two levels",
			[]string{"--protocol", "vcp", "--tolerance", "strict,greedy"},
			[]string{"vcp strict skip", "vcp greedy skip"},
		},
		{
			"all ways to read fences",
			[]string{"--protocol", "vcp", "--tolerance", "safe", "--quoted", "all"},
			[]string{"vcp safe skip", "vcp safe run", "vcp safe auto"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := runArgs(t, append([]string{"eval", "--json", repliesFile}, tt.args...)...)
			require.Zero(t, o.status, o.stderr)
			var got struct {
				Version  int
				Settings []struct{ Protocol, Tolerance, Quoted string }
			}
			require.NoError(t, json.Unmarshal([]byte(o.stdout), &got))
			require.Equal(t, 1, got.Version)
			var settings []string
			for _, s := range got.Settings {
				settings = append(settings, strings.Join([]string{s.Protocol, s.Tolerance, s.Quoted}, " "))
			}
			require.Equal(t, tt.settings, settings)
		})
	}
}

func TestEvalFailsIfMoreIsWrongThanAllowed(t *testing.T) {
	require.Zero(t, runArgs(t, "eval", "--protocol", "vcp", "--max-wrong", "5", repliesFile).status)
	o := runArgs(t, "eval", "--protocol", "vcp", "--max-wrong", "4", repliesFile)
	require.Equal(t, cli.ExitFailure, o.status)
	require.Contains(t, o.stderr, "5 replies ran something wrong with vcp/strict/skip; --max-wrong allows 4")
	require.Contains(t, o.stderr, "15 replies name another protocol than --protocol does")
	require.Contains(t, o.stdout, "other arguments", "the matrix is shown before the failure")
}

func TestEvalReadsStandardInput(t *testing.T) {
	const line = `{"reply":"hello","expect":[]}` + "\n"
	o := invocation{args: []string{"eval", "-"}, stdin: line}.run(t)
	require.Zero(t, o.status, o.stderr)
	require.Contains(t, o.stdout, "vcp", "a reply without a protocol is read in the default one")
	require.NotContains(t, o.stdout, "hermes")
}

func TestEvalRefusesWrongInput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(`{"protocol":"xml","reply":"","expect":[]}`), 0o600))
	tests := []struct {
		name   string
		args   []string
		stdin  string
		status int
		parts  []string
	}{
		{"no file", []string{"eval"}, "", cli.ExitUsage, []string{"name a FILE", "--help"}},
		{
			"a level that does not exist",
			[]string{"eval", "--tolerance", "safe,lax", "x"},
			"", cli.ExitUsage,
			[]string{`"safe,lax"`, "strict, safe, greedy or all"},
		},
		{
			"a negative number",
			[]string{"eval", "--max-wrong", "-1", "x"},
			"", cli.ExitUsage,
			[]string{`"-1"`, "from 0"},
		},
		{
			"a file that does not exist",
			[]string{"eval", "missing.jsonl"},
			"", cli.ExitFailure,
			[]string{"missing.jsonl"},
		},
		{
			"a protocol that does not exist",
			[]string{"eval", path},
			"", cli.ExitFailure,
			[]string{"a.jsonl:1", `"xml"`, "vcp, hermes or qwencoder"},
		},
		{
			"a line that is not a reply",
			[]string{"eval", "-"},
			"{}", cli.ExitFailure,
			[]string{"standard input:1", `"reply" is missing`},
		},
		{"nothing to read", []string{"eval", "-"}, "\n", cli.ExitFailure, []string{"no reply was read"}},
		{
			"replies of another protocol",
			[]string{"eval", "--protocol", "vcp", "-"},
			`{"protocol":"hermes","reply":"","expect":[]}`, cli.ExitFailure,
			[]string{"no reply was read", "another protocol"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := invocation{args: tt.args, stdin: tt.stdin}.run(t)
			o.reported(t, tt.status, tt.parts...)
			require.Empty(t, o.stdout)
		})
	}
}

func TestEvalReportsEachBadLine(t *testing.T) {
	const lines = "{}\n{\"reply\":\"hello\",\"expect\":[]}\n\n[]\n{\"protocol\":\"xml\",\"reply\":\"\",\"expect\":[]}\n"
	o := invocation{args: []string{"eval", "-"}, stdin: lines}.run(t)
	require.Equal(t, cli.ExitFailure, o.status)
	require.Empty(t, o.stdout, "a matrix without these lines would mislead")
	for _, line := range []string{"standard input:1", "standard input:4", "standard input:5"} {
		require.Contains(t, o.stderr, "vcp eval: "+line)
	}
	require.Equal(t, 3, strings.Count(o.stderr, "\n"), o.stderr)

	o = invocation{args: []string{"eval", "-"}, stdin: strings.Repeat("{}\n", 150)}.run(t)
	require.Equal(t, 101, strings.Count(o.stderr, "\n"), "100 bad lines and one that says that there are more")
}
