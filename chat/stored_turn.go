package chat

import (
	"context"
	"errors"
	"iter"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

// beginStored leases the conversation for a turn, and loads what the model is shown of it. end ends
// the lease.
func (c *Conversation) beginStored(ctx context.Context, title string, lost func(error)) (end func(), err error) {
	end, err = c.stored.begin(ctx, title, lost)
	switch {
	case errors.Is(err, ErrChanged):
		return nil, c.refuse(err)
	case err != nil:
		return nil, err
	}
	if err := c.load(context.WithoutCancel(ctx)); err != nil {
		end()
		return nil, err
	}
	return end, nil
}

// recordUser records a message of the user. A turn that was interrupted ends before it.
func (c *Conversation) recordUser(ctx context.Context, content string) error {
	var list []engine.Entry
	if c.hasOpenTurn() {
		list = append(list, engine.Entry{Kind: engine.EntryEnd, End: &engine.RecordedEnd{Stop: engine.StopCanceled}})
	}
	list = append(list, engine.Entry{
		Kind: engine.EntryUser, User: &protocol.Message{Role: protocol.RoleUser, Origin: protocol.OriginUser, Content: content},
	})
	if err := c.tools.session.Record(ctx, list...); err != nil {
		return c.refuse(err)
	}
	c.settleHistory()
	return nil
}

// recordSeen records the text of a reply that ended without an event, because the receiver of
// events panicked.
func (c *Conversation) recordSeen(ctx context.Context, seen string) {
	if seen == "" {
		return
	}
	reply := &engine.RecordedReply{
		Number:  c.tools.session.Replies(),
		Message: protocol.Message{Role: protocol.RoleAssistant, Origin: protocol.OriginModel, Protocol: protocol.NoProtocol, Content: text.Valid(seen)},
	}
	// Without a journal that works, the text is lost like the rest of an interrupted turn.
	_ = c.tools.session.Record(ctx, engine.Entry{Kind: engine.EntryReply, Reply: reply},
		engine.Entry{Kind: engine.EntryEnd, End: &engine.RecordedEnd{Stop: engine.StopCanceled}})
}

// recordDecisions records the decisions about dispatched requests before they have an effect.
func (c *Conversation) recordDecisions(ctx context.Context, matched []matchedDecision) error {
	var list []engine.Entry
	for i := range matched {
		m := &matched[i]
		e := engine.Entry{Kind: engine.EntryResult, RequestID: m.request.ID}
		switch m.decision.kind {
		case supply:
			result := m.request.Result(m.decision.text)
			e.Result = &result
		case deny:
			result := m.request.Deny(m.decision.text)
			e.Result = &result
		default:
			e.Kind = engine.EntryApprovalAnswered
			e.Answered = &engine.RecordedAnswer{Digest: m.decision.digest, Decision: executor.Decision{Verdict: executor.VerdictAllow}}
		}
		list = append(list, e)
	}
	if err := c.tools.session.Record(ctx, list...); err != nil {
		return c.refuse(err)
	}
	return nil
}

// Interrupted reports whether the last turn was interrupted, so that Resume can finish it: the
// process was killed, or the store failed. While a turn runs, it returns false.
func (c *Conversation) Interrupted() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.busy && c.interrupted()
}

// interrupted reports whether a turn has no end and waits for no decision. c.mu is held.
func (c *Conversation) interrupted() bool { return c.hasOpenTurn() && dispatched(c.history) == nil }

func (c *Conversation) hasOpenTurn() bool { return c.stored != nil && len(c.stored.open) > 0 }

// Resume finishes a turn that was interrupted, as engine.Session.Resume says, and yields what Send
// does. What was recorded is not done again. A call that had started and has no result may or may
// not have happened: it runs again if its method is idempotent, and otherwise the model is told.
// Send goes on without finishing such a turn.
//
// A turn that cannot begin yields ErrNotInterrupted or another error of Continue.
func (c *Conversation) Resume(ctx context.Context) iter.Seq2[engine.Event, error] {
	return c.turn(ctx, "", func(context.Context) ([]engine.Event, runFunc, error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if !c.interrupted() {
			return nil, nil, c.refuse(ErrNotInterrupted)
		}
		return nil, c.resume, nil
	})
}

// resume runs the rest of a turn that was interrupted.
func (c *Conversation) resume(ctx context.Context) iter.Seq2[engine.Event, error] {
	return c.tools.session.Resume(ctx, c.firstMessages(c.stored.openAt), entriesOf(c.stored.open))
}
