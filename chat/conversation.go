package chat

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

// Options set up a Conversation.
type Options struct {
	// ID names the conversation in its store, in logs and in errors. For New, "" means a random ID,
	// and bytes that are not UTF-8 are replaced.
	ID string
	// System is the application's system prompt, which may be "". The engine adds the definitions
	// of tools to what the model is shown.
	System string
	// Store keeps the conversation; nil keeps it in memory only. Each step is stored before it has
	// an effect. The first Send adds a new conversation to the store.
	Store Store
	// Title, Owner and Tags are the metadata of a new conversation in Store. If Title is "", the
	// title is the beginning of the user's first message. Owner is also the owner of the engine's
	// session: audit records name it, and conversations of one owner share cached results. If Owner
	// is set, Open opens only conversations of that owner.
	Title, Owner string
	Tags         []string
	// Visibility hides methods from the model in this conversation, in addition to what the engine
	// hides.
	engine.Visibility
}

// Conversation is a conversation of a person with a model that calls tools. It is safe for
// concurrent use. One turn runs at a time; a second one is refused with ErrBusy.
//
// The user's message stays in the history, even if its turn fails. What the model wrote is kept,
// and marked Incomplete if it was truncated. The model is never shown a request without its result.
//
// In stored titles, tags and messages, "[secret]" replaces the secrets that the engine knows
// (engine.Engine.Secrets), and what has the form of a secret. In memory, secrets stay until the
// Conversation is opened again. From then on, a stored request that contained a secret does not
// run.
//
// In a store, a turn leases the conversation. Several processes, or several Conversation values of
// one process, may open the same conversation. While one of them runs a turn, the others get a
// *LeaseError. After that turn, those that were opened before it get ErrChanged. A turn that such
// an error refuses adds no entries. A turn whose lease is lost ends. If the store fails, the turn
// ends before the effect that could not be recorded, and the application must open the Conversation
// again.
//
// A Conversation needs no closing. An application may drop one when no turn runs, and open it again
// from its store. What only the session has is lost: grants of approval, the pages of long results,
// statistics and, without an owner, cached results.
type Conversation struct {
	tools  *Tools
	stored *stored // nil if there is no store

	mu      sync.Mutex
	system  string
	history []Message // the newest messages
	// unmasked are the requests that the last iteration dispatched, by ID, with the secrets that
	// the store masks. Without a store, unmasked is nil.
	unmasked map[string]executor.Request
	stop     func() // ends the turn that runs; nil if no turn runs
}

var (
	errNoEngine = errors.New("chat: a conversation needs an engine; make one with engine.New")
	errNoStore  = errors.New("chat: the conversation is in no store; " +
		"set Options.Store, such as to chat.NewMemoryStore()")
)

// New returns an empty conversation. It returns an error if e is nil, and an *InvalidError if
// o.Store is set and the metadata in o are not valid.
func New(e *engine.Engine, o Options) (*Conversation, error) {
	if e == nil {
		return nil, errNoEngine
	}
	o.ID = cmp.Or(text.Valid(o.ID), rand.Text())
	if o.Store == nil {
		return newConversation(e, o, nil, nil, 0), nil
	}
	tags := maskedTexts(o.Tags, newFilter(e))
	meta, err := CheckedMetadata(Metadata{ID: o.ID, Title: o.Title, Owner: o.Owner, Tags: tags})
	if err != nil {
		return nil, err
	}
	s := &stored{store: o.Store, secrets: secretFilter{engine: e}, meta: meta, isNew: true}
	return newConversation(e, o, s, nil, 0), nil
}

// Open returns a conversation of a store, to be continued with e. It reads the newest messages;
// older ones are read when they are needed. o.Store and o.ID name the conversation; its Title and
// Tags are those in the store. If o.Owner is set, the error for a conversation of another owner, or
// of none, is ErrNoConversation. Resume finishes a turn that was interrupted, as Interrupted
// reports.
func Open(ctx context.Context, e *engine.Engine, o Options) (*Conversation, error) {
	switch {
	case e == nil:
		return nil, errNoEngine
	case o.Store == nil:
		return nil, errNoStore
	}
	meta, err := finishedMetadata(ctx, o.Store, o.ID)
	if err != nil {
		return nil, err
	}
	if o.Owner != "" && o.Owner != meta.Owner {
		return nil, fmt.Errorf("chat: conversation %.100q of owner %.100q: %w", o.ID, o.Owner, ErrNoConversation)
	}
	s := &stored{store: o.Store, secrets: secretFilter{engine: e}, meta: meta}
	history, replies, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	return newConversation(e, o, s, history, replies), nil
}

// newConversation returns a conversation with the given history. replies is the highest number of a
// reply in the history.
func newConversation(e *engine.Engine, o Options, s *stored, history []Message, replies int) *Conversation {
	session := engine.SessionOptions{ID: o.ID, Owner: o.Owner, Replies: replies, Visibility: o.Visibility}
	if s != nil {
		session.Journal, session.Owner = s, s.meta.Owner
	}
	tools := &Tools{engine: e, session: e.OpenSession(session)}
	return &Conversation{tools: tools, stored: s, system: o.System, history: history}
}

