package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/vcpgo/vcp/chat"
)

func (s *suite) create() {
	given := chat.Metadata{
		ID: "trip", Title: "上海 trip", Owner: "ann", Tags: []string{"work", "go", "work"}, Imported: 7,
		Created: start.Add(300 * time.Nanosecond).In(time.FixedZone("east", 8*3600)),
		Updated: start.Add(time.Hour), Tip: 3, Entries: 4, Bytes: 5, Fence: 6,
	}
	s.must("Create adds a conversation", s.store.Create(s.ctx, given))
	want := chat.Metadata{
		ID: "trip", Title: "上海 trip", Owner: "ann", Tags: []string{"go", "work"}, Imported: 7, Created: start, Updated: start,
	}
	got := s.metadata("trip")
	s.check(sameMetadata(got, want), "Metadata must return what Create was given, with sorted tags, each once, and times in UTC with whole "+
		"microseconds; Updated is Created, and the counts are 0 whatever Create was given:\ngot  %+v\nwant %+v", got, want)
	s.check(got.Fence == 0, "Fence must be 0 before the first lease, and is %d", got.Fence)
	s.fails(s.store.Create(s.ctx, chat.Metadata{ID: "trip", Title: "other"}), chat.ErrConversationExists,
		"Create of an id that is taken")
	s.check(s.metadata("trip").Title == "上海 trip", "Create of an id that is taken must change nothing")

	s.must("Create takes any id", s.store.Create(s.ctx, chat.Metadata{ID: `a'b"c%/ \ %00 好`, Created: start}))
	s.check(s.metadata(`a'b"c%/ \ %00 好`).Created.Equal(start), "an id may contain any character but NUL")

	earliest := time.Now().Add(-time.Second)
	s.must("Create without a time", s.store.Create(s.ctx, chat.Metadata{ID: "now"}))
	created := s.metadata("now").Created
	s.check(created.After(earliest) && created.Before(time.Now().Add(time.Second)),
		"Created must be the time of Create if it was not given, and is %s", created)
}

