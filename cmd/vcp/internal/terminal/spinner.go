package terminal

import (
	"strings"
	"time"

	"github.com/vcpgo/vcp/engine"
)

// spinner shows a person that the model or a tool is working, and for how many seconds. It is
// written after the text in the cursor's line, and is erased before anything else is written. The
// zero value shows nothing.
type spinner struct {
	since time.Time     // the start of the work
	ended chan struct{} // closed when the spinner stops; nil if it does not run
	ticks int           // how often the spinner was shown; selects the sign
	shown int           // the width of the spinner on the screen, in cells
}

const spinnerSigns = `|/-\`

// stop ends the spinner. Its text on the screen is erased when the next text is written.
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

// erase returns the text that removes the spinner from the screen. It uses backspaces, which every
// terminal supports.
func (s *spinner) erase() string {
	n := s.shown
	s.shown = 0
	return strings.Repeat("\b", n) + strings.Repeat(" ", n) + strings.Repeat("\b", n)
}
