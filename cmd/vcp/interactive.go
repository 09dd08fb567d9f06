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
	defer lines.Close()
	editing, _ := liner.TerminalMode()
	lines.SetCtrlCAborts(true)
	lines.SetMultiLineMode(true)
	for _, line := range past.lines {
		lines.AppendHistory(line)
	}
	i := watchInterrupts(func(person bool) {
		_ = lines.Close() // gives the terminal back as it was
		fmt.Fprintln(out)
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
		a.wait()
		line, err := lines.Prompt(prompt)
		switch {
		case errors.Is(err, liner.ErrPromptAborted):
			if _, again := i.press(); again {
				return nil
			}
			fmt.Fprint(out, hint)
			continue
		case errors.Is(err, io.EOF):
			fmt.Fprintln(out)
			return nil
		case err != nil:
			return fmt.Errorf("cannot read from the terminal: %w", err)
		}
		i.forget()
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		lines.AppendHistory(line)
		past.add(line)
		if err := talk.turn(i, line); err != nil {
			if errors.As(err, new(*outputError)) {
				return err
			}
			talk.view.failure(oneLine(err.Error()))
		}
		talk.view.blank()
	}
}
