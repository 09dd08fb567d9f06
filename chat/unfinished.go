package chat

import (
	"context"
	"errors"
	"fmt"
)

// finishedMetadata returns the metadata of a conversation, or ErrNoConversation if it is
// unfinished.
func finishedMetadata(ctx context.Context, s Store, id string) (Metadata, error) {
	m, err := s.Metadata(ctx, id)
	if err == nil && m.Unfinished() {
		return Metadata{}, fmt.Errorf("chat: the import of conversation %.100q has not ended: %w", id, ErrNoConversation)
	}
	return m, err
}

// createConversation adds a conversation to a store. It replaces an import that never ended. While
// that import still runs, the error is a *LeaseError.
func createConversation(ctx context.Context, s Store, m Metadata) error {
	createErr := s.Create(ctx, m)
	if !errors.Is(createErr, ErrConversationExists) {
		return createErr
	}
	if old, err := s.Metadata(ctx, m.ID); err != nil || !old.Unfinished() {
		return errors.Join(createErr, err)
	}
	lease, err := leaseChecked(ctx, s, m.ID, func(old *Metadata) error {
		if !old.Unfinished() { // the import has ended meanwhile
			return createErr
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := s.Delete(ctx, lease); err != nil {
		return err
	}
	return s.Create(ctx, m)
}
