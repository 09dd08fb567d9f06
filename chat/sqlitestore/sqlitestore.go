// Package sqlitestore keeps conversations in a file of SQLite. A Store is a chat.Store.
//
// Several processes of one machine may use one file. When Append returns, its entries are on the
// disk: the file is in WAL mode, and each change is synchronized. The file must not be on a network
// file system, which SQLite's WAL mode does not support. docs/conversations.md describes what is
// stored, and the file.
package sqlitestore

import (
	"context"
	"database/sql"
	"errors"

	"github.com/vcpgo/vcp/chat"
)

// Store keeps conversations in a SQLite file, or in memory. It is safe for concurrent use.
type Store struct {
	name  string
	write *sql.DB // has one connection
	read  *sql.DB // the same as write if the store is in memory
}

var _ chat.Store = (*Store)(nil)

// Close closes the store. Calls that run are completed, perhaps after Close has returned. Later
// calls return a *chat.StoreError.
func (s *Store) Close() error {
	var err error
	if s.read != nil && s.read != s.write {
		err = s.read.Close()
	}
	if s.write != nil { // closed last, because it writes the log back into the file
		err = errors.Join(err, s.write.Close())
	}
	if err != nil {
		return storeError(s.name, err)
	}
	return nil
}

// change runs f in a transaction that writes. If ctx ends, change stops waiting for the connection.
// It interrupts neither a transaction nor the wait for a change of another process.
func (s *Store) change(ctx context.Context, f func(context.Context, *sql.Tx) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	conn, err := s.write.Conn(ctx)
	if err != nil {
		return s.callError(ctx, err)
	}
	defer func() { _ = conn.Close() }() // it goes back to the pool
	uncanceled := context.WithoutCancel(ctx)
	tx, err := conn.BeginTx(uncanceled, nil)
	if err != nil {
		return s.callError(uncanceled, err)
	}
	if err := f(uncanceled, tx); err != nil {
		_ = tx.Rollback() // the error of f counts
		return s.callError(uncanceled, err)
	}
	return s.callError(uncanceled, tx.Commit())
}

// truncateLog removes overwritten text from the write-ahead log. If another process prevents that,
// the next call does it.
func (s *Store) truncateLog(ctx context.Context) {
	_, _ = s.write.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
}

// view runs f in a transaction that only reads, and sees one state of the store.
func (s *Store) view(ctx context.Context, f func(*sql.Tx) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	tx, err := s.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return s.callError(ctx, err)
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	return s.callError(ctx, f(tx))
}

// callError returns the error that a method of Store returns for err. It is nil for nil, and the
// cause of the end of ctx if ctx has ended. Errors that chat.Store documents stay unchanged, and
// any other becomes a *chat.StoreError.
func (s *Store) callError(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case isDocumented(err):
		return err
	}
	return storeError(s.name, err)
}

// each calls read for the rows of a query, until read returns false or an error.
func each(
	ctx context.Context, tx *sql.Tx, query string, args []any, read func(*sql.Rows) (more bool, err error),
) error {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err returns the same error
	for rows.Next() {
		if more, err := read(rows); err != nil || !more {
			return err
		}
	}
	return rows.Err()
}
