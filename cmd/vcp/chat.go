package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
)

// chatFlags are what a chat is set up with.
type chatFlags struct {
	server    modelFlags
	workspace workspaceFlags
	system    string
	language  string
	audit     string
	stats     statsForm
}

func newChat(std streams) *cobra.Command {
	var flags chatFlags
	cmd := &cobra.Command{
		Use:   "chat [MESSAGE]",
		Short: "Talk with a model that can use tools",
		Long: `chat sends MESSAGE to a model, shows its words as they come and each tool call as it happens, and ends with its answer.
Without MESSAGE it reads one message a line from standard input. On a terminal you get an interactive prompt with history: Ctrl-C stops
an answer; Ctrl-C twice or Ctrl-D quits.

--base-url and --model choose the model, or the environment does: ` + envBaseURL + `, ` + envModel + ` and ` + envKey + `.
If neither names a server or a model, the demo model answers: a small rule-based planner inside this program, no language model. A model
without a server is one of ` + openAI + `, which needs a key.

Model quirks, such as reasoning tags, are chosen by model name; --preset overrides. It takes a name that --preset list shows, or a file,
which docs/models.md describes.

Calls that need approval are confirmed on the terminal, whatever standard output and standard error are. The answer y allows the call;
always also allows the method for the rest of the chat; edit changes the arguments first; show displays a call that does not fit the
screen; no denies it, and the model gets the words after no as the reason. What was typed before the question is dropped. If standard
input is not the controlling terminal, nobody is asked, and a chat in which calls need approval does not begin.
` + approveHelp + `

The exit status is 1 if an answer failed, was truncated or was stopped.`,
		Example: `  vcp chat "What is 17*23, and which Go files are in protocol/?"
  vcp chat --base-url http://127.0.0.1:11434/v1 --model NAME
  vcp chat --root ~/notes --system "Answer in one sentence." --approve ask
  vcp chat --config vcp.yaml --max-iterations 3 < questions.txt`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("one MESSAGE is allowed, and a second was given: %q; put the message in quotation marks", args[1])
			}
			if len(args) == 1 && strings.TrimSpace(args[0]) == "" {
				return usagef("MESSAGE is empty; leave it out to be asked for messages")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.server.preset.list {
				return listPresets(std.out)
			}
			return flags.run(std, args, cmd.Flags().Changed("language"))
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	flags.server.add(f)
	f.StringVar(&flags.system, "system", "", "the `TEXT` of the system message; the tools are added to it")
	addLanguage(f, &flags.language)
	f.StringVar(&flags.audit, "audit", "", "append a record of each tool call to `FILE`, a regular file, as lines of JSON")
	f.Var(newChoice(&flags.stats, statsOptions()), "stats", "at the end, show statistics of tool calling on standard error")
	f.Lookup("stats").NoOptDefVal = "table"
	flags.workspace.add(f, inChat)
	return cmd
}

// run prepares and runs a chat. If languageGiven is false, the language is the preset's.
func (c *chatFlags) run(std streams, args []string, languageGiven bool) error {
	space, err := c.workspace.open()
	if err != nil {
		return err
	}
	defer space.close()
	proto, err := protocolNamed(space.config.Protocol)
	if err != nil {
		return err
	}
	answers, err := c.server.open(proto, std.err)
	if err != nil {
		return err
	}
	defer answers.close()
	audit, closeAudit, err := openAudit(c.audit)
	if err != nil {
		return err
	}
	defer closeAudit()
	preset, err := answers.Preset(context.Background())
	if err != nil {
		return c.server.explain(err)
	}
	if space.config.Protocol, err = protocolFor(space.config.Protocol, &preset); err != nil {
		return err
	}
	prompt := preset.Prompt()
	if languageGiven {
		prompt.Language = c.language
	}
	v := newView(std.out)
	a := newApprover(std)
	a.quiet = v.pause
	e, err := space.engine(std, engine.Options{
		Model: answers.Client, Approver: a.approve, Audit: audit, Reading: preset.Reading(), Prompt: prompt,
	})
	if err != nil {
		return err
	}
	if err := mayAsk(a, e, c.workspace.config.path); err != nil {
		return err
	}
	conversed, err := chat.New(e, chat.Options{System: c.system})
	if err != nil {
		return err
	}
	talk := &conversation{chat: conversed, registry: space.registry, view: v, stderr: std.err, server: &c.server}
	talk.atEnd = sync.OnceFunc(func() { writeStats(std.err, c.stats, conversed.Tools().Session().Stats()) })
	defer talk.atEnd()
	switch {
	case len(args) == 1:
		return once(talk, args[0])
	case isTerminal(std.in) && isTerminal(std.out):
		return interactive(talk, a, answers)
	}
	return lineByLine(talk, std.in)
}

// once has one answer.
func once(talk *conversation, message string) error {
	i := watchInterrupts(talk.quit, func() { talk.quit(true) })
	defer i.stop()
	return talk.turn(i, message)
}

func (c *conversation) quit(bool) {
	c.atEnd()
	os.Exit(exitFailure)
}

// lineByLine has an answer to each line of the input, and ends with the first that fails.
func lineByLine(talk *conversation, in io.Reader) error {
	i := watchInterrupts(talk.quit, func() { talk.quit(true) })
	defer i.stop()
	lines, first := bufio.NewReader(in), true
	for {
		line, err := lines.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("cannot read standard input: %w", err)
		}
		if message := strings.TrimSpace(line); message != "" {
			if !first {
				talk.view.blank()
			}
			first = false
			if err := talk.turn(i, message); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
}
