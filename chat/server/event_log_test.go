package server

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheEventLogIsLimited(t *testing.T) {
	t.Run("in bytes", func(t *testing.T) {
		l := newEventLog()
		for range 100 {
			l.add(make([]byte, eventBytes))
		}
		require.LessOrEqual(t, l.size, logBytes)
		require.Len(t, l.events, logBytes/eventBytes)
	})
	t.Run("in events", func(t *testing.T) {
		l := newEventLog()
		for range 3 * logEvents {
			l.add([]byte("x"))
		}
		require.Len(t, l.events, logEvents)
		require.Less(t, cap(l.events), 4*logEvents, "dropped events are freed")
		_, _, _, missed := l.after(l.first - 2)
		require.True(t, missed)
		events, _, _, missed := l.after(l.first - 1)
		require.False(t, missed)
		require.Len(t, events, maxBatch)
		require.Equal(t, l.first-1, l.available(5), "event 5 was dropped")
		require.Equal(t, l.last(), l.available(l.last()))
	})
}

func TestAnIDLeadsToTheEventsAfterIt(t *testing.T) {
	l := newEventLog()
	require.Zero(t, l.last())
	require.EqualValues(t, 1, l.add([]byte("a")))
	require.EqualValues(t, 2, l.add([]byte("b")))
	for _, tt := range []struct {
		after  int64
		events string
		missed bool
		wait   bool // the reader must wait for the next event
	}{
		{0, "ab", false, false},
		{1, "b", false, false},
		{2, "", false, true},
		{3, "", true, false},
		{-1, "", true, false},
	} {
		events, more, closed, missed := l.after(tt.after)
		got := ""
		for _, e := range events {
			got += string(e)
		}
		require.Equal(t, tt.events, got, tt.after)
		require.Equal(t, tt.missed, missed, tt.after)
		require.False(t, closed)
		if tt.wait {
			select {
			case <-more:
				t.Error("there is nothing more yet")
			default:
			}
		}
	}
	n, ok := l.number(l.id(2))
	require.True(t, ok)
	require.EqualValues(t, 2, n)
	for _, id := range []string{
		"", "2", "-2", newEventLog().id(2), l.name, l.name + "-", l.name + "-x", l.name + "-99999999999999999999",
	} {
		_, ok := l.number(id)
		require.False(t, ok, id)
	}
	_, more, _, _ := l.after(2)
	l.close()
	<-more
	_, _, closed, _ := l.after(2)
	require.True(t, closed)
	require.Zero(t, l.add([]byte("c")))
	l.close()
}

func TestAFrameIsOneEvent(t *testing.T) {
	got := string(frame("x-1", []byte("{\"a\":\r\n1}")))
	require.Equal(t, "id: x-1\ndata: {\"a\":  1}\n\n", got)
}

func TestLaterEventsDoNotChangeABatch(t *testing.T) {
	l := newEventLog()
	for range logEvents {
		l.add([]byte("x"))
	}
	for range 10 {
		events, _, _, _ := l.after(l.first - 1)
		l.add([]byte("x"))
		require.Equal(t, "x", string(events[0]))
	}
}
