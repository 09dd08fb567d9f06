package storetest

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/vcpgo/vcp/chat"
)

func (s *suite) append() {
	l := s.begin("a")
	at := time.Date(1999, 12, 31, 23, 59, 59, 999999999, time.FixedZone("west", -5*3600))
	given := []chat.Entry{
		{
			Kind: "user", Time: at, Data: json.RawMessage(`{"content": "héllo 你好\u0000","n":1.50}`),
			Text: "héllo 你好\x00 end", Seq: 77, Parent: 66,
		},
		{Kind: "reply", Time: at.Add(time.Second), Data: json.RawMessage(`null`)},
	}
	last, err := s.store.Append(s.ctx, l, 0, given...)
	s.must("Append", err)
	s.check(last == 2, "Append must return the number of the last entry: want 2, got %d", last)
	last, err = s.store.Append(s.ctx, l, 2, chat.Entry{Kind: "end", Time: start, Data: json.RawMessage(`[]`)})
	s.must("Append", err)
	s.check(last == 3, "entries must be numbered from 1 without gaps: want 3, got %d", last)
	utc := time.Date(2000, 1, 1, 4, 59, 59, 999999000, time.UTC)
	want := []chat.Entry{
		{Seq: 1, Kind: "user", Time: utc, Data: given[0].Data, Text: given[0].Text},
		{Seq: 2, Parent: 1, Kind: "reply", Time: utc.Add(time.Second), Data: given[1].Data},
		{Seq: 3, Parent: 2, Kind: "end", Time: start, Data: json.RawMessage(`[]`)},
	}
	got, err := s.store.Entries(s.ctx, "a", 0, 0)
	s.must("Entries", err)
	for i := range want {
		s.check(i < len(got) && sameEntry(got[i], want[i]),
			"an entry must be read as it was appended, with its number, the number of its parent, "+
				"and its time in UTC with whole microseconds:\ngot  %+v\nwant %+v", got, want)
	}
	m := s.metadata("a")
	size := int64(0)
	for _, e := range want {
		size += int64(len(e.Data) + len(e.Text))
	}
	s.check(m.Tip == 3 && m.Entries == 3 && m.Bytes == size,
		"Append must count entries and bytes, and set the tip: want 3 entries, %d bytes and the tip 3, "+
			"got %d entries, %d bytes and the tip %d", size, m.Entries, m.Bytes, m.Tip)
	last, err = s.store.Append(s.ctx, l, 3)
	s.must("Append without entries is not an error", err)
	s.check(last == 3 && s.metadata("a").Entries == 3,
		"Append without entries must return the tip and change nothing: got %d", last)

	big := chat.Entry{Kind: "result", Time: start, Data: json.RawMessage(`"` + strings.Repeat("x", 3<<20) + `"`)}
	last, err = s.store.Append(s.ctx, l, 3, big)
	s.must("Append of an entry of 3 MiB", err)
	path := s.pathFrom("a", last, 1)
	s.check(len(path) == 1 && string(path[0].Data) == string(big.Data),
		"an entry of 3 MiB must be read as it was appended")
}

func (s *suite) appendAllOrNothing() {
	l := s.begin("a")
	s.add(l, 0, "one")
	metadataBefore := s.metadata("a")
	good := entry("user", "needle")
	for name, bad := range map[string]chat.Entry{
		"without kind":                  {Time: start, Data: json.RawMessage(`1`)},
		"with a kind of two words":      {Kind: "a b", Time: start, Data: json.RawMessage(`1`)},
		"without time":                  {Kind: "user", Data: json.RawMessage(`1`)},
		"without data":                  {Kind: "user", Time: start},
		"with data that is not JSON":    {Kind: "user", Time: start, Data: json.RawMessage(`{`)},
		"with data that is not UTF-8":   {Kind: "user", Time: start, Data: json.RawMessage("\"\xff\"")},
		"with text that is not UTF-8":   {Kind: "user", Time: start, Data: json.RawMessage(`1`), Text: "\xff"},
		"of the year 10000":             {Kind: "user", Time: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), Data: json.RawMessage(`1`)},
		"with a kind of too many bytes": {Kind: strings.Repeat("k", 64+1), Time: start, Data: json.RawMessage(`1`)},
	} {
		_, err := s.store.Append(s.ctx, l, 1, good, good, bad)
		refused[*chat.InvalidError](s, err, "Append must refuse an entry "+name)
	}
	for _, parent := range []int64{-1, 2, 3, 1 << 40} {
		_, err := s.store.Append(s.ctx, l, parent, good, good)
		s.fails(err, chat.ErrNoEntry, fmt.Sprintf("Append after the entry %d, which is not there", parent))
	}
	s.check(sameMetadata(s.metadata("a"), metadataBefore), "a refused Append must change nothing; the metadata are %+v",
		s.metadata("a"))
	list, _, err := s.store.Search(s.ctx, chat.SearchOptions{Query: "needle"})
	s.must("Search", err)
	s.check(len(list) == 0, "Search must not find entries of a refused Append")
	s.check(s.add(l, 1, "two") == 2, "a refused Append must use no numbers")
}

