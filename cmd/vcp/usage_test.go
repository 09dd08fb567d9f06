package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

func TestWrongUsageIsOneLineAndStatus2(t *testing.T) {
	tests := []struct {
		name  string
		args  []string
		parts []string
	}{
		{"no command", nil, []string{"name a command", "chat", "vcp --help"}},
		{"a command that does not exist", []string{"prase", "--jsonl"}, []string{`"prase"`, "did you mean parse?", "demo-model"}},
		{"a command without a similar name", []string{"frobnicate"}, []string{`no command "frobnicate"`, "the commands are"}},
		{"help of a command that does not exist", []string{"help", "nothing"}, []string{`"nothing"`}},
		{"a flag of no command", []string{"--verbose"}, []string{"no flag --verbose"}},

		{
			"chat: a flag that does not exist",
			[]string{"chat", "--modle", "x"},
			[]string{"vcp chat:", "no flag --modle; did you mean --mode or --model?", "vcp chat --help"},
		},
		{"chat: a short flag", []string{"chat", "-m"}, []string{"no flag -m"}},
		{"chat: two messages", []string{"chat", "what", "is"}, []string{`"is"`, "quotation marks"}},
		{"chat: an empty message", []string{"chat", " "}, []string{"MESSAGE is empty"}},
		{"chat: a flag without its value", []string{"chat", "--model"}, []string{"--model needs a value"}},
		{"chat: a model without a server", []string{"chat", "--model", "m", "hi"}, []string{`"m"`, "--base-url", "OPENAI_BASE_URL"}},
		{"chat: a variable without a key", []string{"chat", "--api-key-env", "MY_KEY", "hi"}, []string{`--api-key-env is "MY_KEY"`, "set it"}},
		{
			"chat: OPENAI_API_KEY named by the flag, without a key",
			[]string{"chat", "--api-key-env=OPENAI_API_KEY", "hi"},
			[]string{`is "OPENAI_API_KEY"`},
		},
		{"chat: negative retries", []string{"chat", "--retries", "-1", "hi"}, []string{"--retries is -1", "from 0"}},
		{
			"chat: a preset that does not exist",
			[]string{"chat", "--preset", "gema", "hi"},
			[]string{`--preset is "gema"`, "did you mean gemma?"},
		},
		{
			"chat: a file of a preset that does not exist",
			[]string{"chat", "--preset", "./nothing.yaml", "hi"},
			[]string{"--preset", "nothing.yaml"},
		},
		{"chat: a malformed base URL", []string{"chat", "--base-url", "localhost", "hi"}, []string{`"localhost"`, "http://"}},
		{"chat: a base URL with a secret does not show it", []string{"chat", "--base-url", "ftp://u:hush@h", "hi"}, []string{"[secret]"}},
		{"chat: a mode that does not exist", []string{"chat", "--mode", "fast"}, []string{`--mode is "fast"`, `"auto" or "manual"`}},
		{"chat: no iterations", []string{"chat", "--max-iterations", "0"}, []string{`--max-iterations is "0"`, "from 1 to 1000"}},
		{"chat: iterations that are not a number", []string{"chat", "--max-iterations", "ten"}, []string{`is "ten"`, "from 1 to 1000"}},
		{"chat: no requests", []string{"chat", "--max-requests", "0"}, []string{`--max-requests is "0"`, "from 1 to 1000"}},
		{
			"chat: a reply of 0 bytes",
			[]string{"chat", "--max-reply-bytes", "0"},
			[]string{`--max-reply-bytes is "0"`, "from 1000 to 1000000000"},
		},
		{"chat: calls that are not a number", []string{"chat", "--max-calls", "few"}, []string{`is "few"`, "from 1 to 100000, or 0"}},
		{"chat: a malformed time", []string{"chat", "--max-time", "soon"}, []string{`is "soon"`, `"30s"`, "or 0"}},
		{"chat: too few tokens", []string{"chat", "--max-tokens", "10"}, []string{`is "10"`, "from 1000 to 1000000000, or 0"}},
		{"chat: too short a history", []string{"chat", "--history-tokens", "10"}, []string{`is "10"`, "from 1000"}},
		{"chat: too small a budget", []string{"chat", "--result-tokens", "10"}, []string{`is "10"`, "from 200 to 1000000, or 0"}},
		{"chat: a budget that is not a number", []string{"chat", "--result-tokens", "all"}, []string{`is "all"`, "from 200"}},
		{"chat: statistics in an unknown form", []string{"chat", "--stats=xml"}, []string{`is "xml"`, "none, table or json"}},
		{
			"chat: a form of statistics as a separate argument",
			[]string{"chat", "--stats", "json", "hi"},
			[]string{`"json" is not joined`, "--stats=json"},
		},
		{
			"chat: a boolean as a separate argument",
			[]string{"chat", "--enabled", "false"},
			[]string{`"false" is not joined`, "--enabled=false"},
		},
		{"chat: a malformed timeout", []string{"chat", "--timeout", "soon"}, []string{`is "soon"`, `"30s"`}},
		{"chat: a timeout without its unit", []string{"chat", "--timeout", "30"}, []string{`--timeout is "30"`, "with a unit"}},
		{"chat: a time without its unit", []string{"chat", "--max-time", "1.5"}, []string{`--max-time is "1.5"`, "with a unit"}},
		{"chat: a timeout of 0", []string{"chat", "--timeout", "0"}, []string{`is "0"`, "above 0 and at most 24h"}},
		{"chat: a timeout of days", []string{"chat", "--timeout", "25h"}, []string{`is "25h"`, "at most 24h"}},
		{
			"chat: an approval that does not exist",
			[]string{"chat", "--approve", "maybe"},
			[]string{`--approve is "maybe"`, `"ask", "never", "read"`},
		},
		{"chat: a malformed boolean", []string{"chat", "--require-confirmation=maybe"}, []string{`is "maybe"`, "true or false"}},
		{"chat: a protocol that does not exist", []string{"chat", "--protocol", "x"}, []string{`--protocol is "x"`, "vcp"}},
		{"chat: a language that does not exist", []string{"chat", "--language", "tlh"}, []string{`is "tlh"`, "en or zh"}},
		{"chat: a malformed toggle", []string{"chat", "--tool-toggles", "files"}, []string{`is "files"`, "true or false"}},
		{
			"chat: a toggle of a tool that does not exist",
			[]string{"chat", "--tool-toggles", "flies=false", "hi"},
			[]string{`"flies"`, "did you mean files?", "vcp tools lists them"},
		},

		{"parse: two files", []string{"parse", "a", "b"}, []string{`"b"`, "one FILE"}},
		{"parse: a tolerance that does not exist", []string{"parse", "--tolerance", "lax"}, []string{`"lax"`, "safe, strict or greedy"}},
		{"parse: a finish that does not exist", []string{"parse", "--finish", "eos"}, []string{`"eos"`, "stop, length or unknown"}},
		{"parse: chunks of 0 bytes", []string{"parse", "--chunk", "0"}, []string{`"0"`, "from 1"}},
		{"parse: chunks that are not a number", []string{"parse", "--chunk", "1k"}, []string{`"1k"`, "from 1"}},
		{"parse: a repair that does not exist", []string{"parse", "--disable", "all"}, []string{`"all"`, "marker_case"}},
		{"parse: a policy that does not exist", []string{"parse", "--quoted", "maybe"}, []string{`"maybe"`, "skip, run or auto"}},
		{"parse: a protocol that does not exist", []string{"parse", "--protocol", "x"}, []string{`"x"`, "vcp"}},
		{"parse: a malformed boolean", []string{"parse", "--jsonl=maybe"}, []string{`--jsonl is "maybe"`, "true or false"}},

		{"config: an argument", []string{"config", "x"}, []string{`"x"`, "no arguments"}},
		{
			"tools: --config with --no-config",
			[]string{"tools", "--no-config", "--config", "a.yaml"},
			[]string{"--no-config", "--config a.yaml", "cannot be used together"},
		},
		{"prompt: an argument", []string{"prompt", "x"}, []string{`"x"`, "no arguments"}},
		{"prompt: a flag that does not exist", []string{"prompt", "--json"}, []string{"no flag --json"}},
		{"tools: an argument", []string{"tools", "files"}, []string{`"files"`}},
		{
			"call: an approval that nobody can give",
			[]string{"call", "--approve", "ask", "files_list"},
			[]string{"files_list", "not a terminal", "--approve"},
		},
		{"tools: a toggle of a tool that does not exist", []string{"tools", "--tool-toggles", "a=true,b=false"}, []string{`"a"`}},
		{"call: a method that needs a chat", []string{"call", "results_read", "id=1.1"}, []string{"results_read", "a chat", "--result-tokens"}},
		{"call: no method", []string{"call"}, []string{"name a method", "vcp tools"}},
		{"call: an argument without a value", []string{"call", "files_list", "path"}, []string{`"path"`, "NAME=VALUE"}},
		{"call: an argument without a name", []string{"call", "files_list", "=x"}, []string{`"=x"`}},
		{"call: an argument given twice", []string{"call", "files_list", "path=a", "path=b"}, []string{"path is given twice"}},
		{"demo-model: an argument", []string{"demo-model", "8080"}, []string{`"8080"`}},
		{"demo-model: a malformed address", []string{"demo-model", "--addr", "8080"}, []string{`"8080"`, "127.0.0.1:8080"}},
		{"demo-model: an address of every interface", []string{"demo-model", "--addr", "0.0.0.0:0"}, []string{`"0.0.0.0:0"`, "loopback"}},
		{"version: an argument", []string{"version", "now"}, []string{`"now"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := runArgs(t, tt.args...)
			o.reported(t, cli.ExitUsage, append(tt.parts, "--help")...)
			require.Empty(t, o.stdout)
			require.NotContains(t, o.stderr, "hush")
		})
	}
}

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
		{"parse: a file that does not exist", []string{"parse", "missing.txt"}, []string{"missing.txt", "no such file"}},
		{"parse: a directory", []string{"parse", dir}, []string{dir, "directory"}},
		{"a root that does not exist", []string{"tools", "--root", "missing"}, []string{"--root", "missing"}},
		{"a configuration that does not exist", []string{"chat", "--config", "missing.yaml", "hi"}, []string{"missing.yaml"}},
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
			[]string{"c.yaml: configuration: protocol", `"x"`, "vcp, hermes, qwencoder or auto"},
		},
		{
			"call: a method that does not exist",
			[]string{"call", "files_lst"},
			[]string{"method_not_found", `"files_lst"`, "did you mean files_list or files_edit?"},
		},
		{
			"call: a name without a similar one",
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
		{"call: an argument of the wrong type", []string{"call", "files_list", "recursive=maybe"}, []string{"invalid_arguments", "recursive"}},
		{"call: a missing argument", []string{"call", "files_read"}, []string{"invalid_arguments", "path"}},
		{
			"call: a tool that fails",
			[]string{"call", "calculator_evaluate", "expression=1/0"},
			[]string{"execution_failed", "division by zero"},
		},
		{"call: a path outside of the root", []string{"call", "files_read", "path=../x"}, []string{"execution_failed", "outside"}},
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
		{"call: all tools switched off", []string{"call", "--enabled=false", "files_list"}, []string{"tool_disabled", "--enabled switches"}},
		{"call: a value from a file that does not exist", []string{"call", "files_list", "path=@missing"}, []string{"path", "missing"}},
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
	require.Equal(t, cli.ExitOK, invocation{args: []string{"chat", "--store", store, "--session", "a", "What is 2+2?"}}.run(t).status)
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

func TestVersionIsOneLine(t *testing.T) {
	o := runArgs(t, "version")
	o.succeeded(t)
	require.Regexp(t, `^vcp \S+ \(go\S+ \w+/\w+.*\)\n$`, o.stdout)
	flag := runArgs(t, "--version")
	flag.succeeded(t)
	require.Equal(t, o.stdout, flag.stdout)
	runArgs(t, "-v").reported(t, cli.ExitUsage, "no flag -v")
}
