package sqlitestore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"modernc.org/sqlite"

	"github.com/vcpgo/vcp/chat"
)

// Memory is the path of a store in memory, which ends with its Close.
const Memory = ":memory:"

// Options set up a Store. The zero value is ready to use.
type Options struct {
	// ReadOnly opens an existing file without the right to change it. Methods that change the store
	// return a *chat.StoreError.
	ReadOnly bool
	// MaxBytes limits the size of the file. A change that needs more fails with a *chat.StoreError.
	// 0 means no limit. The limit is rounded down to pages of 4096 bytes, but is at least one page.
	// The write-ahead log beside the file is not included.
	MaxBytes int64
	// Wait is how long a change waits for the changes of other processes; 0 means 5 seconds.
	Wait time.Duration
}

const (
	pageSize    = 4096 // bytes
	defaultWait = 5 * time.Second
	// retryOpen is how long prepare waits between two attempts.
	retryOpen = 10 * time.Millisecond
	// readers is how many calls read at a time. Changes are made one by one.
	readers = 4
)

// Open opens the store in the file at path. Unless o.ReadOnly is set, it creates a missing file,
// migrates an older version of the tables, and makes sure that only the owner can read the file and
// those that SQLite puts beside it, path-wal and path-shm. The error is a *chat.StoreError if the
// version is newer, if the file is not a store, or if it cannot be opened.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	o.Wait = cmp.Or(max(0, o.Wait), defaultWait)
	s := &Store{name: path}
	if path != Memory {
		abs, err := filepath.Abs(path)
		if err == nil {
			s.name = abs
			err = ownFile(abs, o.ReadOnly)
		}
		if err != nil {
			return nil, storeError(s.name, err)
		}
	}
	err := s.connect(o)
	if err == nil {
		err = s.prepare(ctx, o)
	}
	if err != nil {
		_ = s.Close() // the first error counts
		return nil, s.callError(ctx, err)
	}
	return s, nil
}

// prepare makes the first connection and migrates the tables. If another process puts a new file
// into WAL mode, SQLite fails instead of waiting, so prepare tries again.
func (s *Store) prepare(ctx context.Context, o Options) error {
	for end := time.Now().Add(o.Wait); ; {
		err := s.migrate(ctx, o.ReadOnly)
		var failed *chat.StoreError
		if !errors.As(err, &failed) || failed.Problem != chat.ProblemLocked || time.Now().After(end) {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(retryOpen):
		}
	}
}

// connect sets up the pools of connections. Each connection is made when it is first needed.
func (s *Store) connect(o Options) error {
	shared := []string{
		fmt.Sprintf("busy_timeout(%d)", o.Wait.Milliseconds()), "foreign_keys(1)", "secure_delete(1)", "trusted_schema(0)",
		"cell_size_check(1)",
	}
	pragmas := slices.Concat(shared, []string{"synchronous(full)"})
	if !o.ReadOnly {
		// page_size and auto_vacuum have an effect on a new file only.
		pragmas = append(pragmas, fmt.Sprintf("page_size(%d)", pageSize), "auto_vacuum(incremental)")
		if s.name != Memory {
			pragmas = append(pragmas, "journal_mode(wal)")
		}
	}
	if o.MaxBytes > 0 {
		pragmas = append(pragmas, fmt.Sprintf("max_page_count(%d)", max(1, o.MaxBytes/pageSize)))
	}
	var err error
	if s.write, err = openDB(s.dsn(o.ReadOnly, "immediate", pragmas)); err != nil {
		return err
	}
	s.write.SetMaxOpenConns(1)
	s.read = s.write
	if s.name != Memory {
		readOnly := slices.Concat(shared, []string{"query_only(1)"})
		if s.read, err = openDB(s.dsn(o.ReadOnly, "deferred", readOnly)); err != nil {
			return err
		}
		s.read.SetMaxOpenConns(readers)
		s.read.SetMaxIdleConns(readers)
	}
	return nil
}

func openDB(dsn string) (*sql.DB, error) {
	c, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(c), nil
}

// dsn returns the name by which the driver opens the store.
func (s *Store) dsn(readOnly bool, lock string, pragmas []string) string {
	// _defensive keeps SQL statements from damaging the file. With _dqs=0, a text in double quotes
	// is only the name of a column. _error_rc omits texts of unrelated errors.
	query := url.Values{"_pragma": pragmas, "_txlock": {lock}, "_defensive": {"1"}, "_dqs": {"0"}, "_error_rc": {"1"}}
	if s.name == Memory {
		return Memory + "?" + query.Encode()
	}
	if readOnly {
		query.Set("mode", "ro")
	}
	path := filepath.ToSlash(s.name)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // the path begins with a drive of Windows
	}
	return "file://" + (&url.URL{Path: path}).EscapedPath() + "?" + query.Encode()
}
