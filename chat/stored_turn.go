package chat

import (
	"context"
	"slices"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

// Changed reports whether another Conversation or process has continued the conversation since it
// was opened here, so that a turn would fail with ErrChanged. Without a store, and while a turn
// runs here, it returns false. No turn of this Conversation may begin or end meanwhile.
func (c *Conversation) Changed(ctx context.Context) (bool, error) {
	if c.stored == nil {
		return false, nil
	}
	m, err := c.stored.store.Metadata(ctx, c.ID())
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stop != nil || c.stored.isNew {
		return false, nil
	}
	return err == nil && c.stored.changed(&m), err
}

// beginStored leases the conversation for a turn, and loads the messages that the model is shown.
// end ends the lease.
func (c *Conversation) beginStored(ctx context.Context, title string, lost func(error)) (end func(), err error) {
	end, err = c.stored.begin(ctx, title, lost)
	if err != nil {
		return nil, err
	}
	if err := c.load(context.WithoutCancel(ctx)); err != nil {
		end()
		return nil, err
	}
	return end, nil
}

// load reads older messages until there are at least as many as the model is shown. The first of
// them is from a person, because the model is also shown the question that the oldest reply
// answers. If the engine does not limit the history, load reads all messages.
func (c *Conversation) load(ctx context.Context) error {
	s := c.stored
	enoughBytes := c.tools.engine.Config().HistoryTokens * bytesPerToken
	parts, older, loadedBytes := [][]Message{c.history}, s.older, historyBytes(c.history) // newest part first
	for older > 0 && (enoughBytes == 0 || loadedBytes < enoughBytes || !parts[len(parts)-1][0].IsFromPerson()) {
		page, next, err := readMessages(ctx, s.store, &s.meta, older, MaxPage/entriesPerMessage)
		if err != nil {
			return err
		}
		older = next
		if len(page) > 0 {
			parts, loadedBytes = append(parts, page), loadedBytes+historyBytes(page)
		}
	}
	if older == s.older {
		return nil
	}
	slices.Reverse(parts)
	history := slices.Concat(parts...)
	c.mu.Lock()
	defer c.mu.Unlock()
	s.older, s.openAt, c.history = older, s.openAt+len(history)-len(c.history), history
	return nil
}

// bytesPerToken is more than the average length of a token in any language, in bytes.
const bytesPerToken = 8

func historyBytes(list []Message) (n int) {
	for i := range list {
		n += len(list[i].Content)
		for k := range list[i].Outcomes {
			n += len(list[i].Outcomes[k].Result)
		}
	}
	return n
}

// recordUser records a message of the user. Before the message it ends an interrupted turn.
func (c *Conversation) recordUser(ctx context.Context, content string) error {
	var list []engine.Entry
	if c.hasOpenTurn() {
		list = append(list, engine.Entry{Kind: engine.EntryEnd, End: &engine.RecordedEnd{Stop: engine.StopCanceled}})
	}
	list = append(list, engine.Entry{
		Kind: engine.EntryUser,
		User: &protocol.Message{Role: protocol.RoleUser, Origin: protocol.OriginUser, Content: content},
	})
	if err := c.tools.session.Record(ctx, list...); err != nil {
		return c.withID(err)
	}
	c.settleHistory()
	return nil
}

// recordSeen records seen, the text that the listener got of a reply that is not recorded yet,
// because the listener panicked.
func (c *Conversation) recordSeen(ctx context.Context, seen string) {
	if seen == "" {
		return
	}
	reply := &engine.RecordedReply{
		Number: c.tools.session.Replies(),
		Message: protocol.Message{
			Role: protocol.RoleAssistant, Origin: protocol.OriginModel,
			Protocol: protocol.NoProtocol, Content: text.Valid(seen),
		},
	}
	// If the journal fails, the text is lost like the rest of an interrupted turn.
	_ = c.tools.session.Record(ctx, engine.Entry{Kind: engine.EntryReply, Reply: reply},
		engine.Entry{Kind: engine.EntryEnd, End: &engine.RecordedEnd{Stop: engine.StopCanceled}})
}

// recordDecisions records the decisions about dispatched requests before they have an effect.
func (c *Conversation) recordDecisions(ctx context.Context, matched []matchedDecision) error {
	var list []engine.Entry
	for i := range matched {
		m := &matched[i]
		e := engine.Entry{Kind: engine.EntryResult, RequestID: m.request.ID, Result: m.result}
		if m.result == nil {
			e.Kind = engine.EntryApprovalAnswered
			e.Answered = &engine.RecordedAnswer{
				Digest: m.request.Approved, Decision: executor.Decision{Verdict: executor.VerdictAllow},
			}
		}
		list = append(list, e)
	}
	if err := c.tools.session.Record(ctx, list...); err != nil {
		return c.withID(err)
	}
	return nil
}

func (c *Conversation) hasOpenTurn() bool { return c.stored != nil && len(c.stored.open) > 0 }

// settleHistory replaces the messages of the turn with those in its entries. After that, the newest
// messages are those that Open would read, but with the secrets that the store lacks.
func (c *Conversation) settleHistory() {
	s := c.stored
	list, err := messagesOf(s.open, s.meta.Imported)
	if err != nil {
		return // the next Open reports it
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.history = append(c.history[:s.openAt:s.openAt], list...)
	if n := len(s.open); n > 0 && s.open[n-1].entry.Kind == engine.EntryEnd {
		s.open, s.openAt = nil, len(c.history)
	}
}
