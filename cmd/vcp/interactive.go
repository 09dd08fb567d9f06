package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/peterh/liner"
)

const hint = "(Ctrl-C once more quits)\n"

// interactive runs a conversation on a terminal.
func interactive(talk *conversation, a *approver) error {
	out := talk.view.out
	fmt.Fprintf(out, "Talking with %s. Ctrl-C stops an answer; Ctrl-C twice or Ctrl-D quits; /help shows the commands.\n", visible(talk.model.String()))
	past, err := loadHistory()
	if err != nil {
		fmt.Fprintf(out, "[note] the history of messages is not kept: %s\n", oneLine(err.Error()))
	}
	normal, _ := liner.TerminalMode() // no error: the caller checked for a terminal
	lines := liner.NewLiner()
	editing, _ := liner.TerminalMode()
	var mode modes
	restoreTerminal := func() { mode.end(func() { _ = lines.Close() }) }
	defer restoreTerminal()
	lines.SetCtrlCAborts(true)
	lines.SetMultiLineMode(true)
	lines.SetCompleter(slashCommandNames)
	for _, line := range past.lines {
		lines.AppendHistory(line)
	}
	i := watchInterrupts(func(person bool) {
		restoreTerminal()
		fmt.Fprintln(out)
		talk.end()
		if person {
			os.Exit(exitOK)
		}
		os.Exit(exitFailure)
	}, func() { fmt.Fprint(out, "\n"+hint+prompt) })
	defer i.stop()
	a.lineMode = func() func() {
		mode.set(func() { _ = normal.ApplyMode() })
		return func() { mode.set(func() { _ = editing.ApplyMode() }) }
	}
	prompted := func() (string, error) { return lines.Prompt(prompt) }
	if liner.TerminalSupported() {
		// The library shows the prompt before it makes Ctrl-C a key, and a person may press Ctrl-C
		// in between.
		prompted = func() (string, error) {
			mode.set(makeCtrlCAKey)
			defer mode.set(func() { _ = editing.ApplyMode() })
			return lines.Prompt(prompt)
		}
	}
	if talk.chat.Interrupted() {
		if err := talk.finishInterrupted(i); err != nil {
			if errors.As(err, new(*outputError)) {
				return err
			}
			talk.view.failure(oneLine(err.Error()))
			talk.view.blank()
		}
	}
	for {
		message, err := readMessage(out, prompted, a, i)
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("cannot read from the terminal: %w", err)
		}
		lines.AppendHistory(message)
		past.add(message)
		if err := talk.input(i, message); err != nil {
			if errors.Is(err, errExit) {
				return nil
			}
			if errors.As(err, new(*outputError)) {
				return err
			}
			talk.view.failure(oneLine(err.Error()))
		}
		talk.view.blank()
	}
}

// modes orders changes of the terminal's mode. No change follows the last one, which restores the
// terminal. A person may quit while a question is withdrawn or before a prompt is shown.
type modes struct {
	mu    sync.Mutex
	ended bool
}

// set changes the mode. If the program is about to exit, it does not return.
func (m *modes) set(change func()) {
	m.mu.Lock()
	if m.ended {
		m.mu.Unlock()
		select {}
	}
	defer m.mu.Unlock()
	change()
}

// end changes the mode for the last time.
func (m *modes) end(change func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ended = true
	change()
}

// readMessage returns the next typed message, or io.EOF if the person quits.
func readMessage(out io.Writer, prompted func() (string, error), a *approver, i *interrupts) (string, error) {
	for {
		line, err := a.alone(prompted)
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
