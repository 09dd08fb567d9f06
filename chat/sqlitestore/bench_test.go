package sqlitestore_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/sqlitestore"
)

// filledStore returns a store in a file that contains one conversation with the given number of
// entries, and a lease of the conversation.
func filledStore(b *testing.B, entries int) (*sqlitestore.Store, chat.Lease) {
	b.Helper()
	s, err := sqlitestore.Open(b.Context(), filepath.Join(b.TempDir(), "store.db"), sqlitestore.Options{})
	require.NoError(b, err)
	b.Cleanup(func() { _ = s.Close() })
	require.NoError(b, s.Create(b.Context(), chat.Metadata{ID: "a", Created: start}))
	l, err := s.Acquire(b.Context(), "a",
		chat.LeaseRequest{Holder: "bench", From: start, Until: start.Add(time.Minute)})
	require.NoError(b, err)
	list := make([]chat.Entry, entries)
	for i := range list {
		list[i] = entry(fmt.Sprint("message number ", i))
	}
	_, err = s.Append(b.Context(), l, 0, list...)
	require.NoError(b, err)
	return s, l
}

// BenchmarkAppend appends one entry durably.
func BenchmarkAppend(b *testing.B) {
	s, l := filledStore(b, 1)
	last := int64(1)
	for b.Loop() {
		var err error
		if last, err = s.Append(b.Context(), l, last, entry("a message of some words")); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPath reads the last 50 entries of a conversation.
func BenchmarkPath(b *testing.B) {
	for _, entries := range []int{100, 10000} {
		b.Run(fmt.Sprint(entries), func(b *testing.B) {
			s, _ := filledStore(b, entries)
			for b.Loop() {
				if _, err := s.Path(b.Context(), "a", int64(entries), 50); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSearch searches 10,000 entries: by the index, and by reading all texts if the word is
// too short for the index.
func BenchmarkSearch(b *testing.B) {
	s, _ := filledStore(b, 10000)
	for _, query := range []string{"9999", "99"} {
		b.Run(query, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := s.Search(b.Context(), chat.SearchOptions{Query: query, Limit: 20}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
