package chat

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/secrets"
	"github.com/vcpgo/vcp/internal/text"
)

// A step is a decoded Entry: the number of the Entry in the store, and the engine.Entry in its
// Data.
type step struct {
	seq   int64
	entry engine.Entry
}

// newEntry returns an entry for a store, without secrets.
func newEntry(e *engine.Entry, filter *secrets.Filter) (Entry, error) {
	e = withoutSecrets(e, filter)
	data, err := encode(e)
	if err != nil {
		return Entry{}, fmt.Errorf("chat: an entry of kind %q does not encode: %w", e.Kind, err)
	}
	entry := Entry{Kind: string(e.Kind), Time: e.Time, Data: filter.JSON(data, entryLayout)}
	switch e.Kind {
	case engine.EntryUser:
		entry.Text = text.Valid(e.User.Content)
	case engine.EntryReply:
		entry.Text = text.Valid(e.Reply.Message.Content)
		if e.Reply.Text != nil {
			entry.Text = text.Valid(*e.Reply.Text)
		}
	default:
	}
	entry.Text = filter.Text(entry.Text)
	return entry, nil
}

// readStep decodes an entry that newEntry has made. It returns an error for any other entry.
func readStep(e *Entry) (step, error) {
	s := step{seq: e.Seq}
	err := json.Unmarshal(e.Data, &s.entry)
	if err == nil {
		err = s.entry.Check()
	}
	if err == nil && string(s.entry.Kind) != e.Kind {
		err = fmt.Errorf("its data are of kind %q", s.entry.Kind)
	}
	if err != nil {
		return s, fmt.Errorf("chat: entry %d of kind %q cannot be read: %w", e.Seq, e.Kind, err)
	}
	s.entry.Time = e.Time
	return s, nil
}

// MaskEntry returns an entry with its secrets masked, as MaskSecrets masks a text. It is for
// entries that an earlier version of this package stored. Data without secrets stay unchanged. A
// request that contained a secret does not run any more.
func MaskEntry(e *engine.Engine, entry Entry) Entry {
	filter := newFilter(e)
	entry.Text = filter.Text(entry.Text)
	step, err := readStep(&entry)
	if err != nil { // damaged, or of an application's own kind
		if json.Valid(entry.Data) {
			entry.Data = filter.JSON(entry.Data, nil)
		}
		return entry
	}
	plain, err := encode(&step.entry) // what newEntry returns as Data if it masks nothing
	if err != nil {
		return entry
	}
	if masked, err := newEntry(&step.entry, filter); err == nil && !bytes.Equal(masked.Data, plain) {
		entry.Data, entry.Text = masked.Data, masked.Text
	}
	return entry
}

// beginsPart reports whether the step begins a part of the history. A part is a user's message, or
// a reply with what happened to its requests.
func (s *step) beginsPart() bool {
	return s.entry.Kind == engine.EntryUser || s.entry.Kind == engine.EntryReply
}

// messagesOf returns the messages in the steps of one path, oldest first. It omits steps before the
// beginning of the first part. imported is Metadata.Imported.
func messagesOf(steps []step, imported int64) ([]Message, error) {
	var list []Message
	for len(steps) > 0 {
		n := 1
		switch first := &steps[0]; first.entry.Kind {
		case engine.EntryUser:
			list = append(list, Message{
				Role: "user", Time: first.entry.Time, Content: text.Valid(first.entry.User.Content), Seq: first.seq,
				Imported: first.seq <= imported,
			})
		case engine.EntryReply:
			for n < len(steps) && !steps[n].beginsPart() && steps[n].entry.Kind != engine.EntryEnd {
				n++
			}
			messages, err := iterationMessages(steps[:n], imported, n == len(steps))
			if err != nil {
				return nil, err
			}
			list = append(list, messages...)
		case engine.EntryEnd:
			if len(list) > 0 {
				list[len(list)-1].Seq = first.seq
			}
		default:
		}
		steps = steps[n:]
	}
	return list, nil
}

// iterationMessages returns the messages of a reply and of the results of its requests. isLast says
// that nothing follows the steps, so a request without a result may still get one.
func iterationMessages(steps []step, imported int64, isLast bool) ([]Message, error) {
	iteration, complete, err := engine.ReadIteration(entriesOf(steps))
	if err != nil {
		return nil, fmt.Errorf("chat: the reply in entry %d cannot be read: %w", steps[0].seq, err)
	}
	list := messagesOfIteration(iteration)
	if isLast && !complete && steps[0].seq > imported {
		list = markUnfinished(list, steps)
	}
	last := &steps[len(steps)-1]
	for i := range list {
		m := &list[i]
		m.Seq, m.Time = last.seq, last.entry.Time
		if i < len(list)-1 { // the entries of the calls belong to the last message
			m.Seq = steps[0].seq
		}
		if m.Role == "assistant" {
			m.Time = steps[0].entry.Time
		}
		if m.Imported = steps[0].seq <= imported; m.Imported {
			m.cancelDispatched()
		}
	}
	return list, nil
}

