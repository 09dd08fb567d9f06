package terminal

import (
	"sync"

	"github.com/peterh/liner"
)

// LineEditor reads the messages that a person types after a prompt, with a history. It works
// without the history, too.
type LineEditor struct {
	HistoryErr error // why the history of messages is not kept; nil if it is kept

	lines *liner.State
	// outside and inside are the modes of the terminal outside of the editor and in it.
	outside, inside liner.ModeApplier
	history         *history

	mu     sync.Mutex
	closed bool
}

// NewLineEditor returns an editor for the terminal on the standard streams. complete returns the
// completions of a line. mask returns a message without secrets, as the file of the history keeps
// it; if mask is nil, that file is neither read nor written. The caller closes the editor.
func NewLineEditor(complete func(line string) []string, mask func(message string) string) *LineEditor {
	e := &LineEditor{history: &history{}}
	if mask != nil {
		e.history, e.HistoryErr = loadHistory(mask)
	}
	e.outside, _ = liner.TerminalMode() // no error: the caller checked for a terminal
	e.lines = liner.NewLiner()
	e.inside, _ = liner.TerminalMode()
	e.lines.SetCtrlCAborts(true)
	e.lines.SetMultiLineMode(true)
	e.lines.SetCompleter(complete)
	for _, line := range e.history.lines {
		e.lines.AppendHistory(line)
	}
	return e
}

// Read shows the prompt and returns the line that is typed after it. The error is
// liner.ErrPromptAborted for Ctrl-C, and io.EOF for Ctrl-D.
func (e *LineEditor) Read() (string, error) {
	if liner.TerminalSupported() {
		// The library shows the prompt before it keeps Ctrl-C from interrupting the program, and a
		// person may press Ctrl-C in between.
		e.setMode(disableInterrupt)
		defer e.setMode(func() { _ = e.inside.ApplyMode() })
	}
	return e.lines.Prompt(Prompt)
}

// Remember adds a message to the history: in memory as it is, and in its file without secrets.
func (e *LineEditor) Remember(message string) {
	e.lines.AppendHistory(message)
	e.history.add(message)
}

// LineMode puts the terminal into the mode in which it delivers whole lines, until restore is
// called.
func (e *LineEditor) LineMode() (restore func()) {
	e.setMode(func() { _ = e.outside.ApplyMode() })
	return func() { e.setMode(func() { _ = e.inside.ApplyMode() }) }
}

// setMode changes the mode of the terminal. After Close it blocks forever, so that the mode that
// Close restored stays until the program exits. When a person quits, another goroutine may be about
// to change the mode, because a question has ended or a prompt follows.
func (e *LineEditor) setMode(change func()) {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		select {}
	}
	defer e.mu.Unlock()
	change()
}

// Close restores the mode of the terminal. The program must exit after it.
func (e *LineEditor) Close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.closed {
		e.closed = true
		_ = e.lines.Close()
	}
}
