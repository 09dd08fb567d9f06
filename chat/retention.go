package chat

import (
	"context"
	"errors"
	"time"
)

// DeleteConversation deletes a conversation of a store. While a turn of the conversation runs, or
// while the conversation is imported, the error is a *LeaseError.
func DeleteConversation(ctx context.Context, s Store, id string) error {
	l, err := acquireLease(ctx, s, id)
	if err != nil {
		return err
	}
	if err := s.Delete(ctx, l); err != nil {
		return errors.Join(err, s.Release(context.WithoutCancel(ctx), l))
	}
	return nil
}

// Retention says which conversations are kept. The zero value keeps all.
type Retention struct {
	// MaxAge is how long a conversation is kept after its last entry; 0 means forever.
	MaxAge time.Duration
	// MaxBytes limits the data and text of all conversations together; 0 means no limit. This
	// limit does not delete the newest conversation, however long it is.
	MaxBytes int64
	// Owner restricts the retention to the conversations of an owner; "" means all conversations.
	Owner string
}

// Prune deletes the conversations that r does not keep, and imports that never ended, and returns
// their metadata. It does not delete a conversation while a turn of it runs, or while it is
// imported. Without MaxAge and MaxBytes, Prune deletes nothing. If Prune fails, it returns the
// conversations that it deleted before the failure.
func Prune(ctx context.Context, s Store, r Retention) (deleted []Metadata, err error) {
	if r.MaxAge <= 0 && r.MaxBytes <= 0 {
		return nil, nil
	}
	oldestKept, bytes := time.Now().Add(-r.MaxAge), int64(0)
	mayBeNewest := true // false after the first finished conversation in the list
	for page := ""; ; {
		list, next, err := s.List(ctx, ListOptions{Owner: r.Owner, Page: page})
		if err != nil {
			return deleted, err
		}
		for _, m := range list {
			// While Fence is 0, the import may be about to acquire its first lease. If an import
			// that has a lease still runs, DeleteConversation refuses to delete it.
			mayBeAbandoned := m.Unfinished() && m.Fence != 0
			bytes += m.Bytes
			tooOld := r.MaxAge > 0 && m.Updated.Before(oldestKept)
			tooMuch := r.MaxBytes > 0 && bytes > r.MaxBytes && !mayBeNewest
			mayBeNewest = mayBeNewest && m.Unfinished()
			if !tooOld && !tooMuch && !mayBeAbandoned {
				continue
			}
			err := DeleteConversation(ctx, s, m.ID)
			switch {
			case err == nil:
				deleted = append(deleted, m)
				if mayBeAbandoned { // the import takes no space from older conversations
					bytes -= m.Bytes
				}
			case errors.As(err, new(*LeaseError)), errors.Is(err, ErrNoConversation):
			default:
				return deleted, err
			}
		}
		if page = next; page == "" {
			return deleted, nil
		}
	}
}
