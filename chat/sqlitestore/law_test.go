package sqlitestore_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/sqlitestore"
	"github.com/vcpgo/vcp/internal/longtest"
	_ "github.com/vcpgo/vcp/internal/rapidseed"
)

// A Store in memory and a chat.MemoryStore return equal results for the same calls.
func TestLawSQLiteAgreesWithTheMemoryStore(t *testing.T) {
	enough, passed := longtest.Count(5, 100), 0 // few, because SQLite is slow under the race detector
	rapid.Check(t, func(r *rapid.T) {
		if passed == enough { // the sample omits the other checks of rapid
			return
		}
		s, err := sqlitestore.Open(t.Context(), sqlitestore.Memory, sqlitestore.Options{})
		if err != nil {
			r.Fatal(err)
		}
		defer s.Close()
		p := &pair{T: r, t: t, stores: [2]chat.Store{s, chat.NewMemoryStore()}}
		r.Repeat(map[string]func(*rapid.T){
			"create":   p.create,
			"change":   p.change,
			"acquire":  p.acquire,
			"release":  p.release,
			"append":   p.append,
			"set_tip":  p.setTip,
			"delete":   p.delete,
			"":         p.compare, // rapid runs it before the first action and after each
			"search":   p.search,
			"branches": p.branches,
		})
		passed++ // a failed check does not count, so that rapid can shrink it
	})
}

// pair is two stores that get the same calls.
type pair struct {
	*rapid.T
	t      *testing.T
	stores [2]chat.Store
	leases []chat.Lease // all leases so far
	clock  int          // seconds since start
}

var ids = rapid.SampledFrom([]string{"a", "b", "c"})

// both makes a call on both stores, requires equal results, and returns them.
func (p *pair) both(r *rapid.T, call func(chat.Store) (any, error)) any {
	var got [2]any
	var errs [2]string
	for i, s := range p.stores {
		value, err := call(s)
		got[i], errs[i] = value, ""
		if err != nil {
			errs[i] = fmt.Sprintf("%T %v", err, err)
		}
	}
	if diff := cmp.Diff(got[0], got[1], cmpopts.EquateEmpty()); diff != "" || errs[0] != errs[1] {
		r.Fatalf("the stores differ (-sqlite +memory): %s\nerrors: %q and %q", diff, errs[0], errs[1])
	}
	return got[0]
}

// now returns a time that is a second later with each call.
func (p *pair) now() time.Time { p.clock++; return start.Add(time.Duration(p.clock) * time.Second) }

func (p *pair) create(r *rapid.T) {
	m := chat.Metadata{ID: ids.Draw(r, "id"), Owner: rapid.SampledFrom([]string{"", "ann"}).Draw(r, "owner"), Created: p.now()}
	p.both(r, func(s chat.Store) (any, error) { return nil, s.Create(p.t.Context(), m) })
}

func (p *pair) change(r *rapid.T) {
	id, title, tags := ids.Draw(r, "id"), rapid.String().Draw(r, "title"), rapid.SliceOfN(rapid.StringN(0, 3, -1), 0, 3).Draw(r, "tags")
	p.both(r, func(s chat.Store) (any, error) {
		return nil, s.ChangeMetadata(p.t.Context(), id, chat.MetadataChange{Title: &title, Tags: &tags})
	})
}

func (p *pair) acquire(r *rapid.T) {
	id, at := ids.Draw(r, "id"), p.now()
	over := int64(0)
	if len(p.leases) > 0 && rapid.Bool().Draw(r, "over") {
		over = p.leases[len(p.leases)-1].Fence
	}
	until := at.Add(time.Duration(rapid.IntRange(1, 10).Draw(r, "seconds")) * time.Second)
	l, _ := p.both(r, func(s chat.Store) (any, error) {
		return s.Acquire(p.t.Context(), id, chat.LeaseRequest{Holder: "h", From: at, Until: until, Over: over})
	}).(chat.Lease)
	if l.Fence != 0 {
		p.leases = append(p.leases, l)
	}
}

// lease draws one of the leases so far. If there are none, it returns a lease without a fence.
func (p *pair) lease(r *rapid.T) chat.Lease {
	if len(p.leases) == 0 {
		return chat.Lease{ConversationID: ids.Draw(r, "id")}
	}
	// The newest lease is drawn most often.
	back := rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(r, "back")
	return p.leases[max(0, len(p.leases)-1-back)]
}

func (p *pair) release(r *rapid.T) {
	l := p.lease(r)
	p.both(r, func(s chat.Store) (any, error) { return nil, s.Release(p.t.Context(), l) })
}

func (p *pair) append(r *rapid.T) {
	l, parent := p.lease(r), int64(rapid.IntRange(-1, 6).Draw(r, "parent"))
	var list []chat.Entry
	for range rapid.IntRange(0, 3).Draw(r, "entries") {
		text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("abcÀà上海%\x00 '\"")))).Draw(r, "text")
		data, _ := json.Marshal(text) // a string encodes
		list = append(list, chat.Entry{Kind: "user", Time: p.now(), Data: data, Text: text})
	}
	p.both(r, func(s chat.Store) (any, error) { return s.Append(p.t.Context(), l, parent, list...) })
}

func (p *pair) setTip(r *rapid.T) {
	l, seq := p.lease(r), int64(rapid.IntRange(-1, 6).Draw(r, "seq"))
	p.both(r, func(s chat.Store) (any, error) { return nil, s.SetTip(p.t.Context(), l, seq) })
}

func (p *pair) delete(r *rapid.T) {
	l := p.lease(r)
	p.both(r, func(s chat.Store) (any, error) { return nil, s.Delete(p.t.Context(), l) })
}

func (p *pair) branches(r *rapid.T) {
	id, limit := ids.Draw(r, "id"), rapid.IntRange(0, 3).Draw(r, "limit")
	seq := int64(rapid.IntRange(-1, 8).Draw(r, "from"))
	p.both(r, func(s chat.Store) (any, error) { return s.Branches(p.t.Context(), id, seq, limit) })
	p.both(r, func(s chat.Store) (any, error) { return s.Path(p.t.Context(), id, seq, limit) })
}

func (p *pair) search(r *rapid.T) {
	o := chat.SearchOptions{
		Query: rapid.StringOfN(rapid.SampledFrom([]rune("abcÀà上海%\x00 '\"")), 1, 6, -1).Draw(r, "query"),
		Owner: rapid.SampledFrom([]string{"", "ann"}).Draw(r, "owner"),
	}
	p.both(r, func(s chat.Store) (any, error) {
		list, _, err := s.Search(p.t.Context(), o)
		return list, err
	})
}

// compare compares all that the stores contain.
func (p *pair) compare(r *rapid.T) {
	list, _ := p.both(r, func(s chat.Store) (any, error) {
		list, _, err := s.List(p.t.Context(), chat.ListOptions{})
		return list, err
	}).([]chat.Metadata)
	for _, m := range list {
		p.both(r, func(s chat.Store) (any, error) { return s.Metadata(p.t.Context(), m.ID) })
		p.both(r, func(s chat.Store) (any, error) { return s.Entries(p.t.Context(), m.ID, 0, 0) })
		p.both(r, func(s chat.Store) (any, error) { return s.Path(p.t.Context(), m.ID, m.Tip, 0) })
	}
}
