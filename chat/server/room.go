package server

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
)

// room is the state of a conversation in this process: whether a turn runs, and the events for the
// pages that watch the conversation. The messages are in the store.
type room struct {
	id  string
	log *eventLog

	begins     sync.Mutex // held while a turn begins, and while the branch changes
	publishing sync.Mutex // held by publish

	mu      sync.Mutex
	conv    *chat.Conversation // nil until a turn begins
	running bool
	users   int // requests and streams
	used    time.Time
	// tip is the last entry whose messages were sent to the pages. stable is the Seq of an earlier
	// message; messages up to it no longer change, and 0 means the beginning. seen is the number of
	// the event with the messages up to tip.
	tip, stable, seen int64
}

// enter opens a conversation of a user for a request. The caller calls release afterwards.
func (s *Server) enter(ctx context.Context, u *User, id string) (*room, error) {
	m, err := s.o.Store.Metadata(ctx, id)
	if err != nil {
		return nil, err
	}
	if m.Owner != u.ID {
		return nil, errNotFound
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	rm := s.rooms[id]
	if rm == nil {
		s.closeIdle()
		rm = &room{id: id, log: newEventLog()}
		s.rooms[id] = rm
	}
	rm.mu.Lock()
	defer rm.mu.Unlock()
	rm.users++
	return rm, nil
}

func (rm *room) release() {
	rm.mu.Lock()
	defer rm.mu.Unlock()
	rm.users--
	rm.used = time.Now()
}

func (rm *room) isRunning() bool {
	rm.mu.Lock()
	defer rm.mu.Unlock()
	return rm.running
}

func (rm *room) setRunning(running bool) {
	rm.mu.Lock()
	defer rm.mu.Unlock()
	rm.running, rm.used = running, time.Now()
}

// closeIdle closes the conversation that has been idle for longest if too many are open. s.mu is
// held.
func (s *Server) closeIdle() {
	if len(s.rooms) < openConversations {
		return
	}
	var oldest *room
	var since time.Time
	for _, rm := range s.rooms {
		rm.mu.Lock()
		idle, used := rm.users == 0 && !rm.running, rm.used
		rm.mu.Unlock()
		if idle && (oldest == nil || used.Before(since)) {
			oldest, since = rm, used
		}
	}
	if oldest != nil {
		oldest.log.close()
		delete(s.rooms, oldest.id)
	}
}

// opened returns the conversation if it is open in this process; nil otherwise.
func (rm *room) opened() *chat.Conversation {
	rm.mu.Lock()
	defer rm.mu.Unlock()
	return rm.conv
}

// forget closes the conversation, so that its next use reads it from the store.
func (rm *room) forget() {
	rm.mu.Lock()
	defer rm.mu.Unlock()
	rm.conv = nil
}

// conversation returns the open conversation. If none is open, it opens the one in the store.
// rm.begins is held.
func (s *Server) conversation(ctx context.Context, rm *room, u *User) (*chat.Conversation, error) {
	if conv := rm.opened(); conv != nil {
		return conv, nil
	}
	conv, err := chat.Open(ctx, s.o.Engine, chat.Options{
		ID: rm.id, System: s.o.System, Store: &watchedStore{Store: s.o.Store}, Visibility: u.Visibility,
	})
	if err != nil {
		return nil, err
	}
	rm.mu.Lock()
	defer rm.mu.Unlock()
	rm.conv = conv
	return conv, nil
}

// current is like conversation, but the caller does not hold rm.begins.
func (s *Server) current(ctx context.Context, rm *room, u *User) (*chat.Conversation, error) {
	if conv := rm.opened(); conv != nil {
		return conv, nil
	}
	rm.begins.Lock()
	defer rm.begins.Unlock()
	return s.conversation(ctx, rm, u)
}

// watchedStore calls the watcher of the turn that runs, after each change of the conversation.
type watchedStore struct{ chat.Store }

// watcher is called after a change. urgent says that pages must show the change at once: it is a
// message of the user, or a switch to another branch.
type watcher func(urgent bool)

type watcherKey struct{}

func changed(ctx context.Context, urgent bool) {
	if f, ok := ctx.Value(watcherKey{}).(watcher); ok {
		f(urgent)
	}
}

// Append implements chat.Store.
func (s *watchedStore) Append(ctx context.Context, l chat.Lease, parent int64, entries ...chat.Entry) (int64, error) {
	last, err := s.Store.Append(ctx, l, parent, entries...)
	if err == nil && len(entries) > 0 {
		changed(ctx, entries[len(entries)-1].Kind == string(engine.EntryUser))
	}
	return last, err
}

// SetTip implements chat.Store.
func (s *watchedStore) SetTip(ctx context.Context, l chat.Lease, seq int64) error {
	err := s.Store.SetTip(ctx, l, seq)
	if err == nil {
		changed(ctx, true)
	}
	return err
}

// maxPublished limits the replies in one event. Turns of this process add one at a time.
const maxPublished = 16

// publish sends the pages the messages that are new in the store.
func (s *Server) publish(ctx context.Context, rm *room) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer cancel()
	rm.publishing.Lock()
	defer rm.publishing.Unlock()
	m, err := s.o.Store.Metadata(ctx, rm.id)
	if err != nil {
		return err
	}
	rm.mu.Lock()
	tip, stable := rm.tip, rm.stable
	rm.mu.Unlock()
	if m.Tip == tip {
		return nil
	}
	list, known, err := s.newMessages(ctx, rm.id, m.Tip, stable)
	if err != nil {
		return err
	}
	data := []byte(resetEvent)
	if known {
		event, err := json.Marshal(struct {
			Kind     string    `json:"kind"`
			Time     time.Time `json:"time"`
			After    int64     `json:"after"`
			Messages []message `json:"messages"`
		}{"messages", time.Now().UTC(), stable, list})
		if err == nil && len(event) <= eventBytes {
			data = event
		}
	} else {
		stable = 0
	}
	if n := len(list); n >= 2 {
		stable = list[n-2].Seq
	}
	rm.mu.Lock()
	defer rm.mu.Unlock()
	rm.seen, rm.tip, rm.stable = rm.log.add(data), m.Tip, stable
	return nil
}

// resetEvent tells a page to ask for the conversation again.
const resetEvent = `{"kind":"reset"}`

// newMessages returns the messages after the one whose Seq is stable. known is false if that
// message is not on the path to tip, because the branch has changed, or if too many follow it.
func (s *Server) newMessages(ctx context.Context, id string, tip, stable int64) (list []message, known bool, err error) {
	page, older, err := chat.ReadPage(ctx, s.o.Store, id, tip, maxPublished)
	if err != nil {
		return nil, false, err
	}
	for i := range page {
		if page[i].Seq == stable {
			page, known = page[i+1:], true
			break
		}
	}
	known = known || stable == 0 && older == 0
	list = make([]message, len(page))
	for i := range page {
		list[i] = s.shown(&page[i])
	}
	return list, known, nil
}

// refresh publishes what another process may have changed in the store.
func (s *Server) refresh(ctx context.Context, rm *room) error {
	if rm.isRunning() {
		return nil // the turn publishes its changes
	}
	return s.publish(ctx, rm)
}
