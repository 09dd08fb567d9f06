package chat

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
)

// snapshotVersion is raised when the meaning of a Snapshot's JSON changes.
const snapshotVersion = 1

// Snapshot is a conversation as data, to be kept as JSON. What the engine knows, such as tools and configuration, is no part of it.
type Snapshot struct {
	Version int    `json:"version"`
	ID      string `json:"id"`
	System  string `json:"system,omitempty"`
	// Replies is how many replies the model has begun. Ids of requests go on above it.
	Replies  int       `json:"replies"`
	Messages []Message `json:"messages"` // never nil
}

// Snapshot returns a copy of the conversation as it is now. While a turn runs, it holds the turns before it, the user's message and
// the replies that are complete and answered: restored, the conversation can go on with Continue.
func (c *Conversation) Snapshot() Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Snapshot{
		Version: snapshotVersion, ID: c.ID(), System: valid(c.system), Replies: c.tools.session.Replies(),
		Messages: cloneMessages(c.history),
	}
}

// Restore returns the conversation of a snapshot, on an engine that need not be the one of before. It keeps nothing of s. The error
// is a *SnapshotError where s is not one that Snapshot could have made, such as a request without its result.
func Restore(e *engine.Engine, s Snapshot) (*Conversation, error) {
	if e == nil {
		return nil, errNoEngine
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	return &Conversation{
		tools:   &Tools{engine: e, session: e.ResumeSession(s.ID, s.Replies)},
		system:  s.System,
		history: cloneMessages(s.Messages),
	}, nil
}

// maxReplies keeps the number of replies within what any platform counts.
const maxReplies = 1 << 30

// check holds a snapshot against the rules that recording keeps to.
func (s *Snapshot) check() error {
	switch {
	case s.Version != snapshotVersion:
		return &SnapshotError{"version", strconv.Itoa(s.Version), strconv.Itoa(snapshotVersion)}
	case s.ID == "":
		return &SnapshotError{"id", `""`, "the id of the conversation"}
	case s.Replies < 0 || s.Replies > maxReplies:
		return &SnapshotError{"replies", strconv.Itoa(s.Replies), "a number from 0 to " + strconv.Itoa(maxReplies)}
	}
	var open []ToolCallRequest // of the message before
	for i := range s.Messages {
		m := &s.Messages[i]
		field := fmt.Sprintf("messages[%d]", i)
		if err := m.check(field); err != nil {
			return err
		}
		if !answers(m, open) {
			return &SnapshotError{field + ".toolCall", idsOf(m.ToolCall), "one result for each request of the message before, in order"}
		}
		open = nil
		if len(m.ToolCallsRequested) > 0 && m.ToolCallsRequested[0].Status != RequestNotRun {
			open = m.ToolCallsRequested
		}
	}
	if len(open) > 0 && open[0].Status == RequestAnswered {
		last := fmt.Sprintf("messages[%d].toolCallsRequested", len(s.Messages)-1)
		return &SnapshotError{last, "without results", "a result message after it"}
	}
	return nil
}

// check looks at one message by itself.
func (m *Message) check(field string) error {
	switch {
	case m.Role != protocol.RoleUser && m.Role != protocol.RoleAssistant:
		return &SnapshotError{field + ".role", strconv.Quote(string(m.Role)), `"user" or "assistant"`}
	case m.Role != protocol.RoleAssistant && len(m.ToolCallsRequested) > 0:
		return &SnapshotError{field + ".toolCallsRequested", "on a user message", "on an assistant message"}
	case m.Role != protocol.RoleUser && len(m.ToolCall) > 0:
		return &SnapshotError{field + ".toolCall", "on an assistant message", "on a user message"}
	}
	if m.FromEngine && (m.Role != protocol.RoleUser || len(m.ToolCall) > 0) {
		return &SnapshotError{field + ".fromEngine", "true", "false but on a user message without results"}
	}
	if err := m.checkNative(field); err != nil {
		return err
	}
	for i, r := range m.ToolCall {
		if r.Arguments != nil && !json.Valid(r.Arguments) || r.Details != nil && !json.Valid(r.Details) {
			at := fmt.Sprintf("%s.toolCall[%d]", field, i)
			return &SnapshotError{at, fmt.Sprintf("arguments %.40q and details %.40q", r.Arguments, r.Details), "JSON or nothing in both"}
		}
	}
	for i, q := range m.ToolCallsRequested {
		at := fmt.Sprintf("%s.toolCallsRequested[%d]", field, i)
		if known := []RequestStatus{RequestAnswered, RequestHandedOut, RequestNotRun}; !slices.Contains(known, q.Status) {
			return &SnapshotError{at + ".status", strconv.Quote(string(q.Status)), `"answered", "handed_out" or "not_run"`}
		}
		if q.Status != m.ToolCallsRequested[0].Status {
			return &SnapshotError{at + ".status", strconv.Quote(string(q.Status)), "the same for all requests of a message"}
		}
		same := func(other ToolCallRequest) bool { return other.RequestID == q.RequestID }
		if q.RequestID == "" || slices.ContainsFunc(m.ToolCallsRequested[:i], same) {
			return &SnapshotError{at + ".requestId", strconv.Quote(q.RequestID), "an id that no other request has"}
		}
		if _, err := readArguments(q.Arguments, q.JSONArguments); err != nil {
			return &SnapshotError{at + ".arguments", err.Error(), "an object of strings, and of JSON values where jsonArguments names them"}
		}
	}
	return nil
}

// checkNative holds what a model is shown of native calls against what a message may be: a reply alone, or results.
func (m *Message) checkNative(field string) error {
	for i, shown := range m.Native {
		ok := shown.Role == protocol.RoleTool || shown.Role == protocol.RoleUser
		if m.Role == protocol.RoleAssistant {
			ok = shown.Role == protocol.RoleAssistant && i == 0
		}
		if !ok {
			at := fmt.Sprintf("%s.native[%d].role", field, i)
			return &SnapshotError{at, strconv.Quote(string(shown.Role)), `one "assistant" in an assistant message, "tool" and "user" in a user message`}
		}
	}
	return nil
}

// answers reports whether a message holds exactly the results of the requests that are open.
func answers(m *Message, open []ToolCallRequest) bool {
	return slices.EqualFunc(m.ToolCall, open, func(r ToolCall, q ToolCallRequest) bool { return r.RequestID == q.RequestID })
}

func idsOf(list []ToolCall) string {
	ids := make([]string, len(list))
	for i, r := range list {
		ids[i] = r.RequestID
	}
	return fmt.Sprintf("%q", ids)
}
