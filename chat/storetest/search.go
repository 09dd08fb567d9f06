package storetest

import (
	"fmt"
	"strings"

	"github.com/vcpgo/vcp/chat"
)

func (s *suite) search() {
	l := s.begin("a")
	s.add(l, 0,
		"The quick brown fox",                                         // 1
		"我们在上海吃饭",                                                     // 2
		"ÉTÉ à Kraków; STRASSE, ΣΊΣΥΦΟΣ",                              // 3
		`100% of "quotes" and under_score *star* (AND) NEAR/2 -minus`, // 4
		"",                     // 5
		"quick 上海 a b c",       // 6
		"before\x00behind NUL", // 7
		"emoji 👩‍💻 here",       // 8
	)
	for _, c := range []struct{ query, want string }{
		{"quick", "[6 1]"},
		{"QUICK", "[6 1]"},
		{"uic", "[6 1]"},
		{"quick fox", "[1]"},
		{"fox \t\n quick", "[1]"},
		{"quick quick", "[6 1]"},
		{"quickbrown", "[]"},
		{"上海", "[6 2]"},
		{"海", "[6 2]"},
		{"在上海吃", "[2]"},
		{"上海 quick", "[6]"},
		{"é", "[3]"},
		{"été kraków", "[3]"},
		{"ete", "[]"},
		{"σίσυφος", "[3]"},
		{"strasse", "[3]"},
		{"%", "[4]"},
		{"%%%", "[]"},
		{"_", "[4]"},
		{"r_s", "[4]"},
		{"rxs", "[]"},
		{`"quotes"`, "[4]"},
		{`"`, "[4]"},
		{"*star*", "[4]"},
		{"(and)", "[4]"},
		{"near/2", "[4]"},
		{"-minus", "[4]"},
		{"a b", "[6]"},
		{"behind", "[7]"},
		{"before\x00nul", "[7]"}, // NUL separates words, as white space does
		{"👩‍💻", "[8]"},
		{"nothing here at all", "[]"},
	} {
		found, next, err := s.store.Search(s.ctx, chat.SearchOptions{Query: c.query})
		s.must(fmt.Sprintf("Search(%q)", c.query), err)
		var list []chat.Entry
		for _, m := range found {
			list = append(list, m.Entry)
			s.check(m.ConversationID == "a", "a match must name its conversation, and names %q", m.ConversationID)
			s.check(len(m.Entry.Data) == 0, "a match must not contain the data of its entry")
			whole := s.pathFrom("a", m.Entry.Seq, 1)[0]
			m.Entry.Data = whole.Data
			s.check(sameEntry(m.Entry, whole), "a match must be the entry without its data: %+v", m.Entry)
		}
		s.check(seqs(list) == c.want && next == "",
			"Search(%q) must find the entries that contain each word as a part, whatever the letter case, "+
				"newest first: want %s, got %s and the page %q", c.query, c.want, seqs(list), next)
	}
	// A query may have 4096 bytes and 32 words.
	for _, query := range []string{"", " \n", "\x00", "\xff", strings.Repeat("x", 4096+1), manyWords(32 + 1)} {
		_, _, err := s.store.Search(s.ctx, chat.SearchOptions{Query: query})
		refused[*chat.InvalidError](s, err, fmt.Sprintf("Search must refuse the query %.20q", query))
	}
}

func manyWords(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "word%d ", i)
	}
	return b.String()
}

func (s *suite) searchPages() {
	a, b := s.begin("a"), s.begin("b")
	want := ""
	for i := range 12 {
		l, text := a, fmt.Sprintf("long needle %02d", i)
		if i%2 == 1 {
			l = b
		}
		s.add(l, 0, text, "hay")
		want = text + "|" + want
	}
	for _, query := range []string{"needle", "e"} { // a store may find only longer words by an index
		got, page := "", ""
		for pages := 0; pages < 20; pages++ {
			found, next, err := s.store.Search(s.ctx, chat.SearchOptions{Query: query, Limit: 5, Page: page})
			s.must("Search", err)
			s.check(len(found) <= 5, "Search must return at most Limit matches, and returned %d", len(found))
			for _, m := range found {
				got += m.Entry.Text + "|"
			}
			if page = next; page == "" {
				break
			}
		}
		s.check(got == want, "pages of Search(%q) must contain each match once, newest first over all conversations:\n"+
			"got  %s\nwant %s", query, got, want)
	}
	_, _, err := s.store.Search(s.ctx, chat.SearchOptions{Query: "needle", Page: "no page"})
	refused[*chat.InvalidError](s, err, "Search must refuse a page that it did not return")
}

func (s *suite) searchRestricted() {
	for _, c := range []struct{ id, owner string }{{"a", "ann"}, {"b", "bob"}, {"c", "ann"}} {
		s.must("Create",
			s.store.Create(s.ctx, chat.Metadata{ID: c.id, Owner: c.owner, Title: "title of " + c.id, Created: start}))
		s.add(s.acquire(c.id, "one", start), 0, "a needle 上海")
	}
	for _, query := range []string{"needle", "上海"} {
		for _, c := range []struct {
			o    chat.SearchOptions
			want string
		}{
			{chat.SearchOptions{}, "c b a "},
			{chat.SearchOptions{Owner: "ann"}, "c a "},
			{chat.SearchOptions{Owner: "eve"}, ""},
			{chat.SearchOptions{ConversationID: "b"}, "b "},
			{chat.SearchOptions{ConversationID: "b", Owner: "ann"}, ""},
			{chat.SearchOptions{ConversationID: "no"}, ""},
		} {
			c.o.Query = query
			found, _, err := s.store.Search(s.ctx, c.o)
			s.must("Search", err)
			got := ""
			for _, m := range found {
				got += m.ConversationID + " "
				s.check(m.Title == "title of "+m.ConversationID,
					"a match must have the title of its conversation, and has %q", m.Title)
			}
			s.check(got == c.want, "Search(%+v) must find entries of the conversations %q, and finds %q", c.o,
				c.want, got)
		}
	}
}
