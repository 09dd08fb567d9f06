package server

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/vcpgo/vcp/chat"
)

// inRoom returns a handler that calls h with the room of the conversation in the path.
func (s *Server) inRoom(h func(http.ResponseWriter, *http.Request, *User, *room) error) handler {
	return func(w http.ResponseWriter, r *http.Request, u *User) error {
		rm, err := s.enter(r.Context(), u, r.PathValue("id"))
		if err != nil {
			return err
		}
		defer rm.release()
		return h(w, r, u, rm)
	}
}

// inRoomWith is like inRoom, and also passes the body of the request. It reads the body before it
// enters the room. So the conversation's owner is checked after a slow body has arrived, and a slow
// body keeps no room in memory.
func inRoomWith[T any](
	s *Server, h func(w http.ResponseWriter, r *http.Request, u *User, rm *room, in T) error,
) handler {
	return func(w http.ResponseWriter, r *http.Request, u *User) error {
		var in T
		if err := readJSON(w, r, &in); err != nil {
			return err
		}
		return s.inRoom(func(w http.ResponseWriter, r *http.Request, u *User, rm *room) error {
			return h(w, r, u, rm, in)
		})(w, r, u)
	}
}

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
	if s.closing.Err() != nil {
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

// closeIdle makes place for another room: it closes idle rooms until fewer than the limit are open,
// or none is idle. It begins with the rooms that have been idle for longest. s.mu is held.
func (s *Server) closeIdle() {
	excess := len(s.rooms) - maxOpenConversations + 1
	if excess <= 0 {
		return
	}
	type idleRoom struct {
		*room
		since time.Time
	}
	var idle []idleRoom
	for _, rm := range s.rooms {
		rm.mu.Lock()
		if rm.uses == 0 && !rm.running {
			idle = append(idle, idleRoom{rm, rm.lastUse})
		}
		rm.mu.Unlock()
	}
	slices.SortFunc(idle, func(a, b idleRoom) int { return a.since.Compare(b.since) })
	for _, rm := range idle[:min(excess, len(idle))] {
		rm.log.close()
		delete(s.rooms, rm.id)
	}
}

// conversationLocked returns the room's conversation, and opens it if it is not open. rm.turnMu is
// held.
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

// conversation is like conversationLocked, but the caller does not hold rm.turnMu. If another
// process has continued the conversation since it was opened here, conversation opens it again.
func (s *Server) conversation(ctx context.Context, rm *room, u *User) (*chat.Conversation, error) {
	if conv := rm.openConversation(); conv != nil && rm.isRunning() {
		return conv, nil
	}
	rm.turnMu.Lock()
	defer rm.turnMu.Unlock()
	conv, err := s.conversationLocked(ctx, rm, u)
	if err != nil || rm.isRunning() {
		return conv, err
	}
	changed, err := conv.Changed(ctx)
	if err != nil || !changed {
		return conv, err
	}
	rm.forget()
	return s.conversationLocked(ctx, rm, u)
}

// change calls f with the room's conversation while no turn runs. No turn can begin meanwhile. If
// another process has continued the conversation since it was opened here, change reads it from the
// store and calls f again.
func (s *Server) change(ctx context.Context, rm *room, u *User, f func(*chat.Conversation) error) error {
	rm.turnMu.Lock()
	defer rm.turnMu.Unlock()
	if rm.isRunning() {
		return errBusy
	}
	for retried := false; ; retried = true {
		conv, err := s.conversationLocked(ctx, rm, u)
		if err == nil {
			err = f(conv)
		}
		if retried || !errors.Is(err, chat.ErrChanged) {
			return err
		}
		rm.forget()
	}
}
