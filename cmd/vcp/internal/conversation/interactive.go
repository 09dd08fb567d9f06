package conversation

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/peterh/liner"

	"github.com/vcpgo/vcp/chat"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
)

// interactive runs a conversation on a terminal.
func (c *conversation) interactive(a *terminal.Approver) error {
	out := c.out
	fmt.Fprintln(out, c.Say("Talking with %v. Ctrl-C stops an answer; Ctrl-C twice or Ctrl-D quits; /help shows the commands.",
		c.modelText()))
	mask := func(message string) string { return chat.MaskSecrets(c.engine, message) }
	if c.keepsNothing {
		mask = nil
	}
	lines := terminal.NewLineEditor(slashCommandNames, mask)
	defer lines.Close()
	if err := lines.HistoryErr; err != nil {
		c.view.Note(c.Say("the history of messages is not kept: %s", terminal.OneLine(err.Error())))
	}
	a.LineMode = lines.LineMode
	i := watchInterrupts(func(person bool) {
		lines.Close()
		fmt.Fprintln(out)
		c.end()
		if person {
			os.Exit(cli.ExitOK)
		}
		os.Exit(cli.ExitFailure)
	}, func() { fmt.Fprint(out, "\n"+c.quitHint()+terminal.Prompt) })
	defer i.stop()
	if err := c.finishInterrupted(i); err != nil {
		if err := c.showFailure(err); err != nil {
			return err
		}
	}
	for {
		message, err := c.readMessage(lines, a, i)
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return errorf("cannot read from the terminal: %v", err)
		}
		lines.Remember(message)
		err = c.input(i, message)
		if errors.Is(err, errExit) {
			return nil
		}
		if err := c.showFailure(err); err != nil {
			return err
		}
	}
}

// showFailure shows an error, if err is not nil, and an empty line. It returns an error of the
// output, which ends the conversation.
func (c *conversation) showFailure(err error) error {
	if errors.As(err, new(*cli.OutputError)) {
		return err
	}
	if errors.Is(err, chat.ErrChanged) {
		err = errorf("the conversation was continued elsewhere, so nothing was changed; "+
			"quit and start vcp chat again with --session %s", terminal.Visible(c.chat.ID()))
	}
	if err != nil {
		c.view.Failure(c.failure(err))
	}
	c.view.Blank()
	return nil
}

// readMessage returns the next typed message, or io.EOF if the person quits.
func (c *conversation) readMessage(lines *terminal.LineEditor, a *terminal.Approver, i *interrupts) (string, error) {
	for {
		line, err := a.Alone(lines.Read)
		switch {
		case errors.Is(err, liner.ErrPromptAborted):
			if _, again := i.press(); again {
				return "", io.EOF
			}
			fmt.Fprint(c.out, c.quitHint())
			continue
		case err != nil:
			if errors.Is(err, io.EOF) {
				fmt.Fprintln(c.out)
			}
			return "", err
		}
		i.forget()
		if line = strings.TrimSpace(line); line != "" {
			return line, nil
		}
	}
}

// quitHint is shown after the first Ctrl-C.
func (c *conversation) quitHint() string { return c.Say("(Ctrl-C once more quits)") + "\n" }
