package storetest

import (
	"context"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/chat"
)

// Each type below is a store that breaks one rule of Search. Its name says in which way.

// keepsDeleted lets Search find deleted entries.
type keepsDeleted struct {
	chat.Store
	deleted []chat.Match
}

func (s *keepsDeleted) Delete(ctx context.Context, l chat.Lease) error {
	// The suite deletes only texts with an e.
	list, _, err := s.Store.Search(ctx, chat.SearchOptions{Query: "e", ConversationID: l.ConversationID})
	if err != nil {
		return err
	}
	s.deleted = append(s.deleted, list...)
	return s.Store.Delete(ctx, l)
}

func (s *keepsDeleted) Search(ctx context.Context, o chat.SearchOptions) ([]chat.Match, string, error) {
	list, next, err := s.Store.Search(ctx, o)
	return append(list, s.deleted...), next, err
}

// matching keeps the matches for which keep returns true.
func matching(list []chat.Match, next string, err error, keep func(string) bool) ([]chat.Match, string, error) {
	return slices.DeleteFunc(list, func(m chat.Match) bool { return !keep(m.Entry.Text) }), next, err
}

type comparesCase struct{ chat.Store }

func (s comparesCase) Search(ctx context.Context, o chat.SearchOptions) ([]chat.Match, string, error) {
	list, next, err := s.Store.Search(ctx, o)
	return matching(list, next, err,
		func(text string) bool { return strings.Contains(text, strings.Fields(o.Query)[0]) })
}

type searchesFirstWord struct{ chat.Store }

func (s searchesFirstWord) Search(ctx context.Context, o chat.SearchOptions) ([]chat.Match, string, error) {
	if words := strings.Fields(o.Query); len(words) > 1 {
		o.Query = words[0]
	}
	return s.Store.Search(ctx, o)
}

type findsBackwards struct{ chat.Store }

func (s findsBackwards) Search(ctx context.Context, o chat.SearchOptions) ([]chat.Match, string, error) {
	list, next, err := s.Store.Search(ctx, o)
	slices.Reverse(list)
	return list, next, err
}

type searchesAll struct{ chat.Store }

func (s searchesAll) Search(ctx context.Context, o chat.SearchOptions) ([]chat.Match, string, error) {
	o.Owner = ""
	return s.Store.Search(ctx, o)
}
