package chat

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Append adds entries, as Store says.
func (s *MemoryStore) Append(ctx context.Context, l Lease, parent int64, entries ...Entry) (int64, error) {
	defer s.lock()()
	c, err := s.leased(ctx, l)
	if err != nil {
		return 0, err
	}
	list, size, err := CheckedEntries(entries, parent, c.meta.Entries+1)
	if err != nil {
		return 0, err
	}
	if err := c.checkEntry(parent); err != nil {
		return 0, err
	}
	if len(list) == 0 {
		return c.meta.Tip, nil
	}
	for _, e := range list {
		if e.Time.After(c.meta.Updated) {
			c.meta.Updated = e.Time
		}
		s.appended = append(s.appended, appendedEntry{c, e.Seq})
	}
	c.entries = append(c.entries, list...)
	c.meta.Entries += int64(len(list))
	c.meta.Bytes += size
	c.meta.Tip = c.meta.Entries
	return c.meta.Tip, nil
}

// SetTip makes an entry the tip, as Store says.
func (s *MemoryStore) SetTip(ctx context.Context, l Lease, seq int64) error {
	defer s.lock()()
	c, err := s.leased(ctx, l)
	if err == nil {
		err = c.checkEntry(seq)
	}
	if err == nil {
		c.meta.Tip = seq
	}
	return err
}

// Path returns a page of a path, as Store says.
func (s *MemoryStore) Path(ctx context.Context, id string, from int64, limit int) ([]Entry, error) {
	defer s.lock()()
	c, err := s.find(ctx, id)
	if err == nil {
		err = c.checkEntry(from)
	}
	if err != nil {
		return nil, err
	}
	page := entryPage{limit: PageLimit(limit)}
	for from > 0 && !page.full() {
		page.add(c.entries[from-1])
		from = c.entries[from-1].Parent
	}
	return page.list, nil
}

// Entries returns entries in order, as Store says.
func (s *MemoryStore) Entries(ctx context.Context, id string, after int64, limit int) ([]Entry, error) {
	defer s.lock()()
	c, err := s.find(ctx, id)
	if err != nil {
		return nil, err
	}
	page := entryPage{limit: PageLimit(limit)}
	for seq := max(after, 0) + 1; seq <= c.meta.Entries && !page.full(); seq++ {
		page.add(c.entries[seq-1])
	}
	return page.list, nil
}

// Branches returns a page of the ends of branches, as Store says.
func (s *MemoryStore) Branches(ctx context.Context, id string, from int64, limit int) ([]Entry, error) {
	defer s.lock()()
	c, err := s.find(ctx, id)
	if err != nil {
		return nil, err
	}
	page := entryPage{limit: PageLimit(limit)}
	followed := make([]bool, len(c.entries)+1)     // by Seq
	for _, e := range slices.Backward(c.entries) { // what follows an entry is visited before it
		if page.full() {
			break
		}
		if e.Seq <= from && !followed[e.Seq] {
			page.add(e)
		}
		followed[e.Parent] = true
	}
	return page.list, nil
}

// Search returns a page of matches, as Store says.
func (s *MemoryStore) Search(ctx context.Context, o SearchOptions) (list []Match, next string, err error) {
	words, err := SearchWords(o.Query)
	if err != nil {
		return nil, "", err
	}
	defer s.lock()()
	if ctx.Err() != nil {
		return nil, "", context.Cause(ctx)
	}
	unsearched, bytes := len(s.appended), 0
	if o.Page != "" { // how many entries the pages before left unsearched
		if unsearched, err = strconv.Atoi(o.Page); err != nil || unsearched < 0 {
			return nil, "", &InvalidError{"search.page", shortQuote(o.Page), "what Search returned as next"}
		}
	}
	for i := min(unsearched, len(s.appended)) - 1; i >= 0; i-- {
		c := s.appended[i].conversation
		e := c.entries[s.appended[i].seq-1]
		if o.Owner != "" && o.Owner != c.meta.Owner || o.ConversationID != "" && o.ConversationID != c.meta.ID ||
			!containsAll(SearchText(e.Text), words) {
			continue
		}
		if len(list) == PageLimit(o.Limit) || bytes >= MaxPageBytes {
			return list, strconv.Itoa(i + 1), nil
		}
		e.Data, bytes = nil, bytes+len(e.Text)
		list = append(list, Match{ConversationID: c.meta.ID, Title: c.meta.Title, Entry: e})
	}
	return list, "", nil
}

func containsAll(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
}

// checkEntry returns ErrNoEntry unless seq is 0 or the number of an entry.
func (c *memoryConversation) checkEntry(seq int64) error {
	if seq < 0 || seq > c.meta.Entries {
		return fmt.Errorf("chat: conversation %q, entry %d: %w", c.meta.ID, seq, ErrNoEntry)
	}
	return nil
}

// entryPage collects copies of entries.
type entryPage struct {
	list         []Entry
	limit, bytes int
}

func (p *entryPage) full() bool { return len(p.list) == p.limit || p.bytes >= MaxPageBytes }

func (p *entryPage) add(e Entry) {
	e.Data = slices.Clone(e.Data)
	p.list, p.bytes = append(p.list, e), p.bytes+len(e.Data)+len(e.Text)
}
