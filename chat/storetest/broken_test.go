package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"

	"github.com/vcpgo/vcp/chat"
)

// Each type below is a store that breaks one rule of metadata or entries. Its name says in which
// way.

type takesInvalid struct{ chat.Store }

func (s takesInvalid) Create(ctx context.Context, m chat.Metadata) error {
	if err := s.Store.Create(ctx, m); !errors.As(err, new(*chat.InvalidError)) {
		return err
	}
	return nil
}

type createsTwice struct{ chat.Store }

func (s createsTwice) Create(ctx context.Context, m chat.Metadata) error {
	if err := s.Store.Create(ctx, m); !errors.Is(err, chat.ErrConversationExists) {
		return err
	}
	return nil
}

type clearsMetadata struct{ chat.Store }

func (s clearsMetadata) ChangeMetadata(ctx context.Context, id string, c chat.MetadataChange) error {
	if c.Owner == nil {
		c.Owner = new("")
	}
	return s.Store.ChangeMetadata(ctx, id, c)
}

type listsBackwards struct{ chat.Store }

func (s listsBackwards) List(ctx context.Context, o chat.ListOptions) ([]chat.Metadata, string, error) {
	list, next, err := s.Store.List(ctx, o)
	slices.Reverse(list)
	return list, next, err
}

type repeatsPages struct{ chat.Store }

func (s repeatsPages) List(ctx context.Context, o chat.ListOptions) ([]chat.Metadata, string, error) {
	list, next, err := s.Store.List(ctx, o)
	if o.Limit > 1 && next != "" {
		o.Limit--
		_, next, err = s.Store.List(ctx, o)
	}
	return list, next, err
}

type inventsConversations struct{ chat.Store }

func (s inventsConversations) Entries(ctx context.Context, id string, after int64, limit int) ([]chat.Entry, error) {
	list, err := s.Store.Entries(ctx, id, after, limit)
	if errors.Is(err, chat.ErrNoConversation) {
		err = nil
	}
	return list, err
}

type losesAppend struct{ chat.Store }

func (losesAppend) Append(_ context.Context, _ chat.Lease, parent int64, entries ...chat.Entry) (int64, error) {
	return parent + int64(len(entries)), nil
}

type losesEntry struct{ chat.Store }

func (s losesEntry) Append(ctx context.Context, l chat.Lease, parent int64, entries ...chat.Entry) (int64, error) {
	return s.Store.Append(ctx, l, parent, entries[:max(1, len(entries)-1)]...)
}

type appendsTwice struct{ chat.Store }

func (s appendsTwice) Append(ctx context.Context, l chat.Lease, parent int64, entries ...chat.Entry) (int64, error) {
	last, err := s.Store.Append(ctx, l, parent, entries...)
	if err == nil {
		_, err = s.Store.Append(ctx, l, parent, entries...)
	}
	return last, err
}

type reorders struct{ chat.Store }

func (s reorders) Append(ctx context.Context, l chat.Lease, parent int64, entries ...chat.Entry) (int64, error) {
	entries = slices.Clone(entries)
	slices.Reverse(entries)
	return s.Store.Append(ctx, l, parent, entries...)
}

type appendsParts struct{ chat.Store }

func (s appendsParts) Append(
	ctx context.Context, l chat.Lease, parent int64, entries ...chat.Entry,
) (last int64, err error) {
	for i := range entries {
		if last, err = s.Store.Append(ctx, l, parent, entries[i]); err != nil {
			return 0, err
		}
		parent = last
	}
	return last, nil
}

// sharesData returns the same slice of bytes each time.
type sharesData struct {
	chat.Store
	data map[int64]json.RawMessage
}

func (s *sharesData) shared(list []chat.Entry, err error) ([]chat.Entry, error) {
	if s.data == nil {
		s.data = map[int64]json.RawMessage{}
	}
	for i := range list {
		e := &list[i]
		if _, ok := s.data[e.Seq]; !ok {
			s.data[e.Seq] = e.Data
		}
		e.Data = s.data[e.Seq]
	}
	return list, err
}

