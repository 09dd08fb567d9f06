package server

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestIdleRoomsAreClosedDownToTheLimit(t *testing.T) {
	const extra, busy = 5, 3
	s := &Server{rooms: map[string]*room{}}
	for i := range maxOpenConversations + extra {
		id := strconv.Itoa(i)
		s.rooms[id] = &room{id: id, log: newEventLog(), lastUse: time.Unix(int64(i), 0)}
		if i < busy {
			s.rooms[id].uses = 1
		}
	}
	s.closeIdle()
	require.Len(t, s.rooms, maxOpenConversations-1)
	for i := range busy + extra + 2 {
		_, open := s.rooms[strconv.Itoa(i)]
		require.Equal(t, i < busy || i >= busy+extra+1, open, "room %d", i)
	}
}
