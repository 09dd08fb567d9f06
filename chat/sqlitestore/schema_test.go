package sqlitestore

import (
	"database/sql"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
)

// fileOf creates a store with the SQL statements in a file of testdata, and returns the path of the
// store.
func fileOf(t *testing.T, statements string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", statements))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "store.db")
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec(string(text))
	require.NoError(t, err)
	return path
}

func openFile(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, Options{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// schemaOf returns the tables and indexes of a store.
func schemaOf(t *testing.T, s *Store) (list []string) {
	t.Helper()
	rows, err := s.read.Query("SELECT type || ' ' || name || ': ' || coalesce(sql, '') FROM sqlite_schema ORDER BY type, name")
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var line string
		require.NoError(t, rows.Scan(&line))
		list = append(list, line)
	}
	require.NoError(t, rows.Err())
	return list
}

// TestEachOlderVersionIsMigrated opens a file of each version that was released.
// testdata/version_N.sql contains the statements that create a file of version N. These statements
// were written when that version was current, and never change.
func TestEachOlderVersionIsMigrated(t *testing.T) {
	fresh := openFile(t, filepath.Join(t.TempDir(), "new.db"))
	for version := 1; version <= len(migrations); version++ {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			path := fileOf(t, fmt.Sprintf("version_%d.sql", version))
			s := openFile(t, path)
			assert.Equal(t, schemaOf(t, fresh), schemaOf(t, s), "an old file gets the tables of a new one")
			ctx := t.Context()
			m, err := s.Metadata(ctx, "trip")
			require.NoError(t, err)
			assert.Equal(t, chat.Metadata{
				ID: "trip", Title: "上海 trip", Owner: "ann", Tags: []string{"go", "work"}, Tip: 3, Entries: 3, Bytes: 62, Fence: 7,
				Created: time.UnixMicro(1772366400123456).UTC(), Updated: time.UnixMicro(1772366460000000).UTC(),
			}, m)
			toTip, err := s.Path(ctx, "trip", 3, 0)
			require.NoError(t, err)
			assert.Len(t, toTip, 2)
			branches, err := s.Branches(ctx, "trip", math.MaxInt64, 0)
			require.NoError(t, err)
			assert.Len(t, branches, 2)
			for query, seq := range map[string]int64{"HOTEL": 1, "上海": 2} {
				found, _, err := s.Search(ctx, chat.SearchOptions{Query: query})
				require.NoError(t, err)
				require.Len(t, found, 1, query)
				assert.Equal(t, seq, found[0].Entry.Seq)
			}
			l, err := s.Acquire(ctx, "trip",
				chat.LeaseRequest{Holder: "test", From: time.Now(), Until: time.Now().Add(time.Minute)})
			require.NoError(t, err)
			assert.Equal(t, int64(8), l.Fence, "fences continue")
			last, err := s.Append(ctx, l, 3,
				chat.Entry{Kind: "user", Time: time.Now(), Data: []byte(`1`), Text: "goes on"})
			require.NoError(t, err)
			assert.Equal(t, int64(4), last)
			require.NoError(t, s.Delete(ctx, l))
		})
	}
}

func TestAMigrationIsWholeOrChangesNothing(t *testing.T) {
	released := migrations
	t.Cleanup(func() { migrations = released })
	path := filepath.Join(t.TempDir(), "store.db")
	old := openFile(t, path)
	require.NoError(t, old.Create(t.Context(), chat.Metadata{ID: "a"}))
	version := func() (n int) {
		require.NoError(t, old.read.QueryRow("PRAGMA user_version").Scan(&n))
		return n
	}

	migrations = slices.Concat(released,
		[]migration{statements("CREATE TABLE later (x INTEGER); this is not a statement")})
	_, err := Open(t.Context(), path, Options{})
	require.Error(t, err)
	assert.Equal(t, len(released), version(), "a step that fails changes nothing")
	assert.NotContains(t, fmt.Sprint(schemaOf(t, old)), "later")

	migrations[len(released)] = statements("CREATE TABLE later (x INTEGER); INSERT INTO later SELECT count(*) FROM conversations")
	_, err = Open(t.Context(), path, Options{ReadOnly: true})
	require.Error(t, err, "a file of an older version is not migrated without the right to write")
	s := openFile(t, path)
	assert.Equal(t, len(released)+1, version())
	var n int
	require.NoError(t, s.read.QueryRow("SELECT x FROM later").Scan(&n))
	assert.Equal(t, 1, n)

	migrations = released
	_, err = Open(t.Context(), path, Options{})
	var failed *chat.StoreError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, chat.ProblemVersion, failed.Problem, "a newer version is refused")
}

// A file of version 1 may contain secrets, because that version knew fewer forms of them.
func TestSecretsOfOlderVersionsAreMasked(t *testing.T) {
	const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	released := migrations
	t.Cleanup(func() { migrations = released })
	migrations = released[:1]
	path, ctx := filepath.Join(t.TempDir(), "store.db"), t.Context()
	old := openFile(t, path)
	require.NoError(t,
		old.Create(ctx, chat.Metadata{ID: "a", Title: "Key " + secret, Tags: []string{secret, "work", secret + "x"}}))
	now := time.Now()
	lease, err := old.Acquire(ctx, "a", chat.LeaseRequest{Holder: "test", From: now, Until: now.Add(time.Minute)})
	require.NoError(t, err)
	entries := []chat.Entry{
		{Kind: "user", Text: "Hello", Data: []byte(`{"kind": "user", "user": {"role": "user", "content": "Hello"}}`)},
		{
			Kind: "user", Text: "Use " + secret + " for Oslo",
			Data: []byte(`{"kind":"user","user":{"role":"user","origin":"user","content":"Use ` + secret + ` for Oslo"}}`),
		},
		{Kind: "own", Text: secret, Data: []byte(`{"note":["` + secret + `",1]}`)},
	}
	for i := range entries {
		entries[i].Time = now
	}
	_, err = old.Append(ctx, lease, 0, entries...)
	require.NoError(t, err)
	require.NoError(t, old.Close())

	migrations = released
	s := openFile(t, path)
	m, err := s.Metadata(ctx, "a")
	require.NoError(t, err)
	assert.Equal(t, "Key [secret]", m.Title)
	assert.Equal(t, []string{"[secret]", "work"}, m.Tags)
	list, err := s.Entries(ctx, "a", 0, 0)
	require.NoError(t, err)
	require.Len(t, list, len(entries))
	assert.Equal(t, entries[0].Data, list[0].Data, "an entry without secrets stays as it was")
	assert.Equal(t, "Use [secret] for Oslo", list[1].Text)
	assert.Contains(t, string(list[1].Data), "Use [secret] for Oslo")
	assert.JSONEq(t, `{"note":["[secret]",1]}`, string(list[2].Data))
	size := 0
	for _, e := range list {
		size += len(e.Data) + len(e.Text)
	}
	assert.Equal(t, int64(size), m.Bytes)
	for query, count := range map[string]int{secret: 0, "oslo": 1, "hello": 1, "[secret]": 2} {
		found, _, err := s.Search(ctx, chat.SearchOptions{Query: query})
		require.NoError(t, err)
		assert.Len(t, found, count, query)
	}
	_, err = s.write.ExecContext(ctx, "INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
	require.NoError(t, err, "the index of the search agrees with the entries")
	for _, name := range []string{path, path + "-wal"} {
		content, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.NotContains(t, strings.ToLower(string(content)), secret[:12], "the beginning of the secret is in %s", name)
	}
}
