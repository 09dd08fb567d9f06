package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/peterh/liner"
)

const (
	prompt = "> "
	hint   = "(Ctrl-C once more leaves)\n"
)

// interactive has a conversation on a terminal.
func interactive(talk *conversation, a *asker, answers *answerer) error {
	out := talk.view.out
	fmt.Fprintf(out, "Talking with %s. Ctrl-C stops an answer, Ctrl-C twice or Ctrl-D leaves.\n", answers)
	past, err := loadHistory()
	if err != nil {
		fmt.Fprintf(out, "[note] the history of messages is not kept: %s\n", oneLine(err.Error()))
	}
	normal, _ := liner.TerminalMode() // it is a terminal
	lines := liner.NewLiner()
	defer func() { _ = lines.Close() }()
	editing, _ := liner.TerminalMode()
	lines.SetCtrlCAborts(true)
	lines.SetMultiLineMode(true)
	for _, line := range past.lines {
		lines.AppendHistory(line)
	}
	i := watchInterrupts(func(person bool) {
		_ = lines.Close() // gives the terminal back as it was
		fmt.Fprintln(out)
		talk.atEnd()
		if person {
			os.Exit(exitOK)
		}
		os.Exit(exitFailure)
	}, func() { fmt.Fprint(out, "\n"+hint+prompt) })
	defer i.stop()
	a.normal = func() func() {
		_ = normal.ApplyMode()
		return func() { _ = editing.ApplyMode() }
	}
	for {
		message, err := readMessage(out, lines, a, i)
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("cannot read from the terminal: %w", err)
		}
		lines.AppendHistory(message)
		past.add(message)
		if err := talk.turn(i, message); err != nil {
			if errors.As(err, new(*outputError)) {
				return err
			}
			talk.view.failure(oneLine(err.Error()))
		}
		talk.view.blank()
	}
}

// readMessage has a message typed. It returns io.EOF where the person leaves.
func readMessage(out io.Writer, lines *liner.State, a *asker, i *interrupts) (string, error) {
	for {
		line, err := a.alone(func() (string, error) { return lines.Prompt(prompt) })
		switch {
		case errors.Is(err, liner.ErrPromptAborted):
			if _, again := i.press(); again {
				return "", io.EOF
			}
			fmt.Fprint(out, hint)
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
