package storetest

import (
	"fmt"
	"sync"
	"time"

	"github.com/vcpgo/vcp/chat"
)

func (s *suite) leaseKeepsOthersOut() {
	l := s.begin("a")
	s.check(l.ConversationID == "a" && l.Holder == "one" && l.Fence > 0 && l.From.Equal(start) && l.Until.Equal(start.Add(30*time.Second)),
		"Acquire must return the lease that was asked for with a fence above 0, and returns %+v", l)
	s.check(s.metadata("a").Fence == l.Fence, "Metadata must have the fence %d of the newest lease, and has %d", l.Fence,
		s.metadata("a").Fence)
	for _, at := range []time.Time{start, start.Add(29 * time.Second), start.Add(-30 * time.Second)} {
		_, err := s.store.Acquire(s.ctx, "a", request("two", at))
		e := failsAs[*chat.LeaseError](s, err,
			fmt.Sprintf("a second holder must be refused while a lease is in force, here %s after its From", at.Sub(start)))
		s.check(!e.Lost && e.ConversationID == "a" && e.Current == l,
			"the error must name the lease that is in force: %+v, and names %+v", l, e.Current)
	}
	_, err := s.store.Acquire(s.ctx, "a", request("one", start))
	refused[*chat.LeaseError](s, err,
		"the name of the holder is for people: another request with the same name must be refused too")
	s.add(l, 0, "still mine")
	s.createConversation("b")
	s.acquire("b", "two", start) // a lease of one conversation does not lock others

	for _, r := range []chat.LeaseRequest{
		{Holder: "", From: start, Until: start.Add(time.Second)},
		{Holder: "one", From: start, Until: start},
		{Holder: "one", Until: start},
		{Holder: "\xff", From: start, Until: start.Add(time.Second)},
	} {
		_, err := s.store.Acquire(s.ctx, "b", r)
		refused[*chat.InvalidError](s, err, fmt.Sprintf("Acquire must refuse %+v", r))
	}
}

func (s *suite) leaseAndClock() {
	first := s.begin("a")
	second := s.acquire("a", "two", first.Until)
	s.check(second.Fence > first.Fence, "a lease given after the end of another must have a higher fence: %d after %d",
		second.Fence, first.Fence)
	afterSetBack := s.acquire("a", "three", start.Add(-24*time.Hour))
	s.check(afterSetBack.Fence > second.Fence, "if the clock was set back, a lease from the future must not keep others out, and the new "+
		"lease must have a higher fence: %d after %d", afterSetBack.Fence, second.Fence)
	_, err := s.store.Append(s.ctx, second, 0, entry("user", "x"))
	refused[*chat.LeaseError](s, err, "whatever the clock says, only the newest fence writes")
	s.add(afterSetBack, 0, "the newest fence writes")
	s.check(s.metadata("a").Entries == 1, "a refused Append must write nothing")
}

func (s *suite) leaseTakenOver() {
	first := s.begin("a")
	r := request("two", start.Add(time.Second))
	r.Over = first.Fence + 1
	_, err := s.store.Acquire(s.ctx, "a", r)
	refused[*chat.LeaseError](s, err, "Over with another fence than that of the lease in force must not take it over")
	r.Over = first.Fence
	taken, err := s.store.Acquire(s.ctx, "a", r)
	s.must("Over with the fence of the lease in force takes it over", err)
	_, err = s.store.Append(s.ctx, first, 0, entry("user", "x"))
	e := failsAs[*chat.LeaseError](s, err, "the holder of a lease that was taken over must not write")
	s.check(e.Lost && e.Current == taken,
		"the error must say that the lease is lost and name the new lease %+v, and is %+v", taken, e)
	_, err = s.store.Acquire(s.ctx, "a",
		chat.LeaseRequest{Holder: "three", From: r.From, Until: r.Until, Over: first.Fence})
	refused[*chat.LeaseError](s, err, "Over with the fence of an older lease must not take over the lease in force")
}

