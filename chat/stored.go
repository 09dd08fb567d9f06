package chat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

// stored is what a Conversation knows of its store.
type stored struct {
	store Store

	// The fields below belong to the turn that runs; if none does, to whoever holds
	// Conversation.mu.
	meta  Metadata // as it was last seen or made
	isNew bool     // it is not in the store yet
	older int64    // the entry before the oldest loaded message; 0 if all are loaded
	// open are the steps after the last that ended a turn, and history[openAt:] their messages. If
	// no turn runs, they are a turn that was interrupted.
	open   []step
	openAt int

	writing sync.Mutex // serializes appends
	lease   Lease      // of the turn that runs; its Fence is 0 if none does
}

// leaseTime is how long a lease lasts that is not renewed.
const leaseTime = 30 * time.Second

// Append writes entries of the engine, as engine.Journal says. Outside of a turn it does nothing:
// what an application runs by itself is no part of the conversation.
func (s *stored) Append(ctx context.Context, entries ...engine.Entry) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.lease.Fence == 0 {
		return nil
	}
	list := make([]Entry, len(entries))
	for i := range entries {
		var err error
		if list[i], err = newEntry(&entries[i]); err != nil {
			return err
		}
	}
	last, err := s.store.Append(ctx, s.lease, s.meta.Tip, list...)
	if err != nil {
		return err
	}
	for i := range entries {
		s.open = append(s.open, step{last - int64(len(entries)-1-i), entries[i]})
	}
	s.meta.Tip, s.meta.Entries = last, last
	return nil
}

// begin leases the conversation for a turn. lost is called if the lease is lost. end ends the
// lease. A turn whose context has ended already begins, too, so that the user's message is kept.
func (s *stored) begin(ctx context.Context, title string, lost func(error)) (end func(), err error) {
	values := context.WithoutCancel(ctx)
	ctx, cancel := context.WithTimeout(values, leaseTime)
	defer cancel()
	if s.isNew {
		s.meta.Title = cmp.Or(s.meta.Title, title)
		if err := s.store.Create(ctx, s.meta); err != nil {
			return nil, err
		}
		s.isNew = false
	}
	lease, err := acquireLease(ctx, s.store, s.meta.ID)
	if err != nil {
		return nil, err
	}
	release := func() { _ = s.store.Release(values, lease) } // else the lease ends by itself
	now, err := s.store.Metadata(ctx, s.meta.ID)
	if err == nil && (now.Tip != s.meta.Tip || now.Entries != s.meta.Entries) {
		err = ErrChanged
	}
	if err != nil {
		release()
		return nil, err
	}
	s.setLease(lease)
	done := make(chan struct{})
	var renewing sync.WaitGroup
	renewing.Go(func() { renew(values, s.store, lease, done, lost) })
	return func() {
		close(done)
		renewing.Wait()
		s.setLease(Lease{})
		release()
	}, nil
}

func (s *stored) setLease(l Lease) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.lease = l
}

// acquireLease leases a conversation to this process. A process of this host that is gone loses its
// lease.
func acquireLease(ctx context.Context, s Store, id string) (Lease, error) {
	from := time.Now()
	r := LeaseRequest{Holder: processName(), From: from, Until: from.Add(leaseTime)}
	for {
		l, err := s.Acquire(ctx, id, r)
		held, ok := errors.AsType[*LeaseError](err)
		if !ok || r.Over == held.Current.Fence || !isGone(held.Current.Holder) {
			return l, err
		}
		r.Over = held.Current.Fence
	}
}

// renew renews a lease until done is closed or the lease is lost.
func renew(ctx context.Context, s Store, l Lease, done <-chan struct{}, lost func(error)) {
	ticker := time.NewTicker(leaseTime / 3)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return
		case <-ticker.C:
		}
		l.From = time.Now()
		l.Until = l.From.Add(leaseTime)
		// Other errors, such as that of a store that is busy, are left to the writes: only the
		// fence counts.
		if err := s.Renew(ctx, l); errors.As(err, new(*LeaseError)) || errors.Is(err, ErrNoConversation) {
			lost(err)
			return
		}
	}
}

// Open returns a conversation of a store, to be continued with e. It reads the newest messages;
// older ones are read when they are needed. o.Store and o.ID name the conversation; its Title,
// Owner and Tags are those in the store. A turn that was interrupted, as Interrupted reports, can
// be finished with Resume.
func Open(ctx context.Context, e *engine.Engine, o Options) (*Conversation, error) {
	switch {
	case e == nil:
		return nil, errNoEngine
	case o.Store == nil:
		return nil, errNoStore
	}
	meta, err := o.Store.Metadata(ctx, o.ID)
	if err != nil {
		return nil, err
	}
	s := &stored{store: o.Store, meta: meta}
	history, replies, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	return newConversation(e, o, s, history, replies), nil
}

