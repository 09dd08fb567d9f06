package executor

import (
	"strings"
	"sync"
	"time"
)

// A note tells the goroutine that called Execute what happened on another one.
type note struct {
	kind  noteKind
	call  int   // index of the call
	stage stage // that the call was in; a note for a stage that is over means nothing
	at    time.Time

	text    string   // noteProgress
	outcome *outcome // noteReturned
	reply   *reply   // noteAnswered
	through bool     // noteAdmitted
	summary *summary // noteSummarized
}

type noteKind uint8

const (
	noteProgress   noteKind = iota
	noteReturned            // the handler is done
	noteAnswered            // the approver is done
	noteAdmitted            // what the call has waited for is there, or never will be
	noteHandedOut           // the application may answer the call
	noteExpired             // the context of the stage is done
	noteOverdue             // the handler or hook has had its time to heed that
	noteSummarized          // the summariser is done
)

// An inbox collects notes without ever making their sender wait, so that a tool's time does not depend on who listens.
type inbox struct {
	mu    sync.Mutex
	notes []note
	bytes int           // of the progress among them
	first [1]note       // memory of notes while they are few, as they mostly are
	ready chan struct{} // holds a token while notes may be non-empty; one receiver
}

// Limits of progress, in bytes. A longer text is shortened, and what would wait beside more than maxBacklog is dropped. The other kinds
// of note are at most six a call.
const (
	maxProgress  = 64 << 10
	maxBacklog   = 1 << 20
	noteOverhead = 256 // what a note counts besides its text
)

// postProgress posts what a tool tells, if there is room. The text may be part of one that is much longer, so a copy waits.
func (b *inbox) postProgress(n note, text string) {
	text = cutAt(text, maxProgress)
	b.mu.Lock()
	room := b.bytes+noteOverhead+len(text) <= maxBacklog
	b.mu.Unlock()
	if !room {
		return
	}
	n.kind, n.text = noteProgress, strings.Clone(validText(text))
	b.post(n)
}

func (b *inbox) post(n note) {
	n.at = time.Now()
	b.mu.Lock()
	if len(b.notes) == 0 {
		b.notes = b.first[:0]
	}
	if size := n.size(); b.bytes+size <= maxBacklog {
		b.notes, b.bytes = append(b.notes, n), b.bytes+size
	}
	b.mu.Unlock()
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

// size is what a note counts of maxBacklog.
func (n *note) size() int {
	if n.kind != noteProgress {
		return 0
	}
	return noteOverhead + len(n.text)
}

// arrival is what a wait ended with.
type arrival uint8

const (
	arrivedNote arrival = iota
	arrivedDone
	arrivedExpired
)

// next waits for a note and takes it out, or for a channel to be closed: done, which it looks at first, since notes may come all the time, or
// expired, which it looks at last: a note that is there was in time.
func (b *inbox) next(done, expired <-chan struct{}) (n note, what arrival) {
	late := false
	for {
		select {
		case <-done:
			return n, arrivedDone
		default:
		}
		b.mu.Lock()
		if len(b.notes) > 0 {
			n, b.notes[0] = b.notes[0], note{} // what has been taken is not held
			b.notes = b.notes[1:]
			b.bytes -= n.size()
			b.mu.Unlock()
			return n, arrivedNote
		}
		b.mu.Unlock()
		if late {
			return n, arrivedExpired
		}
		select {
		case <-b.ready:
		case <-done:
		case <-expired:
			late = true
		}
	}
}
