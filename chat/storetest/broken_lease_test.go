package storetest

import (
	"context"
	"errors"
	"time"

	"github.com/vcpgo/vcp/chat"
)

// Each type below is a store that breaks one rule of leases. Its name says in which way.

type leasesToAll struct{ chat.Store }

func (s leasesToAll) Acquire(ctx context.Context, id string, r chat.LeaseRequest) (chat.Lease, error) {
	l, err := s.Store.Acquire(ctx, id, r)
	if held, ok := errors.AsType[*chat.LeaseError](err); ok {
		r.Over = held.Current.Fence
		return s.Store.Acquire(ctx, id, r)
	}
	return l, err
}

// locksForLong treats a lease from the future as in force.
type locksForLong struct {
	chat.Store
	last chat.Lease
}

func (s *locksForLong) Acquire(ctx context.Context, id string, r chat.LeaseRequest) (l chat.Lease, err error) {
	if r.From.Before(s.last.From) {
		return l, &chat.LeaseError{ConversationID: id, Current: s.last}
	}
	if l, err = s.Store.Acquire(ctx, id, r); err == nil {
		s.last = l
	}
	return l, err
}

type takesNothingOver struct{ chat.Store }

func (s takesNothingOver) Acquire(ctx context.Context, id string, r chat.LeaseRequest) (chat.Lease, error) {
	r.Over = 0
	return s.Store.Acquire(ctx, id, r)
}

type doesNotRenew struct{ chat.Store }

func (doesNotRenew) Renew(context.Context, chat.Lease) error { return nil }

type releasesAny struct{ chat.Store }

func (s releasesAny) Release(ctx context.Context, l chat.Lease) error {
	if m, err := s.Store.Metadata(ctx, l.ConversationID); err == nil {
		l.Fence = m.Fence
	}
	return s.Store.Release(ctx, l)
}

// ownFences counts the fences of each conversation alone.
type ownFences struct {
	chat.Store
	given map[string]int64 // the newest fence, by conversation
}

func (s *ownFences) Acquire(ctx context.Context, id string, r chat.LeaseRequest) (chat.Lease, error) {
	l, err := s.Store.Acquire(ctx, id, r)
	if s.given == nil {
		s.given = map[string]int64{}
	}
	s.given[id]++
	l.Fence = s.given[id]
	return l, err
}

type ignoresFence struct{ chat.Store }

func (s ignoresFence) Append(ctx context.Context, l chat.Lease, parent int64, entries ...chat.Entry) (int64, error) {
	last, err := s.Store.Append(ctx, l, parent, entries...)
	if lost, ok := errors.AsType[*chat.LeaseError](err); ok {
		l.Fence = lost.Current.Fence
		return s.Store.Append(ctx, l, parent, entries...)
	}
	return last, err
}

// hasAClock refuses a lease that has ended by a clock of its own, which is a day ahead.
type hasAClock struct{ chat.Store }

func (s hasAClock) Append(ctx context.Context, l chat.Lease, parent int64, entries ...chat.Entry) (int64, error) {
	if now := start.Add(24 * time.Hour); now.Before(l.Until) {
		return s.Store.Append(ctx, l, parent, entries...)
	}
	return 0, &chat.LeaseError{ConversationID: l.ConversationID, Lost: true, Current: l}
}
