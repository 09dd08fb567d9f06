package executor

import (
	"bytes"
	"context"
	"fmt"
)

// DecisionError is the error for a decision that was refused. The decision had no effect.
type DecisionError struct {
	RequestID string
	// Stale says that the call no longer waits, or that another call waits under its ID. Call
	// Pending again to see what waits now. If Stale is false, the decision itself is wrong.
	Stale  bool
	Reason string // what is wrong, and what to do about it
}

// Error names the request, what is wrong, and what to do about it.
func (e *DecisionError) Error() string { return fmt.Sprintf("request %q %s", e.RequestID, e.Reason) }

// Decide answers the open question about the call with that request ID and digest. It may be called
// from any goroutine. The first answer counts, whether it comes from Decide or from the Approver.
// The error is a *DecisionError. It is Stale if no question about that call is open: there was
// none, it was answered, or its time is over.
func (c *Conversation) Decide(id string, digest Digest, d Decision) error {
	switch d.Verdict {
	case VerdictAllow, VerdictAllowForConversation, VerdictEdit, VerdictDeny:
	default:
		return &DecisionError{RequestID: id, Reason: fmt.Sprintf("has the verdict %.40q; allowed are %q, %q, %q and %q",
			string(d.Verdict), VerdictAllow, VerdictAllowForConversation, VerdictEdit, VerdictDeny)}
	}
	stale := func(reason string) error { return &DecisionError{RequestID: id, Stale: true, Reason: reason} }
	c.mu.Lock()
	defer c.mu.Unlock()
	open := c.open
	switch {
	case open == nil || open.question.ID != id || open.ctx.Err() != nil:
		return stale("does not wait for a decision now; Pending lists the calls that do")
	case open.question.Digest != digest:
		return stale("waits for a decision about another call; show the call that Pending returns, and decide on that one")
	}
	c.open = nil
	open.answer(&consultation{Answer: open.question.Answer(d), decided: true})
	return nil
}

// Pending returns the calls whose questions are open. The list is never nil.
func (c *Conversation) Pending() []PendingCall {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == nil || c.open.ctx.Err() != nil {
		return []PendingCall{}
	}
	return []PendingCall{c.open.question.Pending()}
}

// beginQuestion opens a question, so that Decide can answer it.
func (c *Conversation) beginQuestion(ctx context.Context, q Question, answer func(*consultation)) *openQuestion {
	c.mu.Lock()
	defer c.mu.Unlock()
	q.Arguments = bytes.Clone(q.Arguments) // Observer.Answered owns the other copy
	c.open = &openQuestion{ctx, q, answer}
	return c.open
}

// closeQuestion closes a question, and reports whether it was still open, that is, without an
// answer.
func (c *Conversation) closeQuestion(q *openQuestion) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open != q {
		return false
	}
	c.open = nil
	return true
}
