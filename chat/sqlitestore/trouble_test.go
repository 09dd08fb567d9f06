//go:build unix

package sqlitestore_test

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/sqlitestore"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/tool"
)

// If the storage fails during a turn, the run stops before the next effect. What was stored before
// can be read, and the turn can be finished when the storage works again.
func TestATurnCanBeFinishedAfterTheStorageFailed(t *testing.T) {
	for _, tt := range []struct {
		name    string
		options sqlitestore.Options
		// trouble makes the storage fail during the first call, and repair ends the trouble.
		trouble func(t *testing.T, path string) (out tool.Output, repair func())
		want    chat.StoreProblem
	}{
		{"full", sqlitestore.Options{MaxBytes: 256 << 10}, func(*testing.T, string) (tool.Output, func()) {
			large := tool.File{Name: "a", Data: make([]byte, 1<<20)}
			return tool.Output{Text: "large", Files: []tool.File{large}}, func() {} // Open below sets no limit
		}, chat.ProblemFull},
		{"locked", sqlitestore.Options{Wait: 20 * time.Millisecond}, func(t *testing.T, path string) (tool.Output, func()) {
			db, err := sql.Open("sqlite", path)
			require.NoError(t, err)
			conn, err := db.Conn(t.Context())
			require.NoError(t, err)
			_, err = conn.ExecContext(t.Context(), "BEGIN IMMEDIATE")
			require.NoError(t, err)
			return tool.Output{Text: "small"}, func() {
				_, err := conn.ExecContext(t.Context(), "ROLLBACK")
				require.NoError(t, err)
				require.NoError(t, conn.Close())
				require.NoError(t, db.Close())
			}
		}, chat.ProblemLocked},
		{"corrupt", sqlitestore.Options{}, func(t *testing.T, path string) (tool.Output, func()) {
			return tool.Output{Text: "small"}, damageBranches(t, path)
		}, chat.ProblemCorrupt},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "store.db")
			repair, ran := func() {}, []string{}
			handle := func(name string, h func() tool.Output) tool.Method {
				return method(t, name, func(context.Context, *tool.Call) (tool.Output, error) {
					ran = append(ran, name)
					return h(), nil
				})
			}
			e := newEngine(t, inTurn(call("shop_first"), call("shop_second"), "All done."), nil,
				handle("first", func() (out tool.Output) { out, repair = tt.trouble(t, path); return out }),
				handle("second", func() tool.Output { return tool.Output{Text: "second"} }))
			options := chat.Options{ID: "a", Store: open(t, path, tt.options)}
			c, err := chat.New(e, options)
			require.NoError(t, err)

			stop, err := rangeOver(c.Send(t.Context(), strings.Repeat("Go. ", 1000)))
			require.Equal(t, engine.StopJournalError, stop)
			require.Equal(t, tt.want, problem(t, err))
			require.Equal(t, []string{"first"}, ran)
			entries, err := options.Store.Entries(t.Context(), "a", 0, 0)
			require.NoError(t, err)
			require.Len(t, entries, 3, "user, reply, call_started can be read")
			_, err = rangeOver(c.Send(t.Context(), "Again."))
			require.Error(t, err, "the conversation must be opened again")
			repair()
			// The store could not release the lease. The lease would expire, but the test releases
			// it at once.
			m, err := options.Store.Metadata(t.Context(), "a")
			require.NoError(t, err)
			require.NoError(t, options.Store.Release(t.Context(), chat.Lease{ConversationID: "a", Fence: m.Fence}))

			options.Store = open(t, path, sqlitestore.Options{})
			c, err = chat.Open(t.Context(), e, options)
			require.NoError(t, err)
			require.True(t, c.Interrupted())
			stop, err = rangeOver(c.Resume(t.Context()))
			require.NoError(t, err)
			require.Equal(t, engine.StopDone, stop)
			require.Equal(t, []string{"first", "second"}, ran, "no call runs twice")
			last, _ := c.Last()
			require.Equal(t, "All done.", last.Text)
		})
	}
}

// damageBranches overwrites the page of the table "branches", which each append changes. repair
// restores the page.
func damageBranches(t *testing.T, path string) (repair func()) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer db.Close()
	// After a change by another connection, the store reads its pages from the file again.
	_, err = db.Exec("UPDATE store SET fence = fence; PRAGMA wal_checkpoint(TRUNCATE)")
	require.NoError(t, err)
	var root, size int64
	require.NoError(t, db.QueryRow("SELECT rootpage FROM sqlite_schema WHERE name = 'branches'").Scan(&root))
	require.NoError(t, db.QueryRow("PRAGMA page_size").Scan(&size))
	page := make([]byte, size)
	write := func(page []byte) {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		require.NoError(t, err)
		defer f.Close()
		_, err = f.WriteAt(page, (root-1)*size)
		require.NoError(t, err)
	}
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	_, err = f.ReadAt(page, (root-1)*size)
	require.NoError(t, err)
	write(bytes.Repeat([]byte{0xA5}, int(size)))
	return func() { write(page) }
}

// With a read-only store no turn can begin, but the stored conversation can be read.
func TestAReadOnlyStoreTakesNoTurn(t *testing.T) {
	o := newVictim(t, false)
	killed, _, _ := o.outcome(t, 0)
	require.False(t, killed)
	want := o.check(t).transcript
	e, err := o.engine(&points{})
	require.NoError(t, err)
	c, err := chat.Open(t.Context(), e,
		chat.Options{ID: victimID, Store: open(t, o.Store, sqlitestore.Options{ReadOnly: true})})
	require.NoError(t, err)
	_, err = rangeOver(c.Send(t.Context(), "More."))
	require.Equal(t, chat.ProblemReadOnly, problem(t, err))
	require.Len(t, c.History(), len(want))
}
