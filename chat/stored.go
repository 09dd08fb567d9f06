package chat

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/vcpgo/vcp/engine"
)

// stored is the part of a Conversation that reads and writes its store.
type stored struct {
	store   Store
	secrets secretFilter

	// Only the turn that runs may use the fields below; if none runs, only the holder of
	// Conversation.mu.
	meta  Metadata // as it was last read or written here
	isNew bool     // the conversation is not in the store yet
	older int64    // the number of the entry before the oldest loaded message; 0 if all are loaded
	// open are the steps after the last step that ended a turn, and Conversation.history[openAt:]
	// are their messages. If no turn runs, these are the steps of a turn that was interrupted or
	// waits for decisions.
	open   []step
	openAt int

	writing sync.Mutex // serializes appends, and guards lease
	lease   Lease      // of the turn that runs; its Fence is 0 if no turn runs
}

// Append writes entries of the engine, as engine.Journal says. Outside of a turn it does nothing:
// calls that an application runs outside of turns are not part of the conversation.
func (s *stored) Append(ctx context.Context, entries ...engine.Entry) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.lease.Fence == 0 {
		return nil
	}
	list := make([]Entry, len(entries))
	filter := s.secrets.current()
	for i := range entries {
		var err error
		if list[i], err = newEntry(&entries[i], filter); err != nil {
			return err
		}
	}
	last, err := s.store.Append(ctx, s.lease, s.meta.Tip, list...)
	if err != nil {
		return err
	}
	first := last - int64(len(entries)) + 1
	for i := range entries {
		s.open = append(s.open, step{first + int64(i), entries[i]})
	}
	s.meta.Tip, s.meta.Entries = last, last
	return nil
}

// begin leases the conversation for a turn, and adds it to the store if it is new. It calls lost if
// the lease is lost. end ends the lease. A turn begins even if its context has ended, so that the
// user's message is kept.
func (s *stored) begin(ctx context.Context, title string, lost func(error)) (end func(), err error) {
	uncanceled := context.WithoutCancel(ctx)
	ctx, cancel := context.WithTimeout(uncanceled, leaseTime) // so begin ends before the lease expires
	defer cancel()
	if s.isNew {
		s.meta.Title = s.secrets.current().Text(cmp.Or(s.meta.Title, title))
		if err := createConversation(ctx, s.store, s.meta); err != nil {
			return nil, err
		}
		s.isNew = false
	}
	lease, err := leaseChecked(ctx, s.store, s.meta.ID, func(m *Metadata) error {
		if s.changed(m) {
			return fmt.Errorf("chat: conversation %q: %w", m.ID, ErrChanged)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.setLease(lease)
	stop := keepLease(uncanceled, s.store, lease, lost)
	return func() {
		stop()
		s.setLease(Lease{})
		_ = s.store.Release(uncanceled, lease) // if Release fails, the lease expires
	}, nil
}

// changed reports whether m, the metadata in the store, differ from those of the conversation as it
// was last read or written here. A conversation that was created again has another time of creation.
func (s *stored) changed(m *Metadata) bool {
	return m.Tip != s.meta.Tip || m.Entries != s.meta.Entries || m.Imported != s.meta.Imported ||
		!m.Created.Equal(s.meta.Created)
}

func (s *stored) setLease(l Lease) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.lease = l
}

// read reads the newest messages, and all messages of a turn that has not ended. replies is the
// highest number of a reply among them, at most engine.MaxReplies.
func (s *stored) read(ctx context.Context) (history []Message, replies int, err error) {
	// enough gets the newest step first. A part is a user's message, or a reply with its results.
	parts, ended := 0, false // ended says that a step has ended a turn
	enough := func(step *step) bool {
		ended = ended || s.endsTurn(step)
		if step.beginsPart() {
			parts++
		}
		return ended && parts >= pageMessages && step.beginsPart()
	}
	steps, older, err := pathSteps(ctx, s.store, s.meta.ID, s.meta.Tip, pageMessages*entriesPerMessage, enough)
	if err != nil {
		return nil, 0, err
	}
	firstOpen := 0
	for i := range steps {
		if s.endsTurn(&steps[i]) {
			firstOpen = i + 1
		}
		if r := steps[i].entry.Reply; r != nil {
			replies = max(replies, r.Number)
		}
	}
	if history, err = messagesOf(steps[:firstOpen], s.meta.Imported); err != nil {
		return nil, 0, err
	}
	s.open, s.openAt, s.older = slices.Clone(steps[firstOpen:]), len(history), older
	rest, err := messagesOf(s.open, s.meta.Imported)
	return append(history, rest...), min(replies, engine.MaxReplies), err
}

// endsTurn reports whether no turn continues after the step: it ends a turn, or it was imported.
func (s *stored) endsTurn(step *step) bool {
	return step.entry.Kind == engine.EntryEnd || step.seq <= s.meta.Imported
}