func (s *suite) leaseRenewedAndReleased() {
	l := s.begin("a")
	renewed := l
	renewed.From, renewed.Until = start.Add(20*time.Second), start.Add(50*time.Second)
	s.must("Renew", s.store.Renew(s.ctx, renewed))
	_, err := s.store.Acquire(s.ctx, "a", request("two", start.Add(40*time.Second)))
	e := failsAs[*chat.LeaseError](s, err, "a renewed lease must keep others out until its new end")
	s.check(e.Current == renewed, "Renew must set the times of the lease: want %+v, got %+v", renewed, e.Current)
	renewed.Until = renewed.From
	refused[*chat.InvalidError](s, s.store.Renew(s.ctx, renewed), "Renew must refuse a lease without duration")

	s.must("Release", s.store.Release(s.ctx, l))
	s.must("Release of a lease that has ended is not an error", s.store.Release(s.ctx, l))
	for method, err := range map[string]error{
		"Renew":                  s.store.Renew(s.ctx, l),
		"Append":                 errorOf(s.store.Append(s.ctx, l, 0, entry("user", "x"))),
		"Append without entries": errorOf(s.store.Append(s.ctx, l, 0)),
		"SetTip":                 s.store.SetTip(s.ctx, l, 0),
		"Delete":                 s.store.Delete(s.ctx, l),
	} {
		e := failsAs[*chat.LeaseError](s, err, method+" must be refused after Release")
		s.check(e.Lost, "%s after Release: the error must say that the lease is lost", method)
	}
	refused[*chat.LeaseError](s, errorOf(s.store.Append(s.ctx, chat.Lease{ConversationID: "a"}, 0, entry("user", "x"))),
		"Append without a lease must be refused, also if no lease is in force")
	next := s.acquire("a", "two", start)
	s.must("Release of a lost lease is not an error", s.store.Release(s.ctx, l))
	s.add(next, 0, "Release of a lost lease does not end the next one")
}

func (s *suite) fencesRise() {
	highest := int64(0)
	for i := range 5 {
		l := s.begin("a")
		s.check(l.Fence > highest,
			"fences must rise, also after the conversation was deleted and created again: %d after %d", l.Fence,
			highest)
		highest = max(highest, l.Fence)
		other := s.begin(fmt.Sprint("b", i))
		s.check(other.Fence > highest, "fences must rise for all conversations of a store: %d after %d", other.Fence,
			highest)
		highest = max(highest, other.Fence)
		if i > 0 { // the first fence may be 1, and a fence of 0 means no lease
			old := l
			old.Fence--
			refused[*chat.LeaseError](s, s.store.Delete(s.ctx, old), "Delete with an old fence must be refused")
		}
		s.must("Delete", s.store.Delete(s.ctx, l))
	}
}

func (s *suite) concurrentHolders() {
	s.createConversation("a")
	const holders, attempts = 8, 10
	var (
		mu      sync.Mutex
		appends int
		wait    sync.WaitGroup
		errs    []error
	)
	for h := range holders {
		wait.Go(func() {
			for range attempts {
				l, err := s.store.Acquire(s.ctx, "a", request(fmt.Sprint("holder ", h), start))
				if err != nil {
					continue // another holder has the lease
				}
				m, err := s.store.Metadata(s.ctx, "a")
				if err == nil {
					_, err = s.store.Append(s.ctx, l, m.Tip, entry("user", "x"), entry("reply", "y"))
				}
				mu.Lock()
				if err != nil {
					errs = append(errs, err)
				} else {
					appends++
				}
				mu.Unlock()
				if err := s.store.Release(s.ctx, l); err != nil {
					s.Errorf("Release: %v", err)
				}
			}
		})
	}
	wait.Wait()
	s.check(len(errs) == 0, "the holder of the lease must be able to write, and was refused %d times: %v",
		len(errs), errs)
	m := s.metadata("a")
	s.check(appends > 0 && m.Entries == int64(2*appends),
		"each Append of a holder must be stored once: %d appends of two entries, %d entries", appends, m.Entries)
	path := s.pathFrom("a", m.Tip, 0)
	s.check(len(path) == 2*appends, "the path of entries written one after the other must have %d entries, and has %d",
		2*appends, len(path))
}

func (s *suite) concurrentConversations() {
	const conversations, appends = 6, 15
	var wait sync.WaitGroup
	for i := range conversations {
		id := fmt.Sprint("c", i)
		wait.Go(func() {
			if err := s.store.Create(s.ctx, chat.Metadata{ID: id, Created: start}); err != nil {
				s.Errorf("Create: %v", err)
				return
			}
			l, err := s.store.Acquire(s.ctx, id, request(id, start))
			if err != nil {
				s.Errorf("Acquire: %v", err)
				return
			}
			last := int64(0)
			for n := range appends {
				if last, err = s.store.Append(s.ctx, l, last, entry("user", fmt.Sprint(id, " number ", n))); err != nil {
					s.Errorf("Append: %v", err)
					return
				}
				if _, err := s.store.Path(s.ctx, id, last, 2); err != nil {
					s.Errorf("Path: %v", err)
				}
				if _, _, err := s.store.List(s.ctx, chat.ListOptions{}); err != nil {
					s.Errorf("List: %v", err)
				}
			}
		})
	}
	wait.Wait()
	for i := range conversations {
		id := fmt.Sprint("c", i)
		path := s.pathFrom(id, appends, 0)
		s.check(len(path) == appends,
			"conversation %s must have all %d entries that were appended to it, and has %d", id, appends, len(path))
		for n, e := range path {
			want := fmt.Sprint(id, " number ", appends-1-n)
			s.check(e.Text == want, "conversation %s: entry %d must be %q, and is %q", id, e.Seq, want, e.Text)
		}
	}
}