// read reads the newest messages, and all of a turn that was interrupted. replies is the number of
// the last reply.
func (s *stored) read(ctx context.Context) (history []Message, replies int, err error) {
	parts, ended := 0, false
	steps, older, err := pathSteps(ctx, s.store, s.meta.ID, s.meta.Tip, pageMessages*entriesPerMessage, func(step *step) bool {
		ended = ended || s.ended(step)
		if step.begins() {
			parts++
		}
		return ended && parts >= pageMessages && step.begins()
	})
	if err != nil {
		return nil, 0, err
	}
	open := 0
	for i := range steps {
		if s.ended(&steps[i]) {
			open = i + 1
		}
		if r := steps[i].entry.Reply; r != nil {
			replies = max(replies, r.Number)
		}
	}
	if history, err = messagesOf(steps[:open], s.meta.Imported); err != nil {
		return nil, 0, err
	}
	s.open, s.openAt, s.older = slices.Clone(steps[open:]), len(history), older
	rest, err := messagesOf(s.open, s.meta.Imported)
	return append(history, rest...), min(replies, engine.MaxReplies), err
}

// ended reports whether no turn that this engine began goes on after the step.
func (s *stored) ended(step *step) bool {
	return step.entry.Kind == engine.EntryEnd || step.seq <= s.meta.Imported
}

// load reads older messages until there are as many as the model is shown. Without a limit of the
// history these are all.
func (c *Conversation) load(ctx context.Context) error {
	s := c.stored
	enough := c.tools.engine.Config().HistoryTokens * bytesPerToken
	for s.older > 0 && (enough == 0 || historyBytes(c.history) < enough || !c.history[0].isFromPerson()) {
		list, older, err := readParts(ctx, s.store, s.meta.ID, s.older, MaxPage/entriesPerMessage)
		if err != nil {
			return err
		}
		page, err := messagesOf(list, s.meta.Imported)
		if err != nil {
			return err
		}
		c.mu.Lock()
		c.history = append(page, c.history...)
		s.older, s.openAt = older, s.openAt+len(page)
		c.mu.Unlock()
	}
	return nil
}

// bytesPerToken is more than a token has in any language, in bytes.
const bytesPerToken = 8

func historyBytes(list []Message) (n int) {
	for i := range list {
		n += len(list[i].Content)
		for k := range list[i].ToolCall {
			n += len(list[i].ToolCall[k].Result)
		}
	}
	return n
}

func (m *Message) isFromPerson() bool {
	return m.Role == protocol.RoleUser && len(m.ToolCall) == 0 && !m.FromEngine
}

// settleHistory replaces the messages of the turn that ends by those that its entries make. So the
// history is what Open would read.
func (c *Conversation) settleHistory() {
	s := c.stored
	list, err := messagesOf(s.open, s.meta.Imported)
	if err != nil {
		return // the next Open reports it
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.history = append(c.history[:s.openAt:s.openAt], list...)
	if n := len(s.open); n > 0 && s.open[n-1].entry.Kind == engine.EntryEnd {
		s.open, s.openAt = nil, len(c.history)
	}
}

// titleOf returns the title of a conversation that begins with a message. No store takes a title
// with NUL.
func titleOf(message string) string {
	const limit = 80
	return text.TruncateRunes(text.OneLine(strings.ReplaceAll(text.Valid(message), "\x00", "")), limit)
}

// Errors of a Conversation in a store.
var (
	// ErrChanged is a conversation that was continued elsewhere since it was opened.
	ErrChanged = errors.New("the conversation was continued elsewhere; open it again")
	// ErrNotInterrupted is what Resume returns if the last turn has ended.
	ErrNotInterrupted = errors.New("the last turn has ended; ask something with Send")
	// ErrBranchPoint is an entry at which Branch, Edit or Regenerate begins no branch. The error that
	// wraps it says which entries are allowed.
	ErrBranchPoint = errors.New("no branch begins there")
	errNoStore     = errors.New("chat: the conversation is in no store; give one in Options.Store, such as chat.NewMemoryStore()")
)

func (c *Conversation) needStore() error {
	if c.stored == nil {
		return fmt.Errorf("conversation %q: %w", c.ID(), errNoStore)
	}
	return nil
}
