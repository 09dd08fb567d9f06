package server

import (
	"context"
	"time"

	"github.com/vcpgo/vcp/chat"
)

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
	rm.inUse++
	return rm, nil
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
		idle, used := rm.inUse == 0 && !rm.running, rm.lastUsed
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

// conversation returns the open conversation. If none is open, it opens the one in the store.
// rm.beginMu is held.
func (s *Server) conversation(ctx context.Context, rm *room, u *User) (*chat.Conversation, error) {
	if conv := rm.openConversation(); conv != nil {
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

// current is like conversation, but the caller does not hold rm.beginMu.
func (s *Server) current(ctx context.Context, rm *room, u *User) (*chat.Conversation, error) {
	if conv := rm.openConversation(); conv != nil {
		return conv, nil
	}
	rm.beginMu.Lock()
	defer rm.beginMu.Unlock()
	return s.conversation(ctx, rm, u)
}
