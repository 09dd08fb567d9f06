package terminal

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/term"
)

// Wait shows a person a spinner until End is called. It shows none within a line of the model's
// text, and none if a program reads the output.
func (v *View) Wait() {
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
func (v *View) spin(ended chan struct{}) {
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
	text := fmt.Sprintf("%c %ds", spinnerSigns[s.ticks%len(spinnerSigns)], seconds)
	if v.column()+len(text) >= v.columns() {
		return // backspaces could not erase a spinner that continues in the next row
	}
	v.write(text)
	s.shown, s.ticks = len(text), s.ticks+1
}

// column returns the column of the cursor, from 0.
func (v *View) column() int {
	if v.open == "" {
		return 0
	}
	return v.openCells % v.columns()
}

// columns returns the width of the terminal, in cells.
func (v *View) columns() int {
	width := 0
	if f, ok := v.out.(*os.File); ok {
		width, _, _ = term.GetSize(int(f.Fd()))
	}
	return screen{columns: width}.usable().columns
}
