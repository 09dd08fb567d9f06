package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
	"github.com/vcpgo/vcp/cmd/vcp/internal/conversation"
	"github.com/vcpgo/vcp/cmd/vcp/internal/modelclient"
	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
)

func newChat(std cli.Streams) *cobra.Command {
	var flags conversation.Flags
	cmd := &cobra.Command{
		Use:   "chat [MESSAGE]",
		Short: "Talk with a model that can use tools",
		Long: `chat sends MESSAGE to a model, shows its words as they come and each tool call as it happens, and ends with its answer.
Without MESSAGE it reads one message per line from standard input. On a terminal you get an interactive prompt with history and with
commands, which /help lists: among others /retry, /history, /edit and /switch. There Ctrl-C stops an answer; Ctrl-C twice or Ctrl-D
quits. To send a message that begins with /, write // in place of that /.

--base-url and --model choose the model, or the environment does: ` + configuration.EnvBaseURL + `, ` +
			configuration.EnvModel + ` and ` + configuration.EnvKey + `.
The configuration may do so too; vcp config shows it. If nothing names a server or a model, the demo model answers: a small rule-based
planner inside this program, which is not a language model. If only a model is named, the server is ` +
			modelclient.OpenAI + `, which needs a key.

Model quirks, such as reasoning tags, are chosen by model name; --preset overrides. It takes a name that --preset list shows, or a file,
which docs/models.md describes.

The conversation is kept in the user's own store. Each step is stored before it has an effect, so that little is lost in a crash; vcp
sessions lists and shows what is kept. In the store, keys and passwords that vcp recognizes are masked.
--continue and --session continue a conversation. If its last turn was interrupted, say by a crash, that turn is finished first: calls
with a result are not made again. A call that had started and has no result is made again if its method is idempotent; otherwise the
model is told that it may have happened. --resume only finishes the interrupted turn. --store names another file, and --no-store keeps
nothing. The conversations of an application may belong to its users. Then --owner must name the user whose conversation is continued.

Calls that need approval are confirmed on the terminal, even if standard output or standard error is a file. The answer y allows the call;
always also allows later calls of the method in this chat, but of a dangerous method only with the same arguments; edit changes the
arguments first; show displays a call that does not fit the screen; no denies it, and the model gets the words after no as the reason.
What was typed before the question is dropped. If standard input is not the controlling terminal, nobody is asked. Then a chat does not
begin if --approve ask, or a rule of the configuration, requires that somebody is asked.
` + terminal.ApproveHelp + `

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
				return cli.Usagef("one MESSAGE is allowed, and a second was given: %q; put the message in quotation marks",
					args[1])
			}
			if len(args) == 1 && strings.TrimSpace(args[0]) == "" {
				return cli.Usagef("MESSAGE is empty; omit it to be asked for messages")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return flags.Run(std, args)
		},
	}
	flags.Add(cmd.Flags())
	return cmd
}