func (s *suite) appendNeedsTheNewestFence() {
	old := s.begin("a")
	s.add(old, 0, "one")
	taken := s.acquire("a", "two", old.Until.Add(time.Hour))
	for method, err := range map[string]error{
		"Append":                 errorOf(s.store.Append(s.ctx, old, 1, entry("user", "x"))),
		"SetTip":                 s.store.SetTip(s.ctx, old, 0),
		"Renew":                  s.store.Renew(s.ctx, old),
		"Delete":                 s.store.Delete(s.ctx, old),
		"Append without entries": errorOf(s.store.Append(s.ctx, old, 1)),
	} {
		e := failsAs[*chat.LeaseError](s, err, method+" with an old fence must be refused")
		s.check(e.Lost && e.Current == taken, "%s with an old fence: the error must name the new lease %+v, and names %+v",
			method, taken, e.Current)
	}
	m := s.metadata("a")
	s.check(m.Entries == 1 && m.Tip == 1 && m.Fence == taken.Fence,
		"changes with an old fence must change nothing; the metadata are %+v", m)

	forged := taken
	forged.Fence += 10
	refused[*chat.LeaseError](s, errorOf(s.store.Append(s.ctx, forged, 1, entry("user", "x"))),
		"Append with a fence that was never issued must be refused")
	other := s.begin("b")
	other.ConversationID = "a"
	refused[*chat.LeaseError](s, errorOf(s.store.Append(s.ctx, other, 1, entry("user", "x"))),
		"Append with the fence of another conversation must be refused")

	// A lease whose time is over still writes, as long as nobody has a newer one.
	s.add(taken, 1, "after the end of the lease, but nobody else has one")
}

func (s *suite) appendCopies() {
	l := s.begin("a")
	data := json.RawMessage(`"abc"`)
	_, err := s.store.Append(s.ctx, l, 0, chat.Entry{Kind: "user", Time: start, Data: data})
	s.must("Append", err)
	copy(data, `"xyz"`)
	got := s.pathFrom("a", 1, 1)[0]
	s.check(string(got.Data) == `"abc"`,
		"a store must copy the data that it is given, but a later change of the data changed the store: %s", got.Data)
	copy(got.Data, `"xyz"`)
	again, err := s.store.Entries(s.ctx, "a", 0, 1)
	s.must("Entries", err)
	s.check(string(again[0].Data) == `"abc"`,
		"the caller must own the entries that a store returns, but a change of one changed the store: %s", again[0].Data)
	s.must("ChangeMetadata", s.store.ChangeMetadata(s.ctx, "a", chat.MetadataChange{Tags: &[]string{"t"}}))
	s.metadata("a").Tags[0] = "x"
	s.check(s.metadata("a").Tags[0] == "t", "the caller must own the metadata that a store returns")
}

func (s *suite) updated() {
	l := s.begin("a")
	e := entry("user", "x")
	for _, c := range []struct{ entry, want time.Time }{
		{start.Add(time.Hour), start.Add(time.Hour)},
		{start.Add(-time.Hour), start.Add(time.Hour)},
		{start.Add(2 * time.Hour), start.Add(2 * time.Hour)},
	} {
		e.Time = c.entry
		_, err := s.store.Append(s.ctx, l, 0, e)
		s.must("Append", err)
		got := s.metadata("a").Updated
		s.check(got.Equal(c.want),
			"Updated must be the latest time of all entries, even if a clock was set back: want %s, got %s", c.want,
			got)
	}
}

func (s *suite) path() {
	l := s.begin("a")
	s.check(len(s.pathFrom("a", 0, 10)) == 0, "the path from 0 must be empty")
	var texts []string
	for i := range 25 {
		texts = append(texts, fmt.Sprint("entry ", i+1))
	}
	s.add(l, 0, texts...)
	from, got := int64(25), ""
	for pages := 0; from > 0 && pages < 25; pages++ {
		page := s.pathFrom("a", from, 10)
		s.check(len(page) <= 10 && len(page) > 0, "Path must return from 1 to limit entries, and returned %d",
			len(page))
		if len(page) == 0 {
			break
		}
		got += seqs(page)
		from = page[len(page)-1].Parent
	}
	want := "[25 24 23 22 21 20 19 18 17 16][15 14 13 12 11 10 9 8 7 6][5 4 3 2 1]"
	s.check(got == want, "pages of a path must contain the whole path, newest entry first, if each page is read from the "+
		"Parent of the last entry of the page before:\ngot  %s\nwant %s", got, want)
	s.check(len(s.pathFrom("a", 25, 0)) == 25, "a limit of 0 must mean the largest page")
	for _, seq := range []int64{26, -1, 1 << 40} {
		_, err := s.store.Path(s.ctx, "a", seq, 1)
		s.fails(err, chat.ErrNoEntry, fmt.Sprintf("Path from the entry %d, which is not there", seq))
	}
}