func (s *suite) invalidMetadata() {
	long := strings.Repeat("x", chat.MaxTitleBytes+1)
	many := make([]string, chat.MaxTags+1)
	for i := range many {
		many[i] = fmt.Sprint("tag", i)
	}
	for _, m := range []chat.Metadata{
		{ID: ""},
		{ID: "a\x00b"},
		{ID: "a\xff"},
		{ID: strings.Repeat("i", chat.MaxIDBytes+1)},
		{ID: "a", Title: long},
		{ID: "a", Title: "\xff"},
		{ID: "a", Owner: long},
		{ID: "a", Tags: many},
		{ID: "a", Tags: []string{""}},
		{ID: "a", Imported: -1},
		{ID: "a", Created: time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		refused[*chat.InvalidError](s, s.store.Create(s.ctx, m), fmt.Sprintf("Create must refuse %.80q", fmt.Sprint(m)))
	}
	list, _, err := s.store.List(s.ctx, chat.ListOptions{})
	s.must("List", err)
	s.check(len(list) == 0, "a refused Create must add nothing")
	s.createConversation("a")
	refused[*chat.InvalidError](s, s.store.ChangeMetadata(s.ctx, "a", chat.MetadataChange{Title: &long}),
		"ChangeMetadata must refuse a long title")
}

func (s *suite) changeMetadata() {
	s.must("Create",
		s.store.Create(s.ctx, chat.Metadata{ID: "a", Title: "old", Owner: "ann", Tags: []string{"x"}, Created: start}))
	s.createConversation("b")
	s.must("ChangeMetadata", s.store.ChangeMetadata(s.ctx, "a", chat.MetadataChange{Title: new("new")}))
	m := s.metadata("a")
	s.check(m.Title == "new" && m.Owner == "ann" && fmt.Sprint(m.Tags) == "[x]",
		"ChangeMetadata must change only what is not nil; the metadata are %+v", m)
	s.must("ChangeMetadata",
		s.store.ChangeMetadata(s.ctx, "a", chat.MetadataChange{Owner: new(""), Tags: &[]string{"z", "y", "z"}}))
	m = s.metadata("a")
	s.check(m.Title == "new" && m.Owner == "" && fmt.Sprint(m.Tags) == "[y z]",
		"ChangeMetadata must set owner and tags; the metadata are %+v", m)
	s.check(m.Updated.Equal(start), "ChangeMetadata must not set Updated, which is %s", m.Updated)
	list, _, err := s.store.List(s.ctx, chat.ListOptions{Tag: "x"})
	s.must("List", err)
	s.check(len(list) == 0, "List must not find a tag that was removed")
	s.must("ChangeMetadata", s.store.ChangeMetadata(s.ctx, "a", chat.MetadataChange{Tags: &[]string{}}))
	s.check(len(s.metadata("a").Tags) == 0, "ChangeMetadata with an empty list must remove all tags")
	s.check(s.metadata("b").Title == "", "ChangeMetadata must not change another conversation")
}

func (s *suite) list() {
	for i, m := range []chat.Metadata{
		{ID: "a", Owner: "ann", Tags: []string{"x"}}, {ID: "b", Owner: "bob", Tags: []string{"x", "y"}}, {ID: "c", Owner: "ann"}, {ID: "d"},
	} {
		m.Created = start.Add(time.Duration(i/2) * time.Second) // two pairs with equal times
		s.must("Create", s.store.Create(s.ctx, m))
	}
	for _, c := range []struct {
		o    chat.ListOptions
		want string
	}{
		{chat.ListOptions{}, "[d c b a]"},
		{chat.ListOptions{Owner: "ann"}, "[c a]"},
		{chat.ListOptions{Tag: "x"}, "[b a]"},
		{chat.ListOptions{Owner: "ann", Tag: "x"}, "[a]"},
		{chat.ListOptions{Owner: "eve"}, "[]"},
		{chat.ListOptions{Unowned: true}, "[d]"},
		{chat.ListOptions{Limit: -1}, "[d c b a]"},
	} {
		list, next, err := s.store.List(s.ctx, c.o)
		s.must("List", err)
		s.check(ids(list) == c.want && next == "",
			"List(%+v) must return the conversations in descending order of Updated and then of ID, and no "+
				"next page: want %s, got %s and the page %q", c.o, c.want, ids(list), next)
		for _, m := range list {
			s.check(sameMetadata(m, s.metadata(m.ID)),
				"List must return the metadata that Metadata returns, and returns %+v", m)
		}
	}
	l := s.acquire("a", "one", start)
	s.add(l, 0, "a message")
	list, _, err := s.store.List(s.ctx, chat.ListOptions{Limit: 1})
	s.must("List", err)
	s.check(ids(list) == "[a]", "Append must move its conversation to the front of List: want [a], got %s", ids(list))
	_, _, err = s.store.List(s.ctx, chat.ListOptions{Page: "no page"})
	refused[*chat.InvalidError](s, err, "List must refuse a page that it did not return")
}

func (s *suite) listPages() {
	want := ""
	for i := range 25 {
		id := fmt.Sprintf("c%02d", i)
		created := start.Add(time.Duration(i/4) * time.Second) // groups of four with equal times
		s.must("Create", s.store.Create(s.ctx, chat.Metadata{ID: id, Created: created}))
		want = id + " " + want
	}
	got, page := "", ""
	for pages := 0; ; pages++ {
		list, next, err := s.store.List(s.ctx, chat.ListOptions{Limit: 5, Page: page})
		s.must("List", err)
		s.check(len(list) <= 5, "List must return at most Limit conversations, and returned %d", len(list))
		for _, m := range list {
			got += m.ID + " "
		}
		if page = next; page == "" || pages > 25 {
			break
		}
		if pages == 0 { // a new conversation must not shift the pages
			s.must("Create", s.store.Create(s.ctx, chat.Metadata{ID: "newer", Created: start.Add(time.Hour)}))
		}
	}
	s.check(got == want,
		"pages of List must contain each conversation once, in order, even if a newer one is added meanwhile:\ngot  %s\nwant %s", got, want)
}

func (s *suite) unknownConversation() {
	s.createConversation("a")
	l := chat.Lease{ConversationID: "no", Holder: "one", Fence: 1, From: start, Until: start.Add(time.Second)}
	for method, err := range map[string]error{
		"Metadata":       errorOf(s.store.Metadata(s.ctx, "no")),
		"ChangeMetadata": s.store.ChangeMetadata(s.ctx, "no", chat.MetadataChange{Title: new("x")}),
		"Acquire":        errorOf(s.store.Acquire(s.ctx, "no", request("one", start))),
		"Renew":          s.store.Renew(s.ctx, l),
		"Append":         errorOf(s.store.Append(s.ctx, l, 0, entry("user", "x"))),
		"SetTip":         s.store.SetTip(s.ctx, l, 0),
		"Delete":         s.store.Delete(s.ctx, l),
		"Path":           errorOf(s.store.Path(s.ctx, "no", 0, 1)),
		"Entries":        errorOf(s.store.Entries(s.ctx, "no", 0, 1)),
		"Branches":       errorOf(s.store.Branches(s.ctx, "no", 1, 1)),
	} {
		s.fails(err, chat.ErrNoConversation, method+" of a conversation that does not exist")
	}
	s.must("Release is not an error if the conversation is gone", s.store.Release(s.ctx, l))
}

func (s *suite) canceled() {
	l := s.begin("a")
	cause := errors.New("the user left")
	ctx, cancel := context.WithCancelCause(s.ctx)
	cancel(cause)
	_, _, listErr := s.store.List(ctx, chat.ListOptions{})
	_, _, searchErr := s.store.Search(ctx, chat.SearchOptions{Query: "x"})
	for method, err := range map[string]error{
		"Create":         s.store.Create(ctx, chat.Metadata{ID: "b"}),
		"Metadata":       errorOf(s.store.Metadata(ctx, "a")),
		"ChangeMetadata": s.store.ChangeMetadata(ctx, "a", chat.MetadataChange{Title: new("x")}),
		"List":           listErr,
		"Acquire":        errorOf(s.store.Acquire(ctx, "a", request("one", start.Add(time.Hour)))),
		"Renew":          s.store.Renew(ctx, l),
		"Release":        s.store.Release(ctx, l),
		"Append":         errorOf(s.store.Append(ctx, l, 0, entry("user", "x"))),
		"SetTip":         s.store.SetTip(ctx, l, 0),
		"Delete":         s.store.Delete(ctx, l),
		"Path":           errorOf(s.store.Path(ctx, "a", 0, 1)),
		"Entries":        errorOf(s.store.Entries(ctx, "a", 0, 1)),
		"Branches":       errorOf(s.store.Branches(ctx, "a", 1, 1)),
		"Search":         searchErr,
	} {
		s.fails(err, cause, method+" with a context that has ended")
	}
	m := s.metadata("a")
	s.check(m.Entries == 0 && m.Title == "" && m.Fence == l.Fence,
		"methods with a context that has ended must change nothing; the metadata are %+v", m)
	s.add(l, 0, "the lease is still held")
}
