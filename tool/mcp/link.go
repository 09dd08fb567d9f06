package mcp

import (
	"context"
	"sync"
	"time"
)

// reconnectWait is how long a call waits for the next connection after one was lost.
const reconnectWait = 5 * time.Second

// link tells the calls of a source which session to use. Use newLink to create a link. It is safe
// for concurrent use.
type link struct {
	mu      sync.Mutex
	session *session      // nil while there is no connection
	reason  error         // why calls do not wait for a session; nil if they wait
	changed chan struct{} // closed by the next update
}

func newLink() *link { return &link{changed: make(chan struct{})} }

// update sets the session and the reason, and wakes the calls that wait.
func (l *link) update(s *session, reason error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.session, l.reason = s, reason
	close(l.changed)
	l.changed = make(chan struct{})
}

// state returns the state of the link, and a channel that the next update closes.
func (l *link) state() (s *session, changed <-chan struct{}, reason error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.session, l.changed, l.reason
}

// wait returns a session that is not known to be lost. If the source is connecting, it waits up to
// reconnectWait for the session. If there is no session, it returns nil and the reason.
func (l *link) wait(ctx context.Context) (s *session, reason error) {
	timeout := time.NewTimer(reconnectWait)
	defer timeout.Stop()
	for {
		s, changed, reason := l.state()
		if s != nil && s.life.Err() == nil {
			return s, nil
		}
		if reason != nil {
			return nil, reason
		}
		select {
		case <-changed:
		case <-timeout.C:
			return nil, errNotBack
		case <-ctx.Done():
			return nil, errEnded
		}
	}
}
