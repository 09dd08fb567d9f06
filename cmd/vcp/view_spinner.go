package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/vcpgo/vcp/engine"
)

// spinner shows a person that the model or a tool works, and for how many seconds. It stands after
// the text of the line that the cursor is in, and is erased before anything else is written. The
// zero value shows nothing.
type spinner struct {
	since time.Time // the start of the work
	ended chan struct{}
	turns int
	shown int // cells
}

const spinnerSigns = `|/-\`

// stop ends the spinner. What it shows is erased with the next text.
func (s *spinner) stop() {
	if s.ended != nil {
		close(s.ended)
		s.ended = nil
	}
}

// restart counts the seconds from zero when other work begins.
func (s *spinner) restart(kind engine.EventKind) {
	switch kind {
	case engine.EventToolStarted, engine.EventIterationDone:
		s.since = time.Now()
	}
}

// erase returns what removes the spinner from the screen: backspaces, which every terminal knows.
func (s *spinner) erase() string {
	n := s.shown
	s.shown = 0
	return strings.Repeat("\b", n) + strings.Repeat(" ", n) + strings.Repeat("\b", n)
}

// wait shows a person a spinner until end is called. It shows nothing in a line of the model's
// text, nor to a program.
func (v *view) wait() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.forPerson || v.spinner.ended != nil {
		return
	}
	ended := make(chan struct{})
	v.spinner.ended, v.spinner.since = ended, time.Now()
	go func() {
		ticks := time.NewTicker(time.Second)
		defer ticks.Stop()
		for {
			select {
			case <-ended:
				return
			case <-ticks.C:
				v.spin(ended)
			}
		}
	}()
}

// spin shows the seconds that have passed, unless the spinner has ended.
func (v *view) spin(ended chan struct{}) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.spinner.ended != ended || v.inLine && v.open == "" {
		return
	}
	seconds := int(time.Since(v.spinner.since) / time.Second)
	if seconds == 0 {
		return
	}
	s := &v.spinner
	text := fmt.Sprintf("%c %ds", spinnerSigns[s.turns%len(spinnerSigns)], seconds)
	if v.column()+len(text) >= v.columns() {
		return // a terminal does not go back over the start of a row
	}
	v.write(text)
	s.shown, s.turns = len(text), s.turns+1
}

// column is the cell of the cursor in its row.
func (v *view) column() int {
	if v.open == "" {
		return 0
	}
	return v.openCells % v.columns()
}

// columns is the width of the terminal, in cells.
func (v *view) columns() int {
	width := 0
	if f, ok := v.out.(*os.File); ok {
		width, _, _ = term.GetSize(int(f.Fd()))
	}
	return screen{columns: width}.usable().columns
}
