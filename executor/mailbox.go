package executor

import "sync"

// maxBacklog limits the bytes that wait in a mailbox. The messages of a batch count as 0 bytes,
// except updates of progress.
const (
	maxBacklog      = 1 << 20
	messageOverhead = 256 // what each update counts in addition to its bytes
)

// A mailbox passes messages to one receiver. It never makes a sender wait, so a slow receiver does
// not slow a tool down.
type mailbox[T any] struct {
	mu       sync.Mutex
	messages []message[T]
	bytes    int           // of all messages
	first    [1]message[T] // storage for messages while there is only one
	ready    chan struct{} // holds a token if there may be messages
}

type message[T any] struct {
	content T
	bytes   int
}

// hasRoom reports whether a message of that many bytes would be kept now.
func (m *mailbox[T]) hasRoom(bytes int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.bytes+bytes <= maxBacklog
}

// post adds a message that counts as that many bytes, or drops it if there is no room. A message of
// 0 bytes is never dropped.
func (m *mailbox[T]) post(content T, bytes int) {
	m.mu.Lock()
	if len(m.messages) == 0 {
		m.messages = m.first[:0]
	}
	if bytes == 0 || m.bytes+bytes <= maxBacklog {
		m.messages, m.bytes = append(m.messages, message[T]{content, bytes}), m.bytes+bytes
	}
	m.mu.Unlock()
	select {
	case m.ready <- struct{}{}:
	default:
	}
}

func (m *mailbox[T]) empty() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.messages) == 0
}

func (m *mailbox[T]) take() (content T, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.messages) == 0 {
		return content, false
	}
	taken := m.messages[0]
	m.messages[0] = message[T]{} // free what it refers to
	m.messages = m.messages[1:]
	m.bytes -= taken.bytes
	return taken.content, true
}

// arrival says how a wait ended.
type arrival uint8

const (
	arrivedMessage arrival = iota
	arrivedDone
	arrivedExpired
)

// next waits for a message, or until done or expired is closed. done takes precedence over
// messages, since messages may never stop. Messages take precedence over expired: they arrived in
// time.
func (m *mailbox[T]) next(done, expired <-chan struct{}) (content T, what arrival) {
	late := false
	for {
		select {
		case <-done:
			return content, arrivedDone
		default:
		}
		if content, ok := m.take(); ok {
			return content, arrivedMessage
		}
		if late {
			return content, arrivedExpired
		}
		select {
		case <-m.ready:
		case <-done:
		case <-expired:
			late = true
		}
	}
}