func (s *suite) pageBytes() {
	l := s.begin("a")
	// Two entries are a little shorter than MaxPageBytes.
	data := json.RawMessage(`"` + strings.Repeat("x", chat.MaxPageBytes/2-10) + `"`)
	last := int64(0)
	for range 4 { // the third reaches the limit
		var err error
		last, err = s.store.Append(s.ctx, l, last, chat.Entry{Kind: "result", Time: start, Data: data})
		s.must("Append", err)
	}
	path := s.pathFrom("a", last, 0)
	s.check(seqs(path) == "[4 3 2]",
		"a page must end with the entry that reaches MaxPageBytes: want [4 3 2], got %s", seqs(path))
	got, err := s.store.Entries(s.ctx, "a", 0, 0)
	s.must("Entries", err)
	s.check(seqs(got) == "[1 2 3]", "a page must end with the entry that reaches MaxPageBytes: want [1 2 3], got %s",
		seqs(got))
}

func (s *suite) tip() {
	l := s.begin("a")
	s.add(l, 0, "1", "2", "3")
	s.must("SetTip", s.store.SetTip(s.ctx, l, 2))
	m := s.metadata("a")
	s.check(m.Tip == 2 && m.Entries == 3 && m.Updated.Equal(start.Add(time.Minute)),
		"SetTip must set the tip and nothing else; the metadata are %+v", m)
	s.check(s.add(l, 3, "4") == 4 && s.metadata("a").Tip == 4,
		"Append must set the tip to its last entry, wherever the tip was")
	s.must("SetTip to the beginning", s.store.SetTip(s.ctx, l, 0))
	s.check(s.metadata("a").Tip == 0, "SetTip to 0 must set the tip to the beginning")
	for _, seq := range []int64{-1, 5} {
		s.fails(s.store.SetTip(s.ctx, l, seq), chat.ErrNoEntry,
			fmt.Sprintf("SetTip to the entry %d, which is not there", seq))
	}
}

func (s *suite) entries() {
	l := s.begin("a")
	s.add(l, 0, "1", "2", "3", "4")
	s.add(l, 1, "5", "6")
	for _, c := range []struct {
		after int64
		limit int
		want  string
	}{{0, 0, "[1 2 3 4 5 6]"}, {0, 4, "[1 2 3 4]"}, {4, 4, "[5 6]"}, {6, 4, "[]"}, {100, 4, "[]"}, {-5, 2, "[1 2]"}} {
		got, err := s.store.Entries(s.ctx, "a", c.after, c.limit)
		s.must("Entries", err)
		s.check(seqs(got) == c.want, "Entries after %d, at most %d, must be those of all branches in order: want %s, got %s",
			c.after, c.limit, c.want, seqs(got))
	}
}

func (s *suite) delete() {
	l := s.begin("a")
	s.must("ChangeMetadata",
		s.store.ChangeMetadata(s.ctx, "a", chat.MetadataChange{Tags: &[]string{"t"}, Title: new("gone")}))
	s.add(l, 0, "needle one", "needle two")
	other := s.begin("b")
	s.add(other, 0, "needle three")
	s.must("Delete", s.store.Delete(s.ctx, l))
	s.fails(errorOf(s.store.Metadata(s.ctx, "a")), chat.ErrNoConversation, "Metadata after Delete")
	s.fails(errorOf(s.store.Append(s.ctx, l, 0, entry("user", "x"))), chat.ErrNoConversation, "Append after Delete")
	found, _, err := s.store.Search(s.ctx, chat.SearchOptions{Query: "needle"})
	s.must("Search", err)
	s.check(len(found) == 1 && found[0].ConversationID == "b",
		"Search must not find what was deleted, and must find the rest: %+v", found)
	list, _, err := s.store.List(s.ctx, chat.ListOptions{})
	s.must("List", err)
	s.check(ids(list) == "[b]", "List must not contain what was deleted: %s", ids(list))
	s.createConversation("a")
	m := s.metadata("a")
	s.check(m.Entries == 0 && m.Tip == 0 && m.Bytes == 0 && m.Title == "" && len(m.Tags) == 0,
		"a conversation that is created again must be empty, and is %+v", m)
	s.check(len(s.pathFrom("b", 1, 0)) == 1, "Delete must not touch other conversations")
}
