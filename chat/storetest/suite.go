package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/vcpgo/vcp/chat"
)

// start is the time at which the suite begins, with the microseconds that a store keeps.
var start = time.Date(2026, time.March, 1, 12, 0, 0, 123456000, time.UTC)

// reporter is the part of *testing.T that the rules use.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// suite is one subtest with its store.
type suite struct {
	reporter
	store chat.Store
	ctx   context.Context
}

// must ends the test if err is not nil. rule says what must succeed.
func (s *suite) must(rule string, err error) {
	s.Helper()
	if err != nil {
		s.Fatalf("%s: %v", rule, err)
	}
}

// check reports that a rule is broken unless ok.
func (s *suite) check(ok bool, rule string, args ...any) {
	s.Helper()
	if !ok {
		s.Errorf(rule, args...)
	}
}

// fails reports that a rule is broken unless err is want.
func (s *suite) fails(err, want error, rule string) {
	s.Helper()
	if !errors.Is(err, want) {
		s.Errorf("%s: the error must be %q, and is %v", rule, want, err)
	}
}

// failsAs ends the test unless err is of type E. It returns the error as an E.
func failsAs[E error](s *suite, err error, rule string) E {
	s.Helper()
	e, ok := errors.AsType[E](err)
	if !ok {
		s.Fatalf("%s: the error must be of type %T, and is %v", rule, e, err)
	}
	return e
}

// refused is like failsAs for an error of which only the type matters.
func refused[E error](s *suite, err error, rule string) {
	s.Helper()
	_ = failsAs[E](s, err, rule)
}

func (s *suite) createConversation(id string) {
	s.Helper()
	s.must("Create adds a conversation", s.store.Create(s.ctx, chat.Metadata{ID: id, Created: start}))
}

// begin creates a conversation and leases it.
func (s *suite) begin(id string) chat.Lease {
	s.Helper()
	s.createConversation(id)
	return s.acquire(id, "one", start)
}

// request returns a request for a lease of 30 seconds that begins at the given time.
func request(holder string, at time.Time) chat.LeaseRequest {
	return chat.LeaseRequest{Holder: holder, From: at, Until: at.Add(30 * time.Second)}
}

func (s *suite) acquire(id, holder string, at time.Time) chat.Lease {
	s.Helper()
	l, err := s.store.Acquire(s.ctx, id, request(holder, at))
	s.must("Acquire leases a conversation that nobody holds", err)
	return l
}

func entry(kind, text string) chat.Entry {
	data, _ := json.Marshal(map[string]string{"text": text}) // a map of strings always encodes
	return chat.Entry{Kind: kind, Time: start.Add(time.Minute), Data: data, Text: text}
}

// add appends an entry for each text, and returns the number of the last.
func (s *suite) add(l chat.Lease, parent int64, texts ...string) int64 {
	s.Helper()
	var list []chat.Entry
	for _, text := range texts {
		list = append(list, entry("user", text))
	}
	last, err := s.store.Append(s.ctx, l, parent, list...)
	s.must("Append appends under the newest lease", err)
	return last
}

func (s *suite) metadata(id string) chat.Metadata {
	s.Helper()
	m, err := s.store.Metadata(s.ctx, id)
	s.must("Metadata returns the metadata of a conversation", err)
	return m
}

func (s *suite) pathFrom(id string, from int64, limit int) []chat.Entry {
	s.Helper()
	list, err := s.store.Path(s.ctx, id, from, limit)
	s.must("Path returns a path", err)
	return list
}

// seqs returns the numbers of entries as text.
func seqs(list []chat.Entry) string {
	out := make([]int64, len(list))
	for i := range list {
		out[i] = list[i].Seq
	}
	return fmt.Sprint(out)
}

// ids returns the IDs of conversations as text.
func ids(list []chat.Metadata) string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = list[i].ID
	}
	return fmt.Sprint(out)
}

func sameEntry(a, b chat.Entry) bool {
	return a.Seq == b.Seq && a.Parent == b.Parent && a.Kind == b.Kind &&
		a.Time.Equal(b.Time) && a.Time.Location() == b.Time.Location() &&
		string(a.Data) == string(b.Data) && a.Text == b.Text
}

// sameMetadata compares all fields but Fence. It also requires that the times of a are in UTC.
func sameMetadata(a, b chat.Metadata) bool {
	return a.ID == b.ID && a.Title == b.Title && a.Owner == b.Owner && slices.Equal(a.Tags, b.Tags) &&
		a.Created.Equal(b.Created) && a.Updated.Equal(b.Updated) && a.Imported == b.Imported &&
		a.Tip == b.Tip && a.Entries == b.Entries && a.Bytes == b.Bytes &&
		a.Created.Location() == time.UTC && a.Updated.Location() == time.UTC
}

// errorOf returns the error of a call with two results.
func errorOf[T any](_ T, err error) error { return err }