// ID returns the id of the conversation.
func (c *Conversation) ID() string { return c.tools.session.ID() }

// Tools returns the Tools of this conversation's session.
func (c *Conversation) Tools() *Tools { return c.tools }

// System returns the application's system prompt, without the definitions of tools.
func (c *Conversation) System() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.system
}

// SetSystem replaces the application's system prompt from the next turn on.
func (c *Conversation) SetSystem(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.system = text
}

// History returns a copy of the messages, oldest first, without the system prompt. While a turn
// runs, the reply and the results of each iteration are added at the end of the iteration. Of a
// conversation in a store, History may return only the newest part. That part has at least 50
// replies and messages of the user, unless the conversation has fewer. ReadPage reads older ones.
func (c *Conversation) History() []Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := make([]Message, len(c.history))
	for i, m := range c.history {
		list[i] = m.clone()
	}
	return list
}

// Last returns a copy of the newest message. The boolean is false if there is no message.
func (c *Conversation) Last() (Message, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.history) == 0 {
		return Message{}, false
	}
	return c.history[len(c.history)-1].clone(), true
}

// Stop ends the turn that runs, as the end of its context does, and reports whether one ran. It
// does not wait. It may be called from any goroutine.
func (c *Conversation) Stop() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stop == nil {
		return false
	}
	c.stop()
	return true
}

// acquire marks a turn as running until release, or returns ErrBusy if one runs already. Stop calls
// the function stop.
func (c *Conversation) acquire(stop func()) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stop != nil {
		return c.withID(ErrBusy)
	}
	c.stop = stop
	return nil
}

func (c *Conversation) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stop = nil
}

// withID returns err with the ID of the conversation added.
func (c *Conversation) withID(err error) error {
	return fmt.Errorf("chat: conversation %q: %w", c.ID(), err)
}

func (c *Conversation) add(list ...Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.history = append(c.history, list...)
}

// messages returns the system prompt and the history as data. The engine turns them into text for
// the model.
func (c *Conversation) messages() []protocol.Message { return c.firstMessages(math.MaxInt) }

// firstMessages is like messages, with only the first n messages of the history.
func (c *Conversation) firstMessages(n int) []protocol.Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	history := c.history[:min(n, len(c.history))]
	list := make([]protocol.Message, 0, len(history)+1)
	if c.system != "" {
		list = append(list, protocol.Message{
			Role: protocol.RoleSystem, Origin: protocol.OriginApplication, Content: c.system,
		})
	}
	var requested []ToolCallRequest // in the previous message
	for i := range history {
		m := &history[i]
		switch {
		case m.Role == protocol.RoleAssistant:
			if m.Content != "" || len(m.NativeCalls) > 0 {
				list = append(list, protocol.Message{
					Role: m.Role, Origin: m.origin(protocol.OriginModel),
					Protocol: cmp.Or(m.Protocol, protocol.NoProtocol), Content: m.Content,
					ToolCalls: slices.Clone(m.NativeCalls),
				})
			}
		case m.Outcomes != nil || m.FromEngine:
			list = append(list, c.resultMessages(m, requested)...)
		default:
			list = append(list, protocol.Message{
				Role: m.Role, Origin: m.origin(protocol.OriginUser), Content: m.Content,
			})
		}
		requested = m.ToolCallsRequested
	}
	return list
}

// resultMessages returns the results in the result message m, with the engine's remarks to the
// model. requested are the requests of the reply before m. m has one outcome for each, or none if
// they did not run.
func (c *Conversation) resultMessages(m *Message, requested []ToolCallRequest) []protocol.Message {
	results := make([]executor.Result, len(m.Outcomes))
	for i := range m.Outcomes {
		r, q := &m.Outcomes[i], &requested[i]
		results[i].CallID = q.CallID
		results[i].ToolResult = protocol.ToolResult{
			ResultID: q.ResultID, ToolName: r.ToolName, About: r.About, Status: r.Status,
			ErrorType: r.ErrorType, Suggestion: r.Suggestion, Note: r.Note, Result: r.Result,
		}
	}
	list := c.tools.session.ResultMessages(results)
	if m.Imported {
		for i := range list {
			list[i].Origin = protocol.OriginImport
		}
	}
	if m.Content == "" && len(m.Examples) == 0 {
		return list
	}
	// Native results are messages of their own, which take no remarks.
	if n := len(list); n == 0 || list[n-1].Role == protocol.RoleTool {
		list = append(list, protocol.Message{Role: protocol.RoleUser})
	}
	last := &list[len(list)-1]
	last.Origin, last.Content, last.Examples = m.origin(protocol.OriginEngine), m.Content, slices.Clone(m.Examples)
	return list
}
