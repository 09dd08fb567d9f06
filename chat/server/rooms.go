package server

import (
	"context"
	"time"

	"github.com/vcpgo/vcp/chat"
)

// enter returns the room of a user's conversation, for one HTTP request. The caller calls
// room.release afterwards. A room is the state of a conversation in this process; it is made when a
// request first needs it.
func (s *Server) enter(ctx context.Context, u *User, id string) (*room, error) {
	m, err := s.o.Store.Metadata(ctx, id)
	if err != nil {
		return nil, err
	}
	if m.Owner != u.ID || m.Unfinished() {
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
	rm.uses++
	return rm, nil
}

// closeIdle closes the room that has been idle for longest if too many are open. s.mu is held.
func (s *Server) closeIdle() {
	if len(s.rooms) < maxOpenConversations {
		return
	}
	var oldest *room
	var since time.Time
	for _, rm := range s.rooms {
		rm.mu.Lock()
		idle, lastUse := rm.uses == 0 && !rm.running, rm.lastUse
		rm.mu.Unlock()
		if idle && (oldest == nil || lastUse.Before(since)) {
			oldest, since = rm, lastUse
		}
	}
	if oldest != nil {
		oldest.log.close()
		delete(s.rooms, oldest.id)
	}
}

// conversationLocked returns the room's conversation. It reads it from the store if it is not open.
// rm.turnMu is held.
func (s *Server) conversationLocked(ctx context.Context, rm *room, u *User) (*chat.Conversation, error) {
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

// conversation is like conversationLocked, but the caller does not hold rm.turnMu.
func (s *Server) conversation(ctx context.Context, rm *room, u *User) (*chat.Conversation, error) {
	if conv := rm.openConversation(); conv != nil {
		return conv, nil
	}
	rm.turnMu.Lock()
	defer rm.turnMu.Unlock()
	return s.conversationLocked(ctx, rm, u)
}
