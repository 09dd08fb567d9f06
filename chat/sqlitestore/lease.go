package sqlitestore

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/vcpgo/vcp/chat"
)

// withLease runs f in a transaction if l is the newest lease of its conversation.
func (s *Store) withLease(
	ctx context.Context, l chat.Lease, f func(context.Context, *sql.Tx, conversation) error,
) error {
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		c, err := find(ctx, tx, l.ConversationID)
		if err != nil {
			return err
		}
		if l.Fence == 0 || c.lease.Fence != l.Fence {
			return &chat.LeaseError{ConversationID: l.ConversationID, Lost: true, Current: c.lease}
		}
		return f(ctx, tx, c)
	})
}

// Acquire leases a conversation, as chat.Store says.
func (s *Store) Acquire(ctx context.Context, id string, r chat.LeaseRequest) (chat.Lease, error) {
	l, err := chat.CheckedLease(chat.Lease{ConversationID: id, Holder: r.Holder, From: r.From, Until: r.Until})
	if err != nil {
		return chat.Lease{}, err
	}
	err = s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		c, err := find(ctx, tx, id)
		if err != nil {
			return err
		}
		if c.lease.InForce(l.From) && c.lease.Fence != r.Over {
			return &chat.LeaseError{ConversationID: id, Current: c.lease}
		}
		if err := tx.QueryRowContext(ctx, "UPDATE store SET fence = fence + 1 RETURNING fence").Scan(&l.Fence); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE conversations SET fence = ?, lease_holder = ?, lease_from = ?, lease_until = ? WHERE number = ?",
			l.Fence, l.Holder, l.From.UnixMicro(), l.Until.UnixMicro(), c.number)
		return err
	})
	if err != nil {
		return chat.Lease{}, err
	}
	return l, nil
}

// Renew changes the times of a lease, as chat.Store says.
func (s *Store) Renew(ctx context.Context, l chat.Lease) error {
	l, err := chat.CheckedLease(l)
	if err != nil {
		return err
	}
	return s.withLease(ctx, l, func(ctx context.Context, tx *sql.Tx, c conversation) error {
		_, err := tx.ExecContext(ctx, "UPDATE conversations SET lease_from = ?, lease_until = ? WHERE number = ?",
			l.From.UnixMicro(), l.Until.UnixMicro(), c.number)
		return err
	})
}

// Release ends a lease, as chat.Store says.
func (s *Store) Release(ctx context.Context, l chat.Lease) error {
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE conversations SET lease_holder = NULL WHERE id = ? AND fence = ?",
			l.ConversationID, l.Fence)
		return err
	})
}

// SetTip makes an entry the tip, as chat.Store says.
func (s *Store) SetTip(ctx context.Context, l chat.Lease, seq int64) error {
	return s.withLease(ctx, l, func(ctx context.Context, tx *sql.Tx, c conversation) error {
		if err := checkEntry(&c, seq); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE conversations SET tip = ? WHERE number = ?", seq, c.number)
		return err
	})
}

// checkEntry returns an error that wraps chat.ErrNoEntry unless seq is 0 or the number of an entry.
func checkEntry(c *conversation, seq int64) error {
	if seq < 0 || seq > c.Entries {
		return fmt.Errorf("chat: conversation %.100q, entry %d: %w", c.ID, seq, chat.ErrNoEntry)
	}
	return nil
}

// maxFreedPages limits the pages that one Delete gives back to the file system, so that it does not
// keep other changes waiting for long. 65,536 pages have 256 MiB.
const maxFreedPages = 65536

// Delete removes a conversation, as chat.Store says. Its text is overwritten, also in the
// write-ahead log, unless another process that reads the log prevents it.
func (s *Store) Delete(ctx context.Context, l chat.Lease) error {
	err := s.withLease(ctx, l, func(ctx context.Context, tx *sql.Tx, c conversation) error {
		for _, statement := range []string{
			// FTS5 removes a row from the index if 'delete' is inserted into the column that has
			// the name of the table.
			"INSERT INTO search (search, rowid, folded) SELECT 'delete', number, folded FROM entries WHERE conversation = ? AND folded <> ''",
			"DELETE FROM entries WHERE conversation = ?",
			"DELETE FROM conversations WHERE number = ?",
		} {
			if _, err := tx.ExecContext(ctx, statement, c.number); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	// The conversation is gone. If these statements fail, those of the next Delete free the pages.
	uncanceled := context.WithoutCancel(ctx)
	_, _ = s.write.ExecContext(uncanceled, fmt.Sprintf("PRAGMA incremental_vacuum(%d)", maxFreedPages))
	s.truncateLog(uncanceled)
	return nil
}
