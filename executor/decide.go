package executor

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

// PendingCall is a call that waits for a decision, as it may be shown to whoever decides: values of
// secret arguments are masked.
type PendingCall struct {
	// RequestID is the engine's own id, and Digest identifies the call. A decision names both.
	RequestID string `json:"requestId"`
	Digest    Digest `json:"digest"`
	// ToolName is Method or, if no method was found, what the model wrote. Method is the full name,
	// and Risk what a call may do.
	ToolName string    `json:"toolName"`
	Method   string    `json:"method,omitempty"`
	Risk     tool.Risk `json:"risk,omitempty"`
	// Arguments is a JSON object: the typed arguments or, if there are none, those that the model
	// wrote.
	Arguments json.RawMessage `json:"arguments"`
	// GrantsMethod and Preview are as in Question. A call that is not asked about has no Preview.
	GrantsMethod bool   `json:"grantsMethod,omitempty"`
	Preview      string `json:"preview,omitempty"`
	// Change and Provenance are as in Question.
	Change     string      `json:"change,omitempty"`
	Provenance *Provenance `json:"provenance,omitempty"`
	// Problem says why the call cannot run as it is; "" if it can. Unreadable says that there is no
	// call: the request could not be read, and needs no decision.
	Problem    string `json:"problem,omitempty"`
	Unreadable bool   `json:"unreadable,omitempty"`
}

// Pending returns the question as it may be shown.
func (q Question) Pending() PendingCall {
	return PendingCall{
		RequestID: q.ID, Digest: q.Digest, ToolName: q.Method.FullName, Method: q.Method.FullName, Risk: q.Method.Risk(),
		Arguments: q.Method.MaskArguments(q.Arguments), GrantsMethod: q.GrantsMethod, Preview: q.Preview, Problem: q.Problem,
		Change: q.Change, Provenance: q.Provenance,
	}
}

// MarshalJSON writes what Pending returns.
func (q Question) MarshalJSON() ([]byte, error) { return orderedjson.Encode(q.Pending()) }

// Pending returns the call that a request means, without running it. Requests with equal digests
// and no Problem mean the same call, however they are spelled.
func (x *Executor) Pending(conversation *Conversation, req Request) PendingCall {
	c := x.examine(conversation, req)
	f := c.failure
	p := PendingCall{
		RequestID: req.ID, ToolName: c.result.ToolName, Method: c.result.Method, Arguments: c.arguments(), Unreadable: req.Err != nil,
	}
	if c.method != nil {
		p.Risk = c.method.Risk()
	}
	if f != nil {
		p.Digest, p.Problem = digestOfRequest(&req), text.Valid(short(f.message.en))
		return p
	}
	p.Digest = digestOf(c.method.FullName, c.result.Arguments)
	c.batch.traceRequest(&c.execution)
	p.GrantsMethod = c.grant(p.Digest).coversMethod()
	p.Change = text.Valid(c.method.Method.Changed.Reason())
	p.Provenance = c.batch.provenance(&c.execution, c.result.Arguments)
	if r := c.batch.policy().Ruling(c.method); r.Decision == policy.Deny {
		p.Problem = forbidden(r).message.en
	}
	return p
}

// digestOfRequest identifies a request that means no call.
func digestOfRequest(req *Request) Digest {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %v", req.ToolName, req.Command, req.Arguments, req.Err))
	return Digest(digestEncoding.EncodeToString(sum[:digestBytes]))
}

// DecisionError is a decision that was refused. Nothing ran because of it.
type DecisionError struct {
	RequestID string
	// Stale says that the call no longer waits, or that another call waits under its ID: read
	// Pending again. Otherwise the decision itself is wrong.
	Stale  bool
	Reason string // what is wrong, and the way out
}

// Error names the request and the way out.
func (e *DecisionError) Error() string { return fmt.Sprintf("request %q %s", e.RequestID, e.Reason) }

// openQuestion is a question that waits for its answer.
type openQuestion struct {
	ctx      context.Context // ends when no answer counts any more
	question Question
	answer   func(*consultation)
}

// Decide answers the open question about the call with that request ID and digest. It may be called
// from any goroutine, and the first answer counts, whether it comes from here or from the Approver.
// The error is a *DecisionError if no such question is open, as after an answer or the end of its
// time, or if the decision is about another call.
func (c *Conversation) Decide(id string, digest Digest, d Decision) error {
	switch d.Verdict {
	case VerdictAllow, VerdictAllowForConversation, VerdictEdit, VerdictDeny:
	default:
		return &DecisionError{RequestID: id, Reason: fmt.Sprintf("has the verdict %.40q; allowed is %q, %q, %q or %q",
			string(d.Verdict), VerdictAllow, VerdictAllowForConversation, VerdictEdit, VerdictDeny)}
	}
	stale := func(reason string) error { return &DecisionError{RequestID: id, Stale: true, Reason: reason} }
	c.mu.Lock()
	defer c.mu.Unlock()
	open := c.open
	switch {
	case open == nil || open.question.ID != id || open.ctx.Err() != nil:
		return stale("does not wait for a decision now; Pending lists those that do")
	case open.question.Digest != digest:
		return stale("waits for a decision about another call; show the call that Pending returns, and decide on that one")
	}
	c.open = nil
	open.answer(&consultation{Answer: open.question.Answer(d), decided: true})
	return nil
}

// Pending returns the calls whose questions are open; never nil.
func (c *Conversation) Pending() []PendingCall {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == nil || c.open.ctx.Err() != nil {
		return []PendingCall{}
	}
	return []PendingCall{c.open.question.Pending()}
}

// openQuestion opens a question to Decide.
func (c *Conversation) openQuestion(ctx context.Context, q Question, answer func(*consultation)) *openQuestion {
	c.mu.Lock()
	defer c.mu.Unlock()
	q.Arguments = bytes.Clone(q.Arguments) // the Approver owns its own
	c.open = &openQuestion{ctx, q, answer}
	return c.open
}

// closeQuestion closes a question, and reports whether it was open: then nobody has answered it.
func (c *Conversation) closeQuestion(q *openQuestion) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open != q {
		return false
	}
	c.open = nil
	return true
}
