package sqlitestore_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/sqlitestore"
)

// openFails opens a store, which must fail, and returns the problem.
func openFails(t *testing.T, path string, o sqlitestore.Options) chat.StoreProblem {
	t.Helper()
	s, err := sqlitestore.Open(t.Context(), path, o)
	if err == nil {
		require.NoError(t, s.Close())
	}
	return problem(t, err)
}

// raw runs SQL statements on a file without a Store.
func raw(t *testing.T, path, statements string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec(statements)
	require.NoError(t, err)
}

func TestOnlyTheOwnerMayReadTheFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	check := func(t *testing.T, s *sqlitestore.Store, id string) {
		begin(t, s, id)
		for _, name := range []string{path, path + "-wal", path + "-shm"} {
			info, err := os.Stat(name)
			require.NoError(t, err)
			assert.Equal(t, fs.FileMode(0o600), info.Mode(), name)
		}
	}
	t.Run("new", func(t *testing.T) { check(t, open(t, path, sqlitestore.Options{}), "a") })
	t.Run("readable_by_others", func(t *testing.T) {
		require.NoError(t, os.Chmod(path, 0o644))
		check(t, open(t, path, sqlitestore.Options{}), "b")
	})
}

func TestDataSurvivesClose(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := open(t, path, sqlitestore.Options{})
	l := begin(t, s, "a")
	_, err := s.Append(t.Context(), l, 0, entry("needle 上海"))
	require.NoError(t, err)
	want, err := s.Metadata(t.Context(), "a")
	require.NoError(t, err)
	require.NoError(t, s.Close())

	reopened := open(t, path, sqlitestore.Options{})
	got, err := reopened.Metadata(t.Context(), "a")
	require.NoError(t, err)
	assert.Equal(t, want, got)
	found, _, err := reopened.Search(t.Context(), chat.SearchOptions{Query: "needle"})
	require.NoError(t, err)
	assert.Len(t, found, 1)
	_, err = reopened.Acquire(t.Context(), "a",
		chat.LeaseRequest{Holder: "other", From: start, Until: start.Add(time.Second)})
	var inUse *chat.LeaseError
	require.ErrorAs(t, err, &inUse, "a lease is in force until it is released or its time is over")
	assert.Equal(t, l, inUse.Current)
}

func TestManyStoresOpenANewFileAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			s, err := sqlitestore.Open(t.Context(), path, sqlitestore.Options{Wait: time.Minute})
			if !assert.NoError(t, err) {
				return
			}
			assert.NoError(t, s.Create(t.Context(), chat.Metadata{ID: fmt.Sprint(i)}))
			assert.NoError(t, s.Close())
		})
	}
	wait.Wait()
	list, _, err := open(t, path, sqlitestore.Options{}).List(t.Context(), chat.ListOptions{})
	require.NoError(t, err)
	assert.Len(t, list, 8)
}

func TestOpenRefusesOtherFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	foreign := filepath.Join(dir, "foreign.db")
	raw(t, foreign, "CREATE TABLE people (name TEXT); INSERT INTO people VALUES ('ann')")
	newer := filepath.Join(dir, "newer.db")
	open(t, newer, sqlitestore.Options{})
	raw(t, newer, "PRAGMA user_version = 99")

	for _, c := range []struct {
		name, path string
		want       chat.StoreProblem
	}{
		{"text", write("notes.txt", strings.Repeat("This is not a database. ", 1000)), chat.ProblemCorrupt},
		{"half_a_header", write("half.db", "SQLite format 3\x00\x10\x00"), chat.ProblemCorrupt},
		{"another_program", foreign, chat.ProblemCorrupt},
		{"newer_version", newer, chat.ProblemVersion},
		{"directory", dir, chat.ProblemAccess},
		{"no_directory", filepath.Join(dir, "no", "store.db"), chat.ProblemAccess},
		{"device", os.DevNull, chat.ProblemAccess},
	} {
		t.Run(c.name, func(t *testing.T) {
			content, _ := os.ReadFile(c.path)
			assert.Equal(t, c.want, openFails(t, c.path, sqlitestore.Options{}))
			contentAfterOpen, _ := os.ReadFile(c.path)
			assert.True(t, bytes.Equal(content, contentAfterOpen), "a file that is refused is not changed")
		})
	}
}

func TestAnEmptyFileBecomesAStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "empty.db")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	begin(t, open(t, path, sqlitestore.Options{}), "a")
}

func TestOpenReadOnlyCreatesNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing.db")
	assert.Equal(t, chat.ProblemAccess, openFails(t, path, sqlitestore.Options{ReadOnly: true}))
	assert.NoFileExists(t, path)
}

func TestOpenReturnsTheCauseOfACanceledContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(assert.AnError)
	_, err := sqlitestore.Open(ctx, filepath.Join(t.TempDir(), "canceled.db"), sqlitestore.Options{})
	assert.ErrorIs(t, err, assert.AnError)
}

func TestAReadOnlyStoreRefusesChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := open(t, path, sqlitestore.Options{})
	l := begin(t, s, "a")
	_, err := s.Append(t.Context(), l, 0, entry("earlier"))
	require.NoError(t, err)

	reader := open(t, path, sqlitestore.Options{ReadOnly: true})
	list, err := reader.Path(t.Context(), "a", 1, 1)
	require.NoError(t, err)
	assert.Equal(t, "earlier", list[0].Text)
	_, err = reader.Append(t.Context(), l, 1, entry("x"))
	assert.Equal(t, chat.ProblemReadOnly, problem(t, err))
	assert.Equal(t, chat.ProblemReadOnly, problem(t, reader.Create(t.Context(), chat.Metadata{ID: "b"})))
	_, err = s.Append(t.Context(), l, 1, entry("later"))
	require.NoError(t, err, "a reader does not keep writers out")
}

func TestALockedFileIsAnErrorAfterTheWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := open(t, path, sqlitestore.Options{Wait: 20 * time.Millisecond})
	l := begin(t, s, "a")
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer db.Close()
	conn, err := db.Conn(t.Context())
	require.NoError(t, err)
	defer conn.Close()
	_, err = conn.ExecContext(t.Context(), "BEGIN IMMEDIATE")
	require.NoError(t, err)
	_, err = s.Append(t.Context(), l, 0, entry("x"))
	assert.Equal(t, chat.ProblemLocked, problem(t, err))
	m, err := s.Metadata(t.Context(), "a")
	require.NoError(t, err, "what is stored can be read while another process writes")
	assert.Zero(t, m.Entries)
	_, err = conn.ExecContext(t.Context(), "ROLLBACK")
	require.NoError(t, err)
	_, err = s.Append(t.Context(), l, 0, entry("x"))
	require.NoError(t, err)
}

func TestAFullStoreKeepsWhatItHas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := open(t, path, sqlitestore.Options{MaxBytes: 1 << 20})
	l := begin(t, s, "a")
	last, err := s.Append(t.Context(), l, 0, entry("earlier"))
	require.NoError(t, err)
	big := chat.Entry{Kind: "result", Time: start, Data: json.RawMessage(`"` + strings.Repeat("x", 300<<10) + `"`)}
	for err == nil {
		require.Less(t, last, int64(100), "the limit has no effect")
		last, err = s.Append(t.Context(), l, last, entry("small"), big)
	}
	assert.Equal(t, chat.ProblemFull, problem(t, err))
	m, err := s.Metadata(t.Context(), "a")
	require.NoError(t, err)
	assert.Equal(t, int64(1), m.Entries%2, "an Append of two entries appends both or none")
	list, err := s.Path(t.Context(), "a", m.Tip, 0)
	require.NoError(t, err, "what is stored can be read")
	assert.Equal(t, "earlier", list[len(list)-1].Text)

	require.NoError(t, s.Delete(t.Context(), l))
	_, err = s.Append(t.Context(), begin(t, s, "b"), 0, entry("small"), big)
	require.NoError(t, err, "after Delete there is room again")
}

// damage overwrites a file except its first pages of 4096 bytes.
func damage(t *testing.T, path string, firstPages int) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	defer f.Close()
	info, err := f.Stat()
	require.NoError(t, err)
	_, err = f.WriteAt(bytes.Repeat([]byte{0xA5}, int(info.Size())-firstPages*4096), int64(firstPages)*4096)
	require.NoError(t, err)
}

func TestACorruptFileIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s, err := sqlitestore.Open(t.Context(), path, sqlitestore.Options{})
	require.NoError(t, err)
	l := begin(t, s, "a")
	last, err := s.Append(t.Context(), l, 0,
		slices.Repeat([]chat.Entry{entry(strings.Repeat("text of a message ", 100))}, 100)...)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	damage(t, path, 40) // the first pages contain the tables' definitions and the first entries

	s = open(t, path, sqlitestore.Options{})
	m, err := s.Metadata(t.Context(), "a")
	require.NoError(t, err, "what is not damaged can be read")
	assert.Equal(t, last, m.Tip)
	_, err = s.Entries(t.Context(), "a", 0, 3)
	require.NoError(t, err, "what is not damaged can be read")
	_, err = s.Path(t.Context(), "a", m.Tip, 0)
	assert.Equal(t, chat.ProblemCorrupt, problem(t, err))
	_, err = s.Append(t.Context(), l, m.Tip, entry("x"))
	assert.Equal(t, chat.ProblemCorrupt, problem(t, err))
}

func TestAClosedStoreFails(t *testing.T) {
	s, err := sqlitestore.Open(t.Context(), sqlitestore.Memory, sqlitestore.Options{})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	require.NoError(t, s.Close())
	assert.Equal(t, chat.ProblemClosed, problem(t, s.Create(t.Context(), chat.Metadata{ID: "a"})))
	_, err = s.Metadata(t.Context(), "a")
	assert.Equal(t, chat.ProblemClosed, problem(t, err))
}

func TestDeletedTextIsOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := open(t, path, sqlitestore.Options{})
	l := begin(t, s, "a")
	_, err := s.Append(t.Context(), l, 0, entry("a very private sentence"), chat.Entry{
		Kind: "result", Time: start, Data: json.RawMessage(`"` + strings.Repeat("a very private sentence ", 1000) + `"`),
	})
	require.NoError(t, err)
	contains := func() (found bool) {
		for _, name := range []string{path, path + "-wal"} {
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			found = found || bytes.Contains(data, []byte("riv")) // a trigram of "private"; the search index has no longer parts
		}
		return found
	}
	require.True(t, contains())
	require.NoError(t, s.Delete(t.Context(), l))
	assert.False(t, contains())
}
