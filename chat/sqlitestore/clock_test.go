package sqlitestore_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/sqlitestore"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
)

// setBack is a store in a process whose clock was set back: all times that the process passes to
// the store are earlier.
type setBack struct {
	chat.Store
	by time.Duration
}

func (s setBack) Create(ctx context.Context, m chat.Metadata) error {
	m.Created = m.Created.Add(-s.by)
	return s.Store.Create(ctx, m)
}

func (s setBack) Acquire(ctx context.Context, id string, r chat.LeaseRequest) (chat.Lease, error) {
	r.From, r.Until = r.From.Add(-s.by), r.Until.Add(-s.by)
	return s.Store.Acquire(ctx, id, r)
}

func (s setBack) Renew(ctx context.Context, l chat.Lease) error {
	l.From, l.Until = l.From.Add(-s.by), l.Until.Add(-s.by)
	return s.Store.Renew(ctx, l)
}

func (s setBack) Append(ctx context.Context, l chat.Lease, parent int64, entries ...chat.Entry) (int64, error) {
	entries = slices.Clone(entries)
	for i := range entries {
		entries[i].Time = entries[i].Time.Add(-s.by)
	}
	return s.Store.Append(ctx, l, parent, entries...)
}

// The test sets the clock back by a day between the turns, and opens the conversation again for
// each turn.
func TestAClockThatIsSetBackLocksNothing(t *testing.T) {
	e := newEngine(t,
		writer(func(list []protocol.Message) string { return "You said: " + list[len(list)-1].Content }), nil)
	store := open(t, filepath.Join(t.TempDir(), "store.db"), sqlitestore.Options{})
	turn := func(t *testing.T, c *chat.Conversation, err error, text string) {
		t.Helper()
		require.NoError(t, err)
		stop, err := rangeOver(c.Send(t.Context(), text))
		require.NoError(t, err)
		require.Equal(t, engine.StopDone, stop)
	}
	daysBack := func(days int) chat.Options { // with a clock that was set back by this many days
		return chat.Options{ID: "a", Store: setBack{store, time.Duration(days) * 24 * time.Hour}}
	}
	c, err := chat.New(e, daysBack(0))
	turn(t, c, err, "One.")
	stale, err := chat.Open(t.Context(), e, daysBack(0))
	require.NoError(t, err)
	metadataBefore, err := store.Metadata(t.Context(), "a")
	require.NoError(t, err)
	c, err = chat.Open(t.Context(), e, daysBack(1))
	turn(t, c, err, "Two.")

	t.Run("messages are in the order in which they were appended", func(t *testing.T) {
		c, err := chat.Open(t.Context(), e, daysBack(0))
		require.NoError(t, err)
		var texts []string
		for _, m := range c.History() {
			texts = append(texts, m.Content)
		}
		require.Equal(t, []string{"One.", "You said: One.", "Two.", "You said: Two."}, texts)
	})
	t.Run("the conversation does not become older", func(t *testing.T) {
		m, err := store.Metadata(t.Context(), "a")
		require.NoError(t, err)
		require.Equal(t, metadataBefore.Updated, m.Updated)
	})
	t.Run("a conversation that was opened before the second turn writes nothing", func(t *testing.T) {
		_, err := rangeOver(stale.Send(t.Context(), "Three."))
		require.ErrorIs(t, err, chat.ErrChanged)
	})
	t.Run("a lease from before the clock was set back keeps nobody out, and its holder writes nothing", func(t *testing.T) {
		abandoned, err := store.Acquire(t.Context(), "a",
			chat.LeaseRequest{Holder: "abandoned", From: time.Now(), Until: time.Now().Add(time.Minute)})
		require.NoError(t, err)
		c, err := chat.Open(t.Context(), e, daysBack(1))
		turn(t, c, err, "Three.")
		_, err = store.Append(t.Context(), abandoned, 0, entry("x"))
		require.ErrorAs(t, err, new(*chat.LeaseError))
	})
}