// markUnfinished marks the requests that have no result yet, and removes what ReadIteration returns
// in place of their results.
func markUnfinished(list []Message, steps []step) []Message {
	finished := map[string]bool{}
	for i := range steps {
		if e := &steps[i].entry; e.Kind == engine.EntryResult {
			finished[e.RequestID] = true
		}
	}
	for i := range list {
		m := &list[i]
		for k := range m.ToolCallsRequested {
			if q := &m.ToolCallsRequested[k]; !finished[q.RequestID] {
				q.Status = RequestUnfinished
			}
		}
		m.Outcomes = slices.DeleteFunc(m.Outcomes, func(o Outcome) bool { return !finished[o.RequestID] })
	}
	if len(finished) == 0 && len(list) > 1 {
		return list[:1] // the message of results is empty
	}
	return list
}

// cancelDispatched marks dispatched requests as not run, so that nobody can approve them.
func (m *Message) cancelDispatched() {
	for i := range m.ToolCallsRequested {
		if q := &m.ToolCallsRequested[i]; q.Status == RequestDispatched {
			q.Status = RequestNotRun
		}
	}
}

func entriesOf(steps []step) []engine.Entry {
	list := make([]engine.Entry, len(steps))
	for i := range steps {
		list[i] = steps[i].entry
	}
	return list
}

// pathSteps reads a path from its end, which is the entry with the number in from, toward its
// beginning. It calls enough with each step, and stops after the first for which enough returns
// true. It returns the steps that it has read, oldest first, and the number of the entry before
// them. page is the number of entries that it reads at once.
func pathSteps(
	ctx context.Context, s Store, id string, from int64, page int, enough func(*step) bool,
) (steps []step, older int64, err error) {
	for done := false; from > 0 && !done; {
		entries, err := s.Path(ctx, id, from, page)
		if err != nil {
			return nil, 0, err
		}
		if len(entries) == 0 {
			break
		}
		for i := 0; i < len(entries) && !done; i++ {
			next, err := readStep(&entries[i])
			if err != nil {
				return nil, 0, err
			}
			steps, from = append(steps, next), entries[i].Parent
			done = enough(&next)
		}
	}
	slices.Reverse(steps)
	return steps, from, nil
}

// entriesPerMessage is about how many entries a message has, for the size of pages.
const entriesPerMessage = 4

// ReadPage reads a page of messages of a conversation in a store, oldest first. It needs no engine.
// from is the number of the last entry of the page, such as Metadata.Tip. limit is the largest
// number of replies and messages of the user in the page; below 1 it means 50. The page also
// contains the results of these replies. To read the page before this one, pass older as from;
// older is 0 if no entry is before the page. The work is in proportion to the size of the page.
func ReadPage(ctx context.Context, s Store, id string, from int64, limit int) (page []Message, older int64, err error) {
	m, err := finishedMetadata(ctx, s, id)
	if err != nil {
		return nil, 0, err
	}
	return readMessages(ctx, s, &m, from, limit)
}

// readMessages reads a page of messages of the conversation with the metadata m, as ReadPage does.
func readMessages(
	ctx context.Context, s Store, m *Metadata, from int64, limit int,
) (page []Message, older int64, err error) {
	steps, older, err := readParts(ctx, s, m.ID, from, limit)
	if err != nil {
		return nil, 0, err
	}
	page, err = messagesOf(steps, m.Imported)
	return page, older, err
}

// pageMessages is the default limit of ReadPage.
const pageMessages = 50

// readParts reads the last parts of the path that ends with the entry with the number in from.
// limit is the largest number of parts; below 1 it means pageMessages. readParts returns the steps
// of the parts, oldest first, and the number of the entry before them.
func readParts(ctx context.Context, s Store, id string, from int64, limit int) (steps []step, older int64, err error) {
	if limit < 1 {
		limit = pageMessages
	}
	parts := 0
	return pathSteps(ctx, s, id, from, min(limit*entriesPerMessage, MaxPage), func(step *step) bool {
		if step.beginsPart() {
			parts++
		}
		return parts == limit
	})
}
