package mcp

import (
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Limits of a backlog.
const (
	maxUnanswered = 100
	maxBacklog    = 2 * maxMessage // in bytes
	messageCost   = 1 << 10        // what the SDK needs for a message besides its text, in bytes
)

// errUnread is the error for a server that exceeds a limit of its backlog.
var errUnread = errorf("the server sends requests and does not read the responses")

// backlog counts the messages of a server that the SDK keeps. The SDK handles requests and
// notifications of a server one after the other, and reads on meanwhile. So it keeps all messages
// that follow a request whose response cannot be written. A backlog is safe for concurrent use.
type backlog struct {
	mu         sync.Mutex
	unanswered int // requests of the server that have no response yet
	bytes      int // cost of the messages since unanswered was last 0
}

// received counts a message of the server, whose text has size bytes. It returns errUnread if the
// backlog exceeds a limit.
func (b *backlog) received(m jsonrpc.Message, size int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		b.unanswered++
	}
	if b.unanswered > 0 {
		b.bytes += size + messageCost
	}
	if b.unanswered > maxUnanswered || b.bytes > maxBacklog {
		return errUnread
	}
	return nil
}

// answered counts a response to the server.
func (b *backlog) answered() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.unanswered = max(0, b.unanswered-1); b.unanswered == 0 {
		b.bytes = 0
	}
}
