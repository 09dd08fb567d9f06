package server

import (
	"crypto/rand"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// eventLog keeps the newest events of a conversation for the web pages that watch it. It is safe
// for concurrent use. If a web page reads too slowly, the log drops events that the page has not
// read. The page is then told to load the conversation again. A slow page does not delay others.
type eventLog struct {
	name string // differs for each log, so that ids of other logs are recognized

	mu     sync.Mutex
	first  int64         // the number of events[0]
	events [][]byte      // data of events; nobody changes them
	size   int           // the length of all data in events
	more   chan struct{} // closed when an event is added, or when the log is closed
	closed bool
}

func newEventLog() *eventLog {
	return &eventLog{name: rand.Text()[:10], first: 1, more: make(chan struct{})}
}

// add appends an event and returns its number, or 0 if the log is closed.
func (l *eventLog) add(data []byte) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return 0
	}
	l.events = append(l.events, data)
	l.size += len(data)
	for l.size > logBytes || len(l.events) > logEvents {
		l.size -= len(l.events[0])
		l.events[0] = nil
		l.events, l.first = l.events[1:], l.first+1
	}
	close(l.more)
	l.more = make(chan struct{})
	return l.first + int64(len(l.events)) - 1
}

// close ends the log. Its readers get what they have not read yet.
func (l *eventLog) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.closed = true
		close(l.more)
	}
}

// maxBatch limits the events that a reader gets at once.
const maxBatch = 64

// after returns up to maxBatch events after the event number n. If there are none yet, more is
// closed when there is one, or when the log is closed. closed reports that no events will be added.
// missed reports that the log has dropped events after n, or that n is not a number of this log. If
// missed is true, the other results are zero.
func (l *eventLog) after(n int64) (events [][]byte, more <-chan struct{}, closed, missed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	next := l.first + int64(len(l.events))
	if n < l.first-1 || n >= next {
		return nil, nil, false, true
	}
	events = l.events[n+1-l.first:]
	// The events are cloned, because add clears those that it drops.
	return slices.Clone(events[:min(len(events), maxBatch)]), l.more, l.closed, false
}

// last returns the number of the newest event, or 0 before the first one.
func (l *eventLog) last() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.first + int64(len(l.events)) - 1
}

// available returns n or, if the log has dropped events after n, the number of the last event that
// it has dropped.
func (l *eventLog) available(n int64) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return max(n, l.first-1)
}

// id returns the id of an event in a stream of server-sent events.
func (l *eventLog) id(n int64) string { return l.name + "-" + strconv.FormatInt(n, 10) }

// number returns the number in an id of this log.
func (l *eventLog) number(id string) (n int64, ok bool) {
	name, digits, _ := strings.Cut(id, "-")
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil && name == l.name
}

// frame returns an event in the form of server-sent events. data is JSON, in which line breaks are
// white space.
func frame(id string, data []byte) []byte {
	b := make([]byte, 0, len(id)+len(data)+16)
	b = append(b, "id: "+id+"\ndata: "...)
	for _, c := range data {
		if c == '\n' || c == '\r' {
			c = ' '
		}
		b = append(b, c)
	}
	return append(b, "\n\n"...)
}
