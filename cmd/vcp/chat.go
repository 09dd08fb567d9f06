package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// chatFlags are the settings of a chat.
type chatFlags struct {
	server   modelFlags
	config   configFlags
	session  sessionFlags
	language string
	audit    string
	json     bool
	stats    statsForm
}

func newChat(std streams) *cobra.Command {
	var flags chatFlags
	cmd := &cobra.Command{
		Use:   "chat [MESSAGE]",
		Short: "Talk with a model that can use tools",
		Long: `chat sends MESSAGE to a model, shows its words as they come and each tool call as it happens, and ends with its answer.
Without MESSAGE it reads one message a line from standard input. On a terminal you get an interactive prompt with history and with
commands, which /help lists: among others /retry, /history, /edit and /switch. There Ctrl-C stops an answer; Ctrl-C twice or Ctrl-D
quits. A message that begins with / is typed with //.

--base-url and --model choose the model, or the environment does: ` + envBaseURL + `, ` + envModel + ` and ` + envKey + `.
The configuration may do so too; vcp config shows it. If nothing names a server or a model, the demo model answers: a small rule-based
planner inside this program, which is not a language model. A model without a server is one of ` + openAI + `, which needs a key.

Model quirks, such as reasoning tags, are chosen by model name; --preset overrides. It takes a name that --preset list shows, or a file,
which docs/models.md describes.

The conversation is kept in the user's own store, with each step before it has an effect; vcp sessions lists and shows what is kept.
Keys and passwords that vcp recognizes are masked in it.
--continue and --session continue a conversation. If its last turn was interrupted, say by a crash, that turn is finished first: calls
with a result are not made again, and of a call whose result is missing the model is told that it may have happened. --resume does only
that. --store names another file, and --no-store keeps nothing. In a file of an application with users, a conversation that belongs to
one of them is continued only if --owner names that user.

Calls that need approval are confirmed on the terminal, whatever standard output and standard error are. The answer y allows the call;
always also allows the method for the rest of the chat; edit changes the arguments first; show displays a call that does not fit the
screen; no denies it, and the model gets the words after no as the reason. What was typed before the question is dropped. If standard
input is not the controlling terminal, nobody is asked. A chat in which a rule or --approve ask needs approval does not begin then.
` + approveHelp + `

With --json each event is printed as one line of JSON in place of the text for people, for programs in other languages.

The exit status is 1 if an answer failed, was truncated, was stopped or is empty.`,
		Example: `  vcp chat "What is 17*23, and which Go files are in protocol/?"
  vcp chat --base-url http://127.0.0.1:11434/v1 --model NAME
  vcp chat --root ~/notes --system "Answer in one sentence." --approve ask
  vcp chat --json "Which files are in docs/?"
  vcp chat --continue "And in docs/?"
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
			if err := flags.session.check(args); err != nil {
				return err
			}
			flags.config.pins.forget = flags.session.none
			return flags.run(std, args, cmd.Flags().Changed("language"))
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	flags.server.add(f)
	addLanguage(f, &flags.language)
	f.StringVar(&flags.audit, "audit", "", "append a record of each tool call to `FILE`, a regular file, as lines of JSON")
	f.BoolVar(&flags.json, "json", false, "print the events of the chat as lines of JSON, as docs/loop.md describes them")
	f.Var(newChoice(&flags.stats, statsOptions()), "stats", "at the end, show statistics of tool calling on standard error")
	f.Lookup("stats").NoOptDefVal = "table"
	flags.session.add(f)
	flags.config.add(f)
	return cmd
}

// run prepares and runs a chat. If languageGiven is false, the language is the preset's.
func (c *chatFlags) run(std streams, args []string, languageGiven bool) error {
	space, err := c.config.open(context.Background(), std)
	if err != nil {
		return err
	}
	defer space.close()
	proto, err := protocolNamed(space.Protocol)
	if err != nil {
		return err
	}
	audit, closeAudit, err := openAudit(c.audit)
	if err != nil {
		return err
	}
	defer closeAudit()
	store, err := c.session.open(context.Background(), func(note string) { fmt.Fprintf(std.err, "vcp chat: %s\n", note) })
	if err != nil {
		return err
	}
	if store != nil {
		defer func() { _ = store.Close() }() // what was written is on the disk
	}
	a := newApprover(std)
	talk := &conversation{
		system: space.own[fieldSystem], registry: space.registry, view: newView(std.out), stderr: std.err, server: &c.server, stats: c.stats,
	}
	a.quiet = talk.view.pause
	saver := fileSaver{space.own[fieldSaveFiles]}
	talk.view.file = saver.report
	talk.view.arguments = func(q *protocol.ToolRequest) string { return unrunArgumentsText(talk.registry, q) }
	talk.open = func(named *settings) (*engine.Engine, *modelClient, error) {
		answers, err := c.server.open(proto, named, std.err)
		if err != nil {
			return nil, nil, err
		}
		preset, err := answers.Preset(context.Background())
		if err != nil {
			answers.close()
			return nil, nil, c.server.explain(err)
		}
		id, err := protocolFor(space.Protocol, &preset)
		if err != nil {
			answers.close()
			return nil, nil, err
		}
		profile := preset.Profile()
		if languageGiven {
			profile.Prompt.Language = c.language
		}
		e, err := space.engine(std, engine.Options{
			Model: answers.Client, Approver: a.approve, Audit: audit, Profile: &profile, Config: engine.Config{Protocol: id},
			Filter: a.mayShow(named), FilterKey: "can be approved",
		})
		if err != nil {
			answers.close()
		}
		return e, answers, err
	}
	if talk.engine, talk.model, err = talk.open(space.settings); err != nil {
		return err
	}
	talk.settings = space.settings
	defer func() { talk.model.close() }() // it may be another by then
	if err := a.mayAsk(talk.engine, space.file); err != nil {
		return err
	}
	a.reportHidden(std.err, space)
	if c.json {
		talk.events = &eventWriter{out: std.out}
		if saver.dir != "" {
			talk.saveFile = func(f tool.File) { fmt.Fprintln(std.err, "vcp chat: "+saver.report(f)) }
		}
	}
	if store == nil {
		talk.store = chat.NewMemoryStore()
		err = talk.clear()
	} else {
		talk.store, talk.owner = store, c.session.owner
		err = talk.openSession(&c.session)
	}
	if err != nil {
		return err
	}
	defer talk.end()
	switch {
	case c.session.finishes:
		return finish(talk)
	case len(args) == 1:
		return oneAnswer(talk, args[0])
	case isTerminal(std.in) && isTerminal(std.out) && !c.json:
		return interactive(talk, a)
	}
	return lineByLine(talk, std.in)
}

// finish only finishes the turn that was interrupted.
func finish(talk *conversation) error {
	if !talk.chat.Interrupted() {
		return errors.New("no turn was interrupted, so there is nothing to resume")
	}
	i := watchInterrupts(talk.quit, func() { talk.quit(true) })
	defer i.stop()
	return talk.turn(i, talk.chat.Resume)
}

// oneAnswer has one answer.
func oneAnswer(talk *conversation, message string) error {
	i := watchInterrupts(talk.quit, func() { talk.quit(true) })
	defer i.stop()
	if err := talk.finishInterrupted(i); err != nil {
		return err
	}
	return talk.turn(i, talk.send(message))
}

// lineByLine shows the answer to each line of the input, and ends with the first failure.
func lineByLine(talk *conversation, in io.Reader) error {
	i := watchInterrupts(talk.quit, func() { talk.quit(true) })
	defer i.stop()
	if err := talk.finishInterrupted(i); err != nil {
		return err
	}
	lines, first := bufio.NewReader(in), true
	for {
		line, err := lines.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("cannot read standard input: %w", err)
		}
		if message := strings.TrimSpace(line); message != "" {
			if !first && talk.events == nil {
				talk.view.blank()
			}
			first = false
			if err := talk.turn(i, talk.send(message)); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
}
