package chat

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/text"
)

// Branch is one version of a conversation.
type Branch struct {
	// Seq is the number of the newest entry, for Conversation.Branch.
	Seq int64 `json:"seq"`
	// Current says that the conversation continues after this entry.
	Current bool      `json:"current,omitempty"`
	Time    time.Time `json:"time"` // of the newest entry
	// Text is the beginning of the newest reply or message of the user, on one line.
	Text string `json:"text"`
}

// Limits of ReadBranches.
const (
	maxBranches    = 100
	maxBranchRunes = 80 // of Branch.Text
)

// ReadBranches returns the versions of a conversation in a store, at most 100. Those with the
// newest entries come first.
func ReadBranches(ctx context.Context, s Store, id string) ([]Branch, error) {
	m, err := finishedMetadata(ctx, s, id)
	if err != nil {
		return nil, err
	}
	var tips []Entry
	for from := m.Entries; from > 0 && len(tips) < maxBranches; from = tips[len(tips)-1].Seq - 1 {
		page, err := s.Branches(ctx, id, from, maxBranches-len(tips)) // fewer if they are long
		if err != nil {
			return nil, err
		}
		if len(page) == 0 {
			break
		}
		tips = append(tips, page...)
	}
	list := make([]Branch, 0, len(tips))
	for i := range tips {
		b := Branch{Seq: tips[i].Seq, Current: tips[i].Seq == m.Tip, Time: tips[i].Time}
		page, _, err := readMessages(ctx, s, &m, b.Seq, 1)
		if err != nil {
			return nil, err
		}
		for k := range page {
			if words := cmp.Or(text.OneLine(page[k].Text), text.OneLine(page[k].Content)); words != "" {
				b.Text = text.TruncateRunes(words, maxBranchRunes)
				break
			}
		}
		list = append(list, b)
	}
	return list, nil
}

// Branch makes the conversation continue after the message whose Seq is seq, or after the newest
// entry of a branch, as ReadBranches returns it. If seq is 0, the conversation continues before its
// first message. All branches are kept. The next Send begins a new branch there, unless the entry
// is the end of a branch. If the entry is a message of the user, Continue lets the model answer
// that message again.
//
// The error is ErrBusy, ErrChanged, ErrNoEntry, ErrBranchPoint or one of the store. A conversation
// without a store has no branches, and Branch always fails.
func (c *Conversation) Branch(ctx context.Context, seq int64) error {
	if err := c.needStore(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if err := c.acquire(func() { cancel(nil) }); err != nil {
		return err
	}
	defer c.release()
	if c.stored.isNew {
		return c.withID(ErrNoEntry)
	}
	end, err := c.beginStored(ctx, "", cancel)
	if err != nil {
		return err
	}
	defer end()
	if err := c.checkBranchPoint(ctx, seq); err != nil {
		return c.withID(err)
	}
	return c.moveTip(ctx, seq)
}

// checkBranchPoint returns ErrBranchPoint unless the entry ends a branch, a turn, a message of the
// user, or a reply with all its results. If the conversation continued after any other entry, calls
// of the old branch would run again. If seq is 0, no entry is checked.
func (c *Conversation) checkBranchPoint(ctx context.Context, seq int64) error {
	s := c.stored
	ends, err := s.store.Branches(ctx, s.meta.ID, seq, 1)
	if err != nil || seq == 0 || len(ends) == 1 && ends[0].Seq == seq {
		return err
	}
	part, _, err := readParts(ctx, s.store, s.meta.ID, seq, 1)
	if err != nil {
		return err
	}
	if len(part) == 0 { // seq is negative
		return fmt.Errorf("entry %d: %w", seq, ErrNoEntry)
	}
	if lastKind := part[len(part)-1].entry.Kind; lastKind == engine.EntryEnd || lastKind == engine.EntryUser {
		return nil
	}
	answered := false
	if part[0].entry.Kind == engine.EntryReply {
		iteration, complete, err := engine.ReadIteration(entriesOf(part))
		if err != nil {
			return err
		}
		answered = complete && (!iteration.Dispatched || iteration.Results != nil)
	}
	if !answered {
		return fmt.Errorf("entry %d is in the middle of a turn: %w; "+
			"allowed is the end of a message of the user, or of a reply with all its results", seq, ErrBranchPoint)
	}
	return nil
}

// moveTip makes an entry the tip and reads the history again.
func (c *Conversation) moveTip(ctx context.Context, seq int64) error {
	s := c.stored
	if err := s.store.SetTip(ctx, s.lease, seq); err != nil {
		return c.withID(err)
	}
	s.meta.Tip = seq
	history, _, err := s.read(ctx)
	if err != nil {
		return c.withID(err)
	}
	c.mu.Lock()
	c.history = history
	c.mu.Unlock()
	return nil
}

// Edit sends a text as Send does, in place of the user's message whose Seq is seq. It begins a new
// branch before that message. It yields ErrBranchPoint if the entry belongs to no message of the
// user.
func (c *Conversation) Edit(ctx context.Context, seq int64, message string) iter.Seq2[engine.Event, error] {
	return c.turn(ctx, "", func(ctx context.Context) ([]engine.Event, runFunc, error) {
		if strings.TrimSpace(message) == "" {
			return nil, nil, c.withID(ErrEmptyText)
		}
		err := c.branchBefore(ctx, seq, engine.EntryUser)
		if err == nil {
			err = c.addUser(ctx, text.Valid(message))
		}
		return nil, c.run, err
	})
}

// Regenerate lets the model write another reply, as Continue does, in place of the reply whose Seq
// is seq. seq may also be the Seq of the result message that follows the reply. Regenerate begins a
// new branch before that reply. What the calls of the old reply did is not undone. It yields
// ErrBranchPoint if the entry belongs to no reply.
func (c *Conversation) Regenerate(ctx context.Context, seq int64) iter.Seq2[engine.Event, error] {
	return c.turn(ctx, "", func(ctx context.Context) ([]engine.Event, runFunc, error) {
		err := c.branchBefore(ctx, seq, engine.EntryReply)
		if err == nil && c.hasOpenTurn() { // the turn of that reply has earlier entries
			return nil, c.resume, nil
		}
		return nil, c.run, err
	})
}

// branchBefore makes the conversation continue before the part of the history that ends with entry
// seq. The first entry of that part must be of the given kind.
func (c *Conversation) branchBefore(ctx context.Context, seq int64, kind engine.EntryKind) error {
	if err := c.needStore(); err != nil {
		return err
	}
	s := c.stored
	part, parent, err := readParts(ctx, s.store, s.meta.ID, seq, 1)
	if err == nil && (len(part) == 0 || part[0].entry.Kind != kind) {
		err = fmt.Errorf("entry %d belongs to no message of kind %q: %w", seq, kind, ErrBranchPoint)
	}
	if err != nil {
		return c.withID(err)
	}
	if err := c.moveTip(ctx, parent); err != nil {
		return err
	}
	if err := c.load(ctx); err != nil {
		return c.withID(err)
	}
	return nil
}

func (c *Conversation) needStore() error {
	if c.stored == nil {
		return fmt.Errorf("conversation %q: %w", c.ID(), errNoStore)
	}
	return nil
}
