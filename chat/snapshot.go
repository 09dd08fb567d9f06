package chat

import (
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/text"
)

// snapshotVersion grows when the meaning of a Snapshot's JSON changes.
const snapshotVersion = 2

// Snapshot is a conversation as data, to be kept as JSON. It does not contain what the engine
// knows, such as tools and configuration.
type Snapshot struct {
	Version int    `json:"version"`
	ID      string `json:"id"`
	System  string `json:"system,omitempty"`
	// Replies is how many replies the model has begun, from 0 to engine.MaxReplies. The ids of
	// later requests are above it.
	Replies  int       `json:"replies"`
	Messages []Message `json:"messages"` // never nil
}

// Snapshot returns a copy of the conversation as it is now. While a turn runs, the copy contains
// the turns before it, the user's message and the replies that are complete and answered. After
// Restore, use Continue to go on from there.
//
// A reply is answered when all of its calls have results. If the process dies before that, no
// Snapshot says which of its calls ran: after Restore and Continue the model may request them
// again, and they run again. With Options.Store no call runs twice unless its method is idempotent,
// so an application that must survive a crash uses a store.
func (c *Conversation) Snapshot() Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Snapshot{
		Version: snapshotVersion, ID: c.ID(), System: text.Valid(c.system), Replies: c.tools.session.Replies(),
		Messages: cloneMessages(c.history),
	}
}

// Restore returns the conversation of a snapshot, in which the model sees what v does not hide. The
// engine may be another than before, and may use another protocol. Restore keeps nothing of s. The
// system prompt is that of s; SetSystem replaces it. The error is a *SnapshotError if Snapshot
// could not have made s, for example because a request has no result. A restored conversation gives
// a Snapshot that Restore takes, however it goes on. The work grows with the size of s.
func Restore(e *engine.Engine, s Snapshot, v engine.Visibility) (*Conversation, error) {
	if e == nil {
		return nil, errNoEngine
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	return &Conversation{
		tools:   &Tools{engine: e, session: e.OpenSession(engine.SessionOptions{ID: s.ID, Replies: s.Replies, Visibility: v})},
		system:  s.System,
		history: cloneMessages(s.Messages),
	}, nil
}