func (s *sharesData) Path(ctx context.Context, id string, from int64, limit int) ([]chat.Entry, error) {
	return s.shared(s.Store.Path(ctx, id, from, limit))
}

func (s *sharesData) Entries(ctx context.Context, id string, after int64, limit int) ([]chat.Entry, error) {
	return s.shared(s.Store.Entries(ctx, id, after, limit))
}

type setsUpdatedBack struct{ chat.Store }

func (s setsUpdatedBack) Metadata(ctx context.Context, id string) (chat.Metadata, error) {
	m, err := s.Store.Metadata(ctx, id)
	if list, _ := s.Store.Path(ctx, id, m.Tip, 1); len(list) > 0 {
		m.Updated = list[0].Time
	}
	return m, err
}

type ignoresContext struct{ chat.Store }

func (s ignoresContext) SetTip(ctx context.Context, l chat.Lease, seq int64) error {
	return s.Store.SetTip(context.WithoutCancel(ctx), l, seq)
}

type reversesPath struct{ chat.Store }

func (s reversesPath) Path(ctx context.Context, id string, from int64, limit int) ([]chat.Entry, error) {
	list, err := s.Store.Path(ctx, id, from, limit)
	slices.Reverse(list)
	return list, err
}

type returnsLongPages struct{ chat.Store }

func (s returnsLongPages) Path(ctx context.Context, id string, from int64, _ int) (path []chat.Entry, err error) {
	for from > 0 && err == nil {
		var list []chat.Entry
		list, err = s.Store.Path(ctx, id, from, 1)
		path, from = append(path, list...), list[0].Parent
	}
	return path, err
}

type forgetsBranch struct{ chat.Store }

func (s forgetsBranch) Branches(ctx context.Context, id string, from int64, _ int) ([]chat.Entry, error) {
	return s.Store.Branches(ctx, id, from, 1)
}

// repeatsBranches begins each page of branches with the newest.
type repeatsBranches struct{ chat.Store }

func (s repeatsBranches) Branches(ctx context.Context, id string, _ int64, limit int) ([]chat.Entry, error) {
	return s.Store.Branches(ctx, id, math.MaxInt64, limit)
}

// ignoresParent appends after the newest entry.
type ignoresParent struct{ chat.Store }

func (s ignoresParent) Append(ctx context.Context, l chat.Lease, _ int64, entries ...chat.Entry) (int64, error) {
	m, err := s.Store.Metadata(ctx, l.ConversationID)
	if err != nil {
		return 0, err
	}
	return s.Store.Append(ctx, l, m.Entries, entries...)
}

// beginsNewPaths appends entries without a parent.
type beginsNewPaths struct{ chat.Store }

func (s beginsNewPaths) Append(ctx context.Context, l chat.Lease, _ int64, entries ...chat.Entry) (int64, error) {
	return s.Store.Append(ctx, l, 0, entries...)
}

type keepsTip struct{ chat.Store }

func (keepsTip) SetTip(context.Context, chat.Lease, int64) error { return nil }

type returnsOneBranch struct{ chat.Store }

func (s returnsOneBranch) Entries(ctx context.Context, id string, after int64, _ int) ([]chat.Entry, error) {
	m, err := s.Store.Metadata(ctx, id)
	if err != nil {
		return nil, err
	}
	list, err := s.Store.Path(ctx, id, m.Tip, 0)
	slices.Reverse(list)
	return slices.DeleteFunc(list, func(e chat.Entry) bool { return e.Seq <= after }), err
}

// mixesUp returns the entries of the same conversation for each ID.
type mixesUp struct{ chat.Store }

func (s mixesUp) Path(ctx context.Context, _ string, from int64, limit int) ([]chat.Entry, error) {
	list, _, err := s.Store.List(ctx, chat.ListOptions{Limit: 1})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return s.Store.Path(ctx, list[0].ID, min(from, list[0].Entries), limit)
}
