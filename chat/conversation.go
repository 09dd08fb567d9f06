package chat

import (
	"cmp"
	"crypto/rand"
	"errors"
	"slices"
	"sync"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

// Options set up a Conversation.
type Options struct {
	// ID names the conversation in logs, errors and sessions; "" is a random one. Bytes that are no
	// UTF-8 are replaced.
	ID string
	// System is the application's system prompt; the definitions of tools are added to what the model is shown. It may be "".
	System string
}

// Conversation is a talk between a person and a model that calls tools. It is safe for concurrent use; one turn runs at a time,
// and a second one meanwhile is refused with ErrBusy.
//
// However a turn ends, its user message stays in the history, what the model wrote is kept and marked Incomplete where it was cut
// short, and no request is ever shown to the model again without its result.
type Conversation struct {
	tools *Tools

	mu      sync.Mutex
	system  string
	history []Message // grows only; an entry is never changed
	busy    bool      // a turn runs
}

var errNoEngine = errors.New("chat: a conversation needs an engine; make one with engine.New")

// New returns an empty conversation on e, or an error where e is nil.
func New(e *engine.Engine, o Options) (*Conversation, error) {
	if e == nil {
		return nil, errNoEngine
	}
	if o.ID = text.Valid(o.ID); o.ID == "" {
		o.ID = rand.Text()
	}
	return &Conversation{tools: NewTools(e, o.ID), system: o.System}, nil
}

// ID returns the id of the conversation.
func (c *Conversation) ID() string { return c.tools.session.ID() }

// Tools returns the six verbs for this conversation's session.
func (c *Conversation) Tools() *Tools { return c.tools }

// System returns the application's system prompt, without the definitions of tools.
func (c *Conversation) System() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.system
}

// SetSystem replaces the application's system prompt, from the next turn on.
func (c *Conversation) SetSystem(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.system = text
}

// History returns a copy of all messages, oldest first. The system prompt is not among them. While a turn runs, it grows with each
// reply that is complete and answered.
func (c *Conversation) History() []Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	return cloneMessages(c.history)
}

// Last returns a copy of the newest message; false where there is none.
func (c *Conversation) Last() (Message, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.history) == 0 {
		return Message{}, false
	}
	return c.history[len(c.history)-1].clone(), true
}

// Pending returns a copy of the requests that mode manual has handed out and that Answer has not settled.
func (c *Conversation) Pending() []ToolCallRequest {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Message{ToolCallsRequested: handedOut(c.history)}.clone().ToolCallsRequested
}

// acquire makes the caller the one whose turn runs, until release.
func (c *Conversation) acquire() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy {
		return c.refuse(ErrBusy)
	}
	c.busy = true
	return nil
}

func (c *Conversation) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy = false
}

func (c *Conversation) add(list ...Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.history = append(c.history, list...)
}

// shown returns the conversation as data, of which the engine shows the model what is text.
func (c *Conversation) shown() []protocol.Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := make([]protocol.Message, 0, len(c.history)+1)
	if c.system != "" {
		list = append(list, protocol.Message{Role: protocol.RoleSystem, Origin: protocol.OriginApplication, Content: c.system})
	}
	var asked []ToolCallRequest // of the message before
	for i := range c.history {
		m := &c.history[i]
		switch {
		case m.Role == protocol.RoleAssistant:
			if m.Content != "" || len(m.NativeCalls) > 0 {
				list = append(list, protocol.Message{
					Role: m.Role, Origin: protocol.OriginModel, Protocol: cmp.Or(m.Protocol, protocol.NoProtocol), Content: m.Content,
					ToolCalls: slices.Clone(m.NativeCalls),
				})
			}
		case m.ToolCall != nil || m.FromEngine:
			list = append(list, c.resultMessages(m, asked)...)
		default:
			list = append(list, protocol.Message{Role: m.Role, Origin: protocol.OriginUser, Content: m.Content})
		}
		asked = m.ToolCallsRequested
	}
	return list
}

// resultMessages returns what tells the model of the results in a message, one for each of the
// requests, and what else it is told.
func (c *Conversation) resultMessages(m *Message, asked []ToolCallRequest) []protocol.Message {
	var t engine.Turn
	t.Results = slices.Grow(t.Results, len(m.ToolCall))[:len(m.ToolCall)]
	for i := range m.ToolCall {
		r := &m.ToolCall[i]
		t.Results[i].CallID = asked[i].CallID
		t.Results[i].ToolResult = protocol.ToolResult{
			RequestID: asked[i].ResultID, ToolName: r.ToolName, Status: r.Status, ErrorType: r.ErrorType, Suggestion: r.Suggestion, Result: r.Result,
		}
	}
	list := c.tools.session.ResultMessages(t.Results)
	if m.Content == "" && len(m.Examples) == 0 {
		return list
	}
	if n := len(list); n == 0 || list[n-1].Role == protocol.RoleTool {
		list = append(list, protocol.Message{Role: protocol.RoleUser})
	}
	last := &list[len(list)-1]
	last.Origin, last.Content, last.Examples = protocol.OriginEngine, m.Content, slices.Clone(m.Examples)
	return list
}
