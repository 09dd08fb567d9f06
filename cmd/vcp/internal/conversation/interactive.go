package conversation

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/peterh/liner"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
)

// quitHint is shown after the first Ctrl-C.
const quitHint = "(Ctrl-C once more quits)\n"

// interactive runs a conversation on a terminal.
func interactive(talk *conversation, a *terminal.Approver) error {
	out := talk.out
	fmt.Fprintf(out, "Talking with %s. Ctrl-C stops an answer; Ctrl-C twice or Ctrl-D quits; /help shows the commands.\n", terminal.Visible(talk.model.String()))
	lines, err := terminal.NewLineEditor(slashCommandNames)
	defer lines.Close()
	if err != nil {
		fmt.Fprintf(out, "[note] the history of messages is not kept: %s\n", terminal.OneLine(err.Error()))
	}
	a.LineMode = lines.LineMode
	i := watchInterrupts(func(person bool) {
		lines.Close()
		fmt.Fprintln(out)
		talk.end()
		if person {
			os.Exit(cli.ExitOK)
		}
		os.Exit(cli.ExitFailure)
	}, func() { fmt.Fprint(out, "\n"+quitHint+terminal.Prompt) })
	defer i.stop()
	if err := talk.finishInterrupted(i); err != nil {
		if err := talk.showFailure(err); err != nil {
			return err
		}
	}
	for {
		message, err := readMessage(out, lines, a, i)
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("cannot read from the terminal: %w", err)
		}
		lines.Remember(message)
		err = talk.input(i, message)
		if errors.Is(err, errExit) {
			return nil
		}
		if err := talk.showFailure(err); err != nil {
			return err
		}
	}
}

// showFailure shows why there is no answer, and an empty line. It returns an error of the output,
// which ends the conversation.
func (c *conversation) showFailure(err error) error {
	if errors.As(err, new(*cli.OutputError)) {
		return err
	}
	if err != nil {
		c.view.Failure(terminal.OneLine(err.Error()))
	}
	c.view.Blank()
	return nil
}

// readMessage returns the next typed message, or io.EOF if the person quits.
func readMessage(out io.Writer, lines *terminal.LineEditor, a *terminal.Approver, i *interrupts) (string, error) {
	for {
		line, err := a.Alone(lines.Read)
		switch {
		case errors.Is(err, liner.ErrPromptAborted):
			if _, again := i.press(); again {
				return "", io.EOF
			}
			fmt.Fprint(out, quitHint)
			continue
		case err != nil:
			if errors.Is(err, io.EOF) {
				fmt.Fprintln(out)
			}
			return "", err
		}
		i.forget()
		if line = strings.TrimSpace(line); line != "" {
			return line, nil
		}
	}
}
