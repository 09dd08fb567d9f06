package chat_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
)

func TestPruneDeletesByAgeAndSize(t *testing.T) {
	// fill returns a store with conversations of 100 bytes each, which are 0, 1, 2 and 3 days old.
	fill := func(t *testing.T) chat.Store {
		store := chat.NewMemoryStore()
		for i, id := range []string{"new", "old", "older", "oldest"} {
			at := time.Now().Add(-time.Duration(i) * 24 * time.Hour)
			require.NoError(t, store.Create(t.Context(), chat.Metadata{ID: id, Created: at, Owner: "ann"}))
			request := chat.LeaseRequest{Holder: "test", From: at, Until: at.Add(time.Second)}
			l, err := store.Acquire(t.Context(), id, request)
			require.NoError(t, err)
			data := json.RawMessage(`"` + strings.Repeat("x", 98) + `"`)
			_, err = store.Append(t.Context(), l, 0, chat.Entry{Kind: "user", Time: at, Data: data})
			require.NoError(t, err)
			require.NoError(t, store.Release(t.Context(), l))
		}
		return store
	}
	for name, c := range map[string]struct {
		keep    chat.Retention
		deletes []string
	}{
		"no_limit":                 {chat.Retention{}, nil},
		"age":                      {chat.Retention{MaxAge: 36 * time.Hour}, []string{"older", "oldest"}},
		"size":                     {chat.Retention{MaxBytes: 300}, []string{"oldest"}},
		"newest_stays":             {chat.Retention{MaxBytes: 1}, []string{"old", "older", "oldest"}},
		"age_and_size":             {chat.Retention{MaxBytes: 300, MaxAge: 36 * time.Hour}, []string{"older", "oldest"}},
		"other_owners_are_ignored": {chat.Retention{MaxAge: time.Hour, Owner: "bob"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			store := fill(t)
			deleted, err := chat.Prune(t.Context(), store, c.keep)
			require.NoError(t, err)
			var got []string
			for _, m := range deleted {
				got = append(got, m.ID)
				_, err := store.Metadata(t.Context(), m.ID)
				require.ErrorIs(t, err, chat.ErrNoConversation)
			}
			assert.Equal(t, c.deletes, got)
		})
	}
	t.Run("an_abandoned_import_takes_no_space", func(t *testing.T) {
		store := fill(t)
		at := time.Now()
		require.NoError(t, store.Create(t.Context(), chat.Metadata{ID: "import", Created: at, Imported: 2}))
		request := chat.LeaseRequest{Holder: "test", From: at, Until: at.Add(time.Minute)}
		l, err := store.Acquire(t.Context(), "import", request)
		require.NoError(t, err)
		_, err = store.Append(t.Context(), l, 0, chat.Entry{Kind: "user", Time: at, Data: json.RawMessage(`"x"`)})
		require.NoError(t, err)
		require.NoError(t, store.Release(t.Context(), l))
		deleted, err := chat.Prune(t.Context(), store, chat.Retention{MaxBytes: 400})
		require.NoError(t, err)
		require.Len(t, deleted, 1)
		assert.Equal(t, "import", deleted[0].ID)
	})
	t.Run("a_leased_conversation_stays", func(t *testing.T) {
		store := fill(t)
		at := time.Now()
		request := chat.LeaseRequest{Holder: "test", From: at, Until: at.Add(time.Minute)}
		_, err := store.Acquire(t.Context(), "oldest", request)
		require.NoError(t, err)
		deleted, err := chat.Prune(t.Context(), store, chat.Retention{MaxAge: 60 * time.Hour})
		require.NoError(t, err)
		assert.Empty(t, deleted)
		require.ErrorAs(t, chat.DeleteConversation(t.Context(), store, "oldest"), new(*chat.LeaseError))
	})
}
