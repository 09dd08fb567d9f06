package main

import (
	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
	"github.com/vcpgo/vcp/cmd/vcp/internal/evaluation"
)

func newEval(std cli.Streams) *cobra.Command {
	var flags evaluation.Flags
	cmd := &cobra.Command{
		Use:   "eval FILE... | eval --live SUITE",
		Short: "Measure how replies are read, or how a model solves tasks",
		Long: `eval reads replies that models have written, each with the calls that are expected of it, and shows which calls would run with
several settings. No model is called, and no tool runs. Each line of a FILE is one reply; "-" is standard input:

  {"id":"a1",                                any value; reports name the reply by it
   "protocol":"vcp",                         the protocol that the reply is written in; may be missing
   "tools":[…],                              definitions in the form of OpenAI, Anthropic, MCP or BFCL, which is the Berkeley
                                             Function Calling Leaderboard, a benchmark
   "reply":"<<<[TOOL_REQUEST]>>>…",          the reply as the model wrote it
   "finish":"stop",                          stop, length or unknown; stop if it is missing
   "expect":[{"name":"weather_get","arguments":{"city":"Paris"}}]}
                                             the calls that must run, [] for none; "possible" in place of "arguments", or a
                                             possible answer of BFCL, lists the values that each argument may have

A setting is a protocol, a tolerance and a way to read fences. For each setting, a row of the table counts the replies by outcome:

  right            the expected calls ran, and nothing else
  refused          an expected call did not run, and the model is told why
  unseen           an expected call did not run, and the model is not told
  other arguments  an expected call ran, but with other arguments
  unexpected       a call ran that was not expected

The last two are wrong, and --max-wrong counts them. Below the table are the repairs and the reasons by name, and the ids of the replies
that are not right.

--protocol, --tolerance and --quoted take one value, several with commas between them, or all. Without --protocol a reply is read in the
protocol that its line names, else in ` + configuration.Protocols[0].ID() + `.

With --live, a model on a server is given the tasks of SUITE, a YAML file: --tries times each, with calls in the text of each protocol,
with native calls, and without tools. Files and scripted tools of a task are in a directory of its own, which is removed. The report is
Markdown: the tasks that were solved, wrong calls, mistakes and their correction, replies, tokens and time. --script all gives the model
each task twice: without the tool script_run and with it. script_run runs programs that the model writes and that call tools. Progress goes
to standard error, and Ctrl-C ends with a report of what is done.

docs/evaluation.md describes the lines, the outcomes, the output of --json, and suites.`,
		Example: `  vcp eval testdata/eval/replies.jsonl
  vcp eval --tolerance safe --quoted all --max-wrong 0 replies.jsonl
  vcp eval --json --protocol hermes replies.jsonl
  vcp eval --live testdata/eval/suite.yaml --base-url http://127.0.0.1:11434/v1 --model NAME > report.md
  vcp eval --live testdata/eval/scripts.yaml --script all --base-url http://127.0.0.1:11434/v1 --model NAME > report.md`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return flags.Run(cmd.Context(), std, cmd.Flags(), args)
		},
	}
	flags.Add(cmd.Flags())
	return cmd
}
