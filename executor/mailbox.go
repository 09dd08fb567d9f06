package executor

import "sync"

const (
	// maxBacklog limits the updates of progress that wait in a mailbox, in bytes.
	maxBacklog     = 1 << 20
	updateOverhead = 256 // what each update counts in addition to its bytes
)

// A mailbox passes events to one receiver. It never makes a sender wait, so a slow receiver does
// not slow a tool down.
type mailbox struct {
	mu     sync.Mutex
	events []event
	bytes  int           // of all events
	first  [1]event      // storage for events while there is only one
	ready  chan struct{} // holds a token if there may be events
}

// hasRoom reports whether an event of that many bytes would be kept now.
func (m *mailbox) hasRoom(bytes int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.bytes+bytes <= maxBacklog
}

// post adds an event, or drops it if there is no room. Only updates of progress have bytes, so no
// other event is dropped.
func (m *mailbox) post(e event) {
	m.mu.Lock()
	if len(m.events) == 0 {
		m.events = m.first[:0]
	}
	if e.bytes == 0 || m.bytes+e.bytes <= maxBacklog {
		m.events, m.bytes = append(m.events, e), m.bytes+e.bytes
	}
	m.mu.Unlock()
	select {
	case m.ready <- struct{}{}:
	default:
	}
}

func (m *mailbox) empty() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.events) == 0
}

func (m *mailbox) take() (e event, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.events) == 0 {
		return e, false
	}
	e = m.events[0]
	m.events[0] = event{} // free what it refers to
	m.events = m.events[1:]
	m.bytes -= e.bytes
	return e, true
}

// next waits for an event, or until done is closed; then ok is false. done takes precedence over
// events, since events may never stop.
func (m *mailbox) next(done <-chan struct{}) (e event, ok bool) {
	for {
		select {
		case <-done:
			return e, false
		default:
		}
		if e, ok := m.take(); ok {
			return e, true
		}
		select {
		case <-m.ready:
		case <-done:
		}
	}
}
