package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/vcpgo/vcp/eval"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// evalFlags are what vcp eval is set up with.
type evalFlags struct {
	protocols  []protocol.Protocol
	tolerances []scan.Tolerance
	quoted     []parser.QuotedPolicy
	maxWrong   atMost
	json       bool
	live       liveFlags
}

func newEval(std streams) *cobra.Command {
	var flags evalFlags
	cmd := &cobra.Command{
		Use:   "eval FILE... | eval --live SUITE",
		Short: "Measure how replies are read, or how a model solves tasks",
		Long: `eval reads replies that models have written, each with the calls that it was meant to make, and shows what the engine makes of
them with several settings. No model is called, and no tool runs. Each line of a FILE is one reply; "-" is standard input:

  {"id":"a1",                                any value; reports name the reply by it
   "protocol":"vcp",                         the protocol that the reply is written in; may be missing
   "tools":[…],                              definitions in the form of OpenAI, Anthropic, MCP or BFCL
   "reply":"<<<[TOOL_REQUEST]>>>…",          the reply as the model wrote it
   "finish":"stop",                          stop, length or unknown; stop if it is missing
   "expect":[{"name":"weather_get","arguments":{"city":"Paris"}}]}
                                             the calls that must run, [] for none; "possible" in place of "arguments", or a
                                             possible answer of BFCL, lists the values that each argument may have

For each setting, a row of the table counts the replies by outcome: right; refused, with a reason that the model is told; unseen, without
one; other arguments, if an expected call ran with them; uncalled, if another call ran. Below the table are the repairs and the reasons by
name, and the ids of the replies that are not right.

--protocol, --tolerance and --quoted take one value, several with commas between them, or all. Without --protocol a reply is read in the
protocol that its line names, else in ` + protocols[0].ID() + `.

With --live, a model on a server is given the tasks of SUITE, a YAML file: --tries times each, with calls in the text of each protocol,
with native calls, and without tools. Files and scripted tools of a task are in a directory of its own, which is removed. The report is
Markdown: the tasks that were solved, wrong calls, mistakes and their correction, replies, tokens and time. --script all gives the model
each task without and with script_run, with which it writes programs that call tools. Progress goes to standard error, and Ctrl-C ends with
a report of what is done.

docs/evaluation.md describes the lines, the outcomes, the output of --json, and suites.`,
		Example: `  vcp eval testdata/eval/replies.jsonl
  vcp eval --tolerance safe --quoted all --max-wrong 0 replies.jsonl
  vcp eval --json --protocol hermes replies.jsonl
  vcp eval --live testdata/eval/suite.yaml --base-url http://127.0.0.1:11434/v1 --model NAME > report.md
  vcp eval --live testdata/eval/scripts.yaml --script all --base-url http://127.0.0.1:11434/v1 --model NAME > report.md`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := flags.check(cmd.Flags(), args); err != nil {
				return err
			}
			if flags.live.server.preset.list {
				return listPresets(std.out)
			}
			if flags.live.suite != "" {
				return flags.live.evaluate(cmd.Context(), std, flags.protocols, &flags.maxWrong)
			}
			return flags.offline(cmd.Context(), std, args)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	flags.add(f)
	return cmd
}

func (e *evalFlags) add(f *pflag.FlagSet) {
	f.Var(newChoices(&e.protocols, protocolOptions(), ""), "protocol", "the text protocols to read replies in, or to give the model")
	f.Var(newChoices(&e.tolerances, levels, "all"), "tolerance", "how much damage is repaired")
	f.Var(newChoices(&e.quoted, quotedPolicies, quotedPolicies[0].name), "quoted", "what becomes of requests in fenced code")
	f.Var(&e.maxWrong, "max-wrong", "fail if more than N replies of a setting run something wrong; without it any number may")
	f.BoolVar(&e.json, "json", false, "print one JSON object")
	e.live.add(f)
}

// check refuses flags of the other kind of evaluation.
func (e *evalFlags) check(f *pflag.FlagSet, args []string) error {
	others := liveOnly
	if e.live.suite != "" {
		others = offlineOnly
		if len(args) > 0 {
			return usagef("--live takes its tasks from %s, and an argument was given: %q", e.live.suite, args[0])
		}
	} else if len(args) == 0 {
		return usagef(`name a FILE with replies, "-" for standard input, or a suite with --live`)
	}
	for _, name := range others {
		if f.Changed(name) && e.live.suite != "" {
			return usagef("--%s has no effect with --live", name)
		} else if f.Changed(name) {
			return usagef("--%s has an effect only with --live", name)
		}
	}
	return nil
}

// The flags that have an effect in one kind of evaluation only.
var (
	offlineOnly = []string{"tolerance", "quoted", "json"}
	liveOnly    = []string{"tries", "calls", "script", "base-url", "model", "api-key-env", "retries", "preset", "config", "no-config"}
)

// levels are the tolerances in their order.
var levels = []option[scan.Tolerance]{tolerances[1], tolerances[0], tolerances[2]}

// offline evaluates the files.
func (e *evalFlags) offline(ctx context.Context, std streams, files []string) error {
	m := eval.NewMatrix(e.settings())
	if len(e.protocols) == 0 {
		m.Default = protocols[0].ID()
	}
	var count evalCount
	for _, file := range files {
		if err := count.add(ctx, std, file, m); err != nil {
			return err
		}
	}
	if count.bad > 0 {
		return reported{fmt.Errorf("%s could not be read", plural(count.bad, "line", "lines"))}
	}
	if count.read == 0 {
		return fmt.Errorf("no reply was read: %s", count.why())
	}
	if err := e.report(std.out, m); err != nil {
		return err
	}
	if count.skipped > 0 {
		fmt.Fprintf(std.err, "vcp eval: %s\n", count.why())
	}
	if wrong, at := m.MaxWrong(); e.maxWrong.exceeded(wrong) {
		return fmt.Errorf("%s ran something wrong with %s; --max-wrong allows %s", plural(wrong, "reply", "replies"), at, &e.maxWrong)
	}
	return nil
}

// evalCount counts replies that some setting reads, those that none does, and lines that are no
// reply.
type evalCount struct{ read, skipped, bad int }

// add judges the replies of one file, and reports its bad lines.
func (n *evalCount) add(ctx context.Context, std streams, file string, m *eval.Matrix) error {
	in, name, err := open(std.in, []string{file})
	if err != nil {
		return err
	}
	defer in.Close()
	for c, err := range eval.ReadCases(in, name) {
		if err == nil && c.Protocol != "" {
			if bad := newChoice(new(protocol.Protocol), protocolOptions()).Set(c.Protocol); bad != nil {
				err = &eval.CaseError{File: name, Line: c.Line, Err: fmt.Errorf("protocol %w", bad)}
			}
		}
		if bad := (*eval.CaseError)(nil); errors.As(err, &bad) {
			if n.bad++; n.bad <= maxBadLines {
				fmt.Fprintln(std.err, "vcp eval: "+oneLine(bad.Error()))
			} else if n.bad == maxBadLines+1 {
				fmt.Fprintln(std.err, "vcp eval: more lines could not be read")
			}
			continue
		}
		if err != nil {
			return err
		}
		switch settings, err := m.Add(ctx, &c); {
		case err != nil:
			return err
		case settings == 0:
			n.skipped++
		default:
			n.read++
		}
	}
	return nil
}

// maxBadLines is how many bad lines are reported one by one.
const maxBadLines = 100

// why says why replies were not read.
func (n *evalCount) why() string {
	if n.skipped == 0 {
		return "there is none"
	}
	return plural(n.skipped, "reply names", "replies name") + " another protocol than --protocol does"
}

// settings are all combinations of the flags.
func (e *evalFlags) settings() []eval.Setting {
	read := e.protocols
	if len(read) == 0 {
		read = protocols
	}
	var list []eval.Setting
	for _, p := range read {
		for _, tolerance := range e.tolerances {
			for _, quoted := range e.quoted {
				list = append(list, eval.Setting{Protocol: p, Tolerance: tolerance, Quoted: quoted})
			}
		}
	}
	return list
}

// report prints the matrix.
func (e *evalFlags) report(out io.Writer, m *eval.Matrix) error {
	var b bytes.Buffer
	var err error
	if e.json {
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(false)
		err = encoder.Encode(m)
	} else {
		err = m.WriteText(&b)
	}
	if err != nil {
		return err
	}
	return write(out, b.String())
}
