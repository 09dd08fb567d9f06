package executor

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/vcpgo/vcp/tool"
)

// Approver gives leave for calls that the Policy asks for, or does not. An error or a panic denies; the model does not see its text.
type Approver interface {
	// Approve answers one question. It is not called for a second call of a conversation while a first waits for its answer, but
	// for several conversations at once. Its time is not the tool's. When ctx ends, no answer counts any more: the conversation's
	// run is over, or the answer is late.
	Approve(ctx context.Context, a Approval) (Answer, error)
}

// ApproverFunc is a function that is an Approver.
type ApproverFunc func(ctx context.Context, a Approval) (Answer, error)

// Approve calls f.
func (f ApproverFunc) Approve(ctx context.Context, a Approval) (Answer, error) { return f(ctx, a) }

// Approval is a question: may this call run? All of it is the approver's own. The call would be valid: its method is visible and
// its schema accepts the arguments.
type Approval struct {
	// ID is the request's, the engine's own. It is never an id that a model wrote.
	ID        string
	Method    *tool.Entry
	Arguments json.RawMessage
	// Digest is that of Method and Arguments.
	Digest Digest
	// GrantsMethod tells what AllowForConversation would allow: all calls of the method or, where it is dangerous, this method with
	// these arguments only.
	GrantsMethod bool
	// Problem tells why the arguments of the last answer could not be taken, in words for a person and without the values of secret
	// arguments; "" where it is the first question about the call.
	Problem string
}

// Verdict is what an Answer says.
type Verdict uint8

const (
	// VerdictDeny refuses the call. It is the zero value.
	VerdictDeny Verdict = iota
	// VerdictAllowOnce lets this call run.
	VerdictAllowOnce
	// VerdictAllowForConversation lets this call run, and what Approval.GrantsMethod says, until the conversation's Memory ends.
	VerdictAllowForConversation
	// VerdictEdit lets the call run with other arguments. A secret argument that is tool.Masked in them, as Entry.MaskArguments shows
	// it, keeps the value that the call has there.
	VerdictEdit
)

// Answer is the answer to an Approval. It is made by the methods of the Approval that it answers: one that carries another id or
// another digest denies.
type Answer struct {
	ID      string
	Digest  Digest
	Verdict Verdict
	// Reason is why the call is denied, in words for the model; it may be "".
	Reason string
	// Arguments are what the call is to run with, for VerdictEdit: a JSON object. Where the method's schema refuses it, the question
	// is asked again. The model is told which arguments were used, unless they are its own.
	Arguments json.RawMessage
}

// Allow lets this call run.
func (a Approval) Allow() Answer { return a.answer(VerdictAllowOnce) }

// AllowForConversation lets this call run, and what GrantsMethod says for the rest of the conversation.
func (a Approval) AllowForConversation() Answer { return a.answer(VerdictAllowForConversation) }

// Deny refuses the call. The model reads the reason, which may be "".
func (a Approval) Deny(reason string) Answer {
	answer := a.answer(VerdictDeny)
	answer.Reason = reason
	return answer
}

// Edit lets the call run with other arguments, as Answer.Arguments says.
func (a Approval) Edit(arguments json.RawMessage) Answer {
	answer := a.answer(VerdictEdit)
	answer.Arguments = bytes.Clone(arguments)
	return answer
}

func (a Approval) answer(v Verdict) Answer { return Answer{ID: a.ID, Digest: a.Digest, Verdict: v} }

// Digest is the SHA-256 sum of a method's full name and the canonical form of a call's arguments.
type Digest [sha256.Size]byte

// String returns the sum as hexadecimal digits.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// Digest returns the digest of the call that a request asks for, whatever its spelling: two requests that have the same one ask for the
// same. ok is false where the request would be refused before its method ran.
func (x *Executor) Digest(scope Scope, req Request) (d Digest, ok bool) {
	b := &batch{executor: x, ctx: context.Background(), scope: scope}
	c := &call{req: req, result: &Result{}}
	if b.prepare(c) != nil {
		return Digest{}, false
	}
	return digestOf(c.method.FullName, c.result.Arguments), true
}

// Digest returns the digest of the call that a result is of, with the arguments that it ran with. ok is false where it did not get so
// far.
func (r *Result) Digest() (d Digest, ok bool) {
	if r.Method == "" || r.Arguments == nil {
		return Digest{}, false
	}
	return digestOf(r.Method, r.Arguments), true
}

func digestOf(method string, arguments json.RawMessage) Digest {
	b := append([]byte(method), 0) // no name holds a NUL
	return sha256.Sum256(append(b, canonical(arguments)...))
}

// canonical returns arguments with the members of all objects in order and without needless white space. Numbers keep their
// digits. What is no JSON stays as it is.
func canonical(arguments json.RawMessage) []byte {
	d := json.NewDecoder(bytes.NewReader(arguments))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return arguments
	}
	text, err := json.Marshal(v)
	if err != nil {
		return arguments
	}
	return text
}
