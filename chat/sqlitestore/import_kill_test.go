//go:build unix

package sqlitestore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/sqlitestore"
)

// killedAtChanges passes a point before and after each change that an import makes.
type killedAtChanges struct {
	killingStore
}

func (s killedAtChanges) Create(ctx context.Context, m chat.Metadata) error {
	s.points.pass()
	defer s.points.pass()
	return s.Store.Create(ctx, m)
}

func (s killedAtChanges) Acquire(ctx context.Context, id string, r chat.LeaseRequest) (chat.Lease, error) {
	s.points.pass()
	defer s.points.pass()
	return s.Store.Acquire(ctx, id, r)
}

func (s killedAtChanges) SetTip(ctx context.Context, l chat.Lease, seq int64) error {
	s.points.pass()
	defer s.points.pass()
	return s.Store.SetTip(ctx, l, seq)
}

// importFile imports the file o.Import. It runs in the child process.
func (o *victimOptions) importFile(ctx context.Context, store *sqlitestore.Store, p *points) error {
	f, err := os.Open(o.Import)
	if err != nil {
		return err
	}
	_, err = chat.Import(ctx, killedAtChanges{killingStore{store, p}}, f, chat.ImportOptions{})
	return errors.Join(err, f.Close())
}

// The number of entries of branchedExport, and the tip.
const importedEntries, importedTip = 9, 5

// branchedExport returns an export with three branches. Import appends each branch by itself.
func branchedExport() string {
	const at = "2026-03-01T10:00:00Z"
	var entries []string
	for i, parent := range []int{0, 1, 2, 2, 4, 5, 2, 7, 8} {
		entries = append(entries, fmt.Sprintf(`{"seq":%d,"parent":%d,"kind":"user","time":%q,"data":{"kind":"user",`+
			`"time":%[3]q,"user":{"role":"user","content":"message %[1]d"}}}`, i+1, parent, at))
	}
	return fmt.Sprintf(`{"format":"vcp-conversation","version":1,"exported":%q,"conversation":{"id":%q,"created":%[1]q,`+
		`"updated":%[1]q,"tip":%[3]d,"entries":%[4]d,"bytes":1},"entries":[%[5]s]}`,
		at, victimID, importedTip, importedEntries, strings.Join(entries, ","))
}

// If a process is killed while it imports a conversation, the whole conversation can be opened, or
// none of it. In the second case, a new conversation or an import with the same ID replaces what is
// stored.
func TestAKilledImportAddsAllOrNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "export.json")
	require.NoError(t, os.WriteFile(file, []byte(branchedExport()), 0o600))
	finished := 0
	for n, killed := 1, true; killed; n++ {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			o := newVictim(t, false)
			o.Import, o.KillAt = file, n
			killed, _, _ = o.outcome(t, 0)
			store := open(t, o.Store, sqlitestore.Options{})
			e, err := o.engine(&points{})
			require.NoError(t, err)
			_, err = chat.Open(t.Context(), e, chat.Options{ID: victimID, Store: store})
			if err == nil {
				finished++
				requireImported(t, store)
				return
			}
			require.True(t, killed)
			require.ErrorIs(t, err, chat.ErrNoConversation)
			require.ErrorIs(t, chat.Export(t.Context(), &strings.Builder{}, store, victimID), chat.ErrNoConversation)
			_, _, err = chat.ReadPage(t.Context(), store, victimID, 0, 0)
			require.ErrorIs(t, err, chat.ErrNoConversation)
			if n%2 == 0 { // the even points import again; the odd ones begin a new conversation
				again, err := chat.Import(t.Context(), store, strings.NewReader(branchedExport()), chat.ImportOptions{})
				require.NoError(t, err)
				require.EqualValues(t, importedTip, again.Tip)
				requireImported(t, store)
				return
			}
			c, err := chat.New(e, chat.Options{ID: victimID, Store: store})
			require.NoError(t, err)
			for _, err := range c.Send(t.Context(), "Go.") {
				require.NoError(t, err)
				break
			}
			last, ok := c.Last()
			require.True(t, ok)
			require.False(t, last.Imported)
			m, err := store.Metadata(t.Context(), victimID)
			require.NoError(t, err)
			require.Zero(t, m.Imported)
		})
	}
	require.Greater(t, finished, 1, "a process that is killed after the last append has imported all")
}

// requireImported checks that the whole of branchedExport was imported.
func requireImported(t *testing.T, store chat.Store) {
	t.Helper()
	m, err := store.Metadata(t.Context(), victimID)
	require.NoError(t, err)
	require.False(t, m.Unfinished())
	require.Equal(t, []int64{importedEntries, importedEntries}, []int64{m.Entries, m.Imported})
	page, _, err := chat.ReadPage(t.Context(), store, victimID, importedEntries, 0)
	require.NoError(t, err)
	require.Len(t, page, 5, "entries 1, 2, 7, 8 and 9")
	for _, message := range page {
		require.True(t, message.Imported)
	}
}

// Prune deletes an import whose process was killed, but not one that still runs.
func TestPruneDeletesAbandonedImports(t *testing.T) {
	o := newVictim(t, false)
	file := filepath.Join(t.TempDir(), "export.json")
	require.NoError(t, os.WriteFile(file, []byte(branchedExport()), 0o600))
	o.Import, o.KillAt = file, 7 // after Create, Acquire and the first Append
	killed, _, _ := o.outcome(t, 0)
	require.True(t, killed)
	store := open(t, o.Store, sqlitestore.Options{})
	require.NoError(t, store.Create(t.Context(), chat.Metadata{ID: "running", Imported: 1}))
	from := time.Now()
	_, err := store.Acquire(t.Context(), "running", chat.LeaseRequest{Holder: "test", From: from, Until: from.Add(time.Minute)})
	require.NoError(t, err)
	deleted, err := chat.Prune(t.Context(), store, chat.Retention{MaxBytes: 1 << 30})
	require.NoError(t, err)
	require.Len(t, deleted, 1)
	require.Equal(t, victimID, deleted[0].ID)
	_, err = store.Metadata(t.Context(), "running")
	require.NoError(t, err)
}
