package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

func TestWrongUsageIsOneLineAndStatus2(t *testing.T) {
	tests := []struct {
		name  string
		line  string // the command line, without "vcp"
		parts []string
	}{
		{"no command", "", []string{"name a command", "chat", "vcp --help"}},
		{"a command that does not exist", "prase --jsonl", []string{`"prase"`, "did you mean parse?", "demo-model"}},
		{"a name that no command's name resembles", "frobnicate", []string{`no command "frobnicate"`, "the commands are"}},
		{"help of a command that does not exist", "help nothing", []string{`"nothing"`}},
		{"a flag that does not exist, without a command", "--verbose", []string{"no flag --verbose"}},

		{
			"chat: a flag that does not exist",
			"chat --modle x",
			[]string{"vcp chat:", "no flag --modle; did you mean --mode or --model?", "vcp chat --help"},
		},
		{"chat: a short flag", "chat -m", []string{"no flag -m"}},
		{"chat: two messages", "chat what is", []string{`"is"`, "quotation marks"}},
		{"chat: an empty message", "chat ' '", []string{"MESSAGE is empty"}},
		{"chat: an empty name of a conversation", "chat --session '' hi", []string{"--session", "must not be empty"}},
		{"chat: an empty name of an owner", "chat --owner '' hi", []string{"--owner", "must not be empty"}},
		{"eval: a suite without its flag", "eval suite.yaml", []string{"suite.yaml", "--live suite.yaml"}},
		{"chat: a flag without its value", "chat --model", []string{"--model needs a value"}},
		{"chat: a model without a server", "chat --model m hi", []string{`"m"`, "--base-url", "OPENAI_BASE_URL"}},
		{
			"chat: a variable without a key",
			"chat --api-key-env MY_KEY hi",
			[]string{`--api-key-env is "MY_KEY"`, "set it"},
		},
		{
			"chat: OPENAI_API_KEY named by the flag, without a key",
			"chat --api-key-env=OPENAI_API_KEY hi",
			[]string{`is "OPENAI_API_KEY"`},
		},
		{"chat: negative retries", "chat --retries -1 hi", []string{"--retries is -1", "from 0"}},
		{
			"chat: a preset that does not exist",
			"chat --preset gema hi",
			[]string{`--preset is "gema"`, "did you mean gemma?"},
		},
		{
			"chat: a file of a preset that does not exist",
			"chat --preset ./nothing.yaml hi",
			[]string{"--preset", "nothing.yaml"},
		},
		{"chat: a malformed base URL", "chat --base-url localhost hi", []string{`"localhost"`, "http://"}},
		{"chat: a base URL with a secret does not show it", "chat --base-url ftp://u:hush@h hi", []string{"[secret]"}},
		{"chat: a mode that does not exist", "chat --mode fast", []string{`--mode is "fast"`, `"auto" or "manual"`}},
		{"chat: no iterations", "chat --max-iterations 0", []string{`--max-iterations is "0"`, "from 1 to 1000"}},
		{"chat: iterations that are not a number", "chat --max-iterations ten", []string{`is "ten"`, "from 1 to 1000"}},
		{"chat: no requests", "chat --max-requests 0", []string{`--max-requests is "0"`, "from 1 to 1000"}},
		{
			"chat: a reply of 0 bytes",
			"chat --max-reply-bytes 0",
			[]string{`--max-reply-bytes is "0"`, "from 1000 to 1000000000"},
		},
		{"chat: calls that are not a number", "chat --max-calls few", []string{`is "few"`, "from 1 to 100000, or 0"}},
		{"chat: a malformed time", "chat --max-time soon", []string{`is "soon"`, `"30s"`, "or 0"}},
		{"chat: too few tokens", "chat --max-tokens 10", []string{`is "10"`, "from 1000 to 1000000000, or 0"}},
		{"chat: too short a history", "chat --history-tokens 10", []string{`is "10"`, "from 1000"}},
		{"chat: too few tokens for results", "chat --result-tokens 10", []string{`is "10"`, "from 200 to 1000000, or 0"}},
		{"chat: tokens for results that are not a number", "chat --result-tokens all", []string{`is "all"`, "from 200"}},
		{"chat: statistics in an unknown form", "chat --stats=xml", []string{`is "xml"`, "none, table or json"}},
		{
			"chat: a form of statistics as a separate argument",
			"chat --stats json hi",
			[]string{`"json" is not joined`, "--stats=json"},
		},
		{
			"chat: a boolean as a separate argument",
			"chat --enabled false",
			[]string{`"false" is not joined`, "--enabled=false"},
		},
		{"chat: a malformed timeout", "chat --timeout soon", []string{`is "soon"`, `"30s"`}},
		{"chat: a timeout without its unit", "chat --timeout 30", []string{`--timeout is "30"`, "with a unit"}},
		{"chat: a time without its unit", "chat --max-time 1.5", []string{`--max-time is "1.5"`, "with a unit"}},
		{"chat: a timeout of 0", "chat --timeout 0", []string{`is "0"`, "above 0 and at most 24h"}},
		{"chat: a timeout of days", "chat --timeout 25h", []string{`is "25h"`, "at most 24h"}},
		{
			"chat: an approval that does not exist",
			"chat --approve maybe",
			[]string{`--approve is "maybe"`, `"ask", "never", "read"`},
		},
		{"chat: a malformed boolean", "chat --require-confirmation=maybe", []string{`is "maybe"`, "true or false"}},
		{"chat: a protocol that does not exist", "chat --protocol x", []string{`--protocol is "x"`, "vcp"}},
		{"chat: a language that does not exist", "chat --language tlh", []string{`is "tlh"`, "en or zh"}},
		{"chat: a malformed toggle", "chat --tool-toggles files", []string{`is "files"`, "true or false"}},
		{
			"chat: a toggle of a tool that does not exist",
			"chat --tool-toggles flies=false hi",
			[]string{`"flies"`, "did you mean files?", "vcp tools lists them"},
		},

		{"parse: two files", "parse a b", []string{`"b"`, "one FILE"}},
		{
			"parse: a tolerance that does not exist",
			"parse --tolerance lax",
			[]string{`"lax"`, "safe, strict or greedy"},
		},
		{"parse: a finish that does not exist", "parse --finish eos", []string{`"eos"`, "stop, length or unknown"}},
		{"parse: chunks of 0 bytes", "parse --chunk 0", []string{`"0"`, "from 1"}},
		{"parse: chunks that are not a number", "parse --chunk 1k", []string{`"1k"`, "from 1"}},
		{"parse: a repair that does not exist", "parse --disable all", []string{`"all"`, "marker_case"}},
		{"parse: a policy that does not exist", "parse --quoted maybe", []string{`"maybe"`, "skip, run or auto"}},
		{"parse: a protocol that does not exist", "parse --protocol x", []string{`"x"`, "vcp"}},
		{"parse: a malformed boolean", "parse --jsonl=maybe", []string{`--jsonl is "maybe"`, "true or false"}},

		{"config: an argument", "config x", []string{`"x"`, "no arguments"}},
		{
			"tools: --config with --no-config",
			"tools --no-config --config a.yaml",
			[]string{"--no-config", "--config a.yaml", "cannot be used together"},
		},
		{"prompt: an argument", "prompt x", []string{`"x"`, "no arguments"}},
		{"prompt: a flag that does not exist", "prompt --json", []string{"no flag --json"}},
		{"tools: an argument", "tools files", []string{`"files"`}},
		{
			"call: an approval that nobody can give",
			"call --approve ask files_list",
			[]string{"files_list", "not a terminal", "--approve"},
		},
		{"tools: a toggle of a tool that does not exist", "tools --tool-toggles a=true,b=false", []string{`"a"`}},
		{
			"call: a method that needs a chat",
			"call results_read id=1.1",
			[]string{"results_read", "a chat", "--result-tokens"},
		},
		{"call: no method", "call", []string{"name a method", "vcp tools"}},
		{"call: an argument without a value", "call files_list path", []string{`"path"`, "NAME=VALUE"}},
		{"call: an argument without a name", "call files_list =x", []string{`"=x"`}},
		{"call: an argument given twice", "call files_list path=a path=b", []string{"path is given twice"}},
		{"demo-model: an argument", "demo-model 8080", []string{`"8080"`}},
		{"demo-model: a malformed address", "demo-model --addr 8080", []string{`"8080"`, "127.0.0.1:8080"}},
		{
			"demo-model: an address of every interface",
			"demo-model --addr 0.0.0.0:0",
			[]string{`"0.0.0.0:0"`, "loopback"},
		},
		{"version: an argument", "version now", []string{`"now"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := runArgs(t, words(t, tt.line)...)
			o.reported(t, cli.ExitUsage, append(tt.parts, "--help")...)
			require.Empty(t, o.stdout)
			require.NotContains(t, o.stderr, "hush")
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
