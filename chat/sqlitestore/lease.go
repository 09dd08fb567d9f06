package sqlitestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/vcpgo/vcp/chat"
)

// conversationState is the state of a conversation before a change. number is the key of its row.
type conversationState struct {
	number, tip, entries int64
	current              chat.Lease // the newest lease; zero if it was released, or if there was none yet
}

// findLease returns the state of the conversation with that ID.
func findLease(ctx context.Context, tx *sql.Tx, id string) (c conversationState, err error) {
	var fence, from, until int64
	var holder sql.NullString
	err = tx.QueryRowContext(ctx, "SELECT number, tip, entries, fence, lease_holder, lease_from, lease_until FROM conversations WHERE id = ?", id).
		Scan(&c.number, &c.tip, &c.entries, &fence, &holder, &from, &until)
	if errors.Is(err, sql.ErrNoRows) {
		return c, fmt.Errorf("chat: conversation %.100q: %w", id, chat.ErrNoConversation)
	}
	if holder.Valid {
		c.current = chat.Lease{
			ConversationID: id, Holder: holder.String, Fence: fence, From: fromMicros(from), Until: fromMicros(until),
		}
	}
	return c, err
}

// withLease runs f in a transaction if l is the newest lease of its conversation.
func (s *Store) withLease(
	ctx context.Context, l chat.Lease, f func(context.Context, *sql.Tx, conversationState) error,
) error {
	return s.change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		c, err := findLease(ctx, tx, l.ConversationID)
		if err != nil {
			return err
		}
		if l.Fence == 0 || c.current.Fence != l.Fence {
			return &chat.LeaseError{ConversationID: l.ConversationID, Lost: true, Current: c.current}
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
		c, err := findLease(ctx, tx, id)
		if err != nil {
			return err
		}
		if c.current.InForce(l.From) && c.current.Fence != r.Over {
			return &chat.LeaseError{ConversationID: id, Current: c.current}
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
	return s.withLease(ctx, l, func(ctx context.Context, tx *sql.Tx, c conversationState) error {
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
	return s.withLease(ctx, l, func(ctx context.Context, tx *sql.Tx, c conversationState) error {
		if err := checkEntry(l.ConversationID, seq, c.entries); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE conversations SET tip = ? WHERE number = ?", seq, c.number)
		return err
	})
}

// checkEntry returns an error that wraps chat.ErrNoEntry unless seq is 0 or the number of an entry.
// entries is the number of entries in the conversation.
func checkEntry(id string, seq, entries int64) error {
	if seq < 0 || seq > entries {
		return fmt.Errorf("chat: conversation %.100q, entry %d: %w", id, seq, chat.ErrNoEntry)
	}
	return nil
}

// maxFreedPages limits the pages that one Delete gives back to the file system.
const maxFreedPages = 65536

// Delete removes a conversation, as chat.Store says. Its text is overwritten, also in the
// write-ahead log, unless another process that reads the log prevents it.
func (s *Store) Delete(ctx context.Context, l chat.Lease) error {
	err := s.withLease(ctx, l, func(ctx context.Context, tx *sql.Tx, c conversationState) error {
		for _, statement := range []string{
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
