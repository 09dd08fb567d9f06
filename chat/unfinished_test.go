package chat_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
)

// replacing replaces a conversation right after it was created.
type replacing struct {
	chat.Store
	by chat.Metadata
}

func (s replacing) Create(ctx context.Context, m chat.Metadata) error {
	if err := s.Store.Create(ctx, m); err != nil {
		return err
	}
	if err := chat.DeleteConversation(ctx, s.Store, m.ID); err != nil {
		return err
	}
	return s.Store.Create(ctx, s.by)
}

// A process writes entries only into the conversation that it created or opened, and not into
// another one that has the same ID now. So no entry of a turn counts as imported, and no imported
// entry as one of a turn.
func TestEntriesOfImportsAndTurnsDoNotMix(t *testing.T) {
	good := exported(t, branched(t))
	t.Run("an import adds nothing to another conversation", func(t *testing.T) {
		store := chat.NewMemoryStore()
		replaced := replacing{store, chat.Metadata{ID: "a", Created: time.Now()}}
		_, err := chat.Import(t.Context(), replaced, strings.NewReader(good), chat.ImportOptions{})
		require.ErrorIs(t, err, chat.ErrChanged)
		m, err := store.Metadata(t.Context(), "a")
		require.NoError(t, err)
		require.Zero(t, m.Entries)
	})
	t.Run("a new conversation adds nothing to an import", func(t *testing.T) {
		store := chat.NewMemoryStore()
		replaced := replacing{store, chat.Metadata{ID: "a", Imported: 7, Created: time.Now()}}
		c, err := chat.New(engineOf(t, &script{}, nil), chat.Options{Store: replaced, ID: "a"})
		require.NoError(t, err)
		require.ErrorIs(t, collect(t, c.Send(t.Context(), "Go.")).err, chat.ErrChanged)
		m, err := store.Metadata(t.Context(), "a")
		require.NoError(t, err)
		require.Zero(t, m.Entries)
	})
	t.Run("an opened conversation adds nothing to an import", func(t *testing.T) {
		store := branched(t)
		c, err := chat.Open(t.Context(), engineOf(t, &script{}, nil), chat.Options{Store: store, ID: "a"})
		require.NoError(t, err)
		require.NoError(t, chat.DeleteConversation(t.Context(), store, "a"))
		_, err = chat.Import(t.Context(), store, strings.NewReader(good), chat.ImportOptions{})
		require.NoError(t, err)
		require.ErrorIs(t, collect(t, c.Send(t.Context(), "Go.")).err, chat.ErrChanged)
	})
}
