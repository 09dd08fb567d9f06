package chat

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// MemoryStore is a Store in memory, for tests and for conversations that need not outlive the
// process.
type MemoryStore struct {
	mu            sync.Mutex
	conversations map[string]*memoryConversation
	appended      []appendedEntry // all entries in the order of appending
	fence         int64           // of the newest lease of any conversation
}

type memoryConversation struct {
	meta    Metadata
	entries []Entry // the number of entries[i] is i+1
	lease   Lease   // the newest lease; zero before the first one and after a release
}

type appendedEntry struct {
	conversation *memoryConversation
	seq          int64
}

// NewMemoryStore returns an empty MemoryStore.
func NewMemoryStore() *MemoryStore {
	return &MemoryStore{conversations: map[string]*memoryConversation{}}
}

var _ Store = (*MemoryStore)(nil)

// Create adds a conversation, as Store says.
func (s *MemoryStore) Create(ctx context.Context, m Metadata) error {
	m, err := CheckedMetadata(m)
	if err != nil {
		return err
	}
	defer s.lock()()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if s.conversations[m.ID] != nil {
		return fmt.Errorf("chat: conversation %q: %w", m.ID, ErrConversationExists)
	}
	s.conversations[m.ID] = &memoryConversation{meta: m}
	return nil
}

// Metadata returns the metadata of a conversation, as Store says.
func (s *MemoryStore) Metadata(ctx context.Context, id string) (Metadata, error) {
	defer s.lock()()
	c, err := s.find(ctx, id)
	if err != nil {
		return Metadata{}, err
	}
	return c.meta.clone(), nil
}

// ChangeMetadata changes title, owner or tags, as Store says.
func (s *MemoryStore) ChangeMetadata(ctx context.Context, id string, change MetadataChange) error {
	change, err := CheckedChange(change)
	if err != nil {
		return err
	}
	defer s.lock()()
	c, err := s.find(ctx, id)
	if err != nil {
		return err
	}
	if change.Title != nil {
		c.meta.Title = *change.Title
	}
	if change.Owner != nil {
		c.meta.Owner = *change.Owner
	}
	if change.Tags != nil {
		c.meta.Tags = *change.Tags
	}
	return nil
}

// List returns a page of conversations, as Store says.
func (s *MemoryStore) List(ctx context.Context, o ListOptions) (list []Metadata, next string, err error) {
	lastListed, err := readListPage(o.Page)
	if err != nil {
		return nil, "", err
	}
	defer s.lock()()
	if ctx.Err() != nil {
		return nil, "", context.Cause(ctx)
	}
	for _, c := range s.conversations {
		m := &c.meta
		if (o.Owner == "" && !o.Unowned || o.Owner == m.Owner) && (o.Tag == "" || slices.Contains(m.Tags, o.Tag)) &&
			(o.Page == "" || newestFirst(lastListed, *m) < 0) {
			list = append(list, m.clone())
		}
	}
	slices.SortFunc(list, newestFirst)
	if limit := PageLimit(o.Limit); len(list) > limit {
		list = list[:limit]
		next = listPage(list[limit-1])
	}
	return list, next, nil
}

// newestFirst compares two conversations in the order of List.
func newestFirst(a, b Metadata) int {
	return cmp.Or(b.Updated.Compare(a.Updated), cmp.Compare(b.ID, a.ID))
}

// listPage returns the ListOptions.Page of the page after the conversation last.
func listPage(last Metadata) string {
	return strconv.FormatInt(last.Updated.UnixMicro(), 10) + " " + last.ID
}

// readListPage returns the Updated and ID of the conversation that listPage was given. They are
// zero for the first page.
func readListPage(page string) (Metadata, error) {
	if page == "" {
		return Metadata{}, nil
	}
	updated, id, _ := strings.Cut(page, " ")
	micros, err := strconv.ParseInt(updated, 10, 64)
	if err != nil {
		return Metadata{}, &InvalidError{"list.page", shortQuote(page), "what List returned as next"}
	}
	return Metadata{ID: id, Updated: time.UnixMicro(micros)}, nil
}

// Acquire leases a conversation, as Store says.
func (s *MemoryStore) Acquire(ctx context.Context, id string, r LeaseRequest) (Lease, error) {
	l, err := CheckedLease(Lease{ConversationID: id, Holder: r.Holder, From: r.From, Until: r.Until})
	if err != nil {
		return Lease{}, err
	}
	defer s.lock()()
	c, err := s.find(ctx, id)
	if err != nil {
		return Lease{}, err
	}
	if c.lease.InForce(l.From) && c.lease.Fence != r.Over {
		return Lease{}, &LeaseError{ConversationID: id, Current: c.lease}
	}
	s.fence++
	l.Fence = s.fence
	c.lease, c.meta.Fence = l, l.Fence
	return l, nil
}

// Renew changes the times of a lease, as Store says.
func (s *MemoryStore) Renew(ctx context.Context, l Lease) error {
	l, err := CheckedLease(l)
	if err != nil {
		return err
	}
	defer s.lock()()
	c, err := s.leased(ctx, l)
	if err != nil {
		return err
	}
	c.lease.From, c.lease.Until = l.From, l.Until
	return nil
}

// Release ends a lease, as Store says.
func (s *MemoryStore) Release(ctx context.Context, l Lease) error {
	defer s.lock()()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if c := s.conversations[l.ConversationID]; c != nil && c.lease.Fence == l.Fence {
		c.lease = Lease{}
	}
	return nil
}

// Delete removes a conversation, as Store says.
func (s *MemoryStore) Delete(ctx context.Context, l Lease) error {
	defer s.lock()()
	c, err := s.leased(ctx, l)
	if err != nil {
		return err
	}
	delete(s.conversations, c.meta.ID)
	s.appended = slices.DeleteFunc(s.appended, func(a appendedEntry) bool { return a.conversation == c })
	return nil
}

func (s *MemoryStore) lock() (unlock func()) {
	s.mu.Lock()
	return s.mu.Unlock
}

// find returns a conversation. s.mu is held.
func (s *MemoryStore) find(ctx context.Context, id string) (*memoryConversation, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	c := s.conversations[id]
	if c == nil {
		return nil, fmt.Errorf("chat: conversation %.100q: %w", id, ErrNoConversation)
	}
	return c, nil
}

// leased returns the conversation of a lease, or a *LeaseError if the lease was released or is not
// the newest. s.mu is held.
func (s *MemoryStore) leased(ctx context.Context, l Lease) (*memoryConversation, error) {
	c, err := s.find(ctx, l.ConversationID)
	if err == nil && (c.lease.Fence != l.Fence || l.Fence == 0) {
		return nil, &LeaseError{ConversationID: l.ConversationID, Lost: true, Current: c.lease}
	}
	return c, err
}

func (m *Metadata) clone() Metadata {
	c := *m
	c.Tags = slices.Clone(m.Tags)
	return c
}
