package executor

import (
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
	first [1]note       // memory of notes while they are few, as they mostly are
	ready chan struct{} // holds a token while notes may be non-empty; one receiver
}

// maxBacklog bounds the notes that wait: above it, progress is dropped. The other kinds are at most six a call.
const maxBacklog = 1024

func (b *inbox) post(n note) {
	n.at = time.Now()
	b.mu.Lock()
	if len(b.notes) == 0 {
		b.notes = b.first[:0]
	}
	if n.kind != noteProgress || len(b.notes) < maxBacklog {
		b.notes = append(b.notes, n)
	}
	b.mu.Unlock()
	select {
	case b.ready <- struct{}{}:
	default:
	}
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
			n = b.notes[0]
			b.notes = b.notes[1:]
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
