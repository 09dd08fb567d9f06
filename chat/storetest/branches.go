package storetest

import "github.com/vcpgo/vcp/chat"

func (s *suite) branches() {
	l := s.begin("a")
	s.check(len(s.ends("a", 1, 0)) == 0, "a conversation without entries must have no branch")
	//	1 - 2 - 3 - 4
	//	    |   `- 7
	//	    `- 5 - 6
	//	8 (has no parent)
	s.add(l, 0, "1", "2", "3", "4")
	s.add(l, 2, "5", "6")
	s.add(l, 3, "7")
	s.add(l, 0, "8")
	for _, c := range []struct {
		from int64
		want string
	}{{4, "[4 3 2 1]"}, {6, "[6 5 2 1]"}, {7, "[7 3 2 1]"}, {8, "[8]"}, {2, "[2 1]"}} {
		path := s.pathFrom("a", c.from, 0)
		s.check(seqs(path) == c.want, "the path from %d must be %s, and is %s", c.from, c.want, seqs(path))
	}
	for _, c := range []struct {
		from  int64
		limit int
		want  string
	}{
		{8, 0, "[8 7 6 4]"},
		{100, 0, "[8 7 6 4]"},
		{8, 2, "[8 7]"},
		{6, 2, "[6 4]"},
		{5, 1, "[4]"},
		{3, 0, "[]"},
		{0, 0, "[]"},
		{-1, 0, "[]"},
	} {
		got := seqs(s.ends("a", c.from, c.limit))
		s.check(got == c.want, "Branches from %d, at most %d, must be the entries that no other follows, newest first: "+
			"want %s, got %s", c.from, c.limit, c.want, got)
	}
	oldest := s.ends("a", 4, 0)
	s.check(len(oldest) == 1 && oldest[0].Text == "4" && string(oldest[0].Data) == `{"text":"4"}`,
		"Branches must return whole entries: %+v", oldest)
	s.add(l, 4, "9")
	got := seqs(s.ends("a", 9, 0))
	s.check(got == "[9 8 7 6]", "an entry that follows the end of a branch must not begin another branch: want [9 8 7 6], got %s", got)
}

// ends returns a page of the entries that end branches.
func (s *suite) ends(id string, from int64, limit int) []chat.Entry {
	s.Helper()
	list, err := s.store.Branches(s.ctx, id, from, limit)
	s.must("Branches returns the entries that end branches", err)
	return list
}
