package executor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/vcpgo/vcp/tool"
)

// Approver answers a question. It returns an Answer that a method of the Question made. An error or
// a panic denies the call; the model does not see its text. The questions of one conversation are
// asked one after the other, those of several conversations at once. The wait for an answer does
// not count against the tool's timeout. When ctx ends, an answer no longer counts: the run is over,
// the answer is late, or Conversation.Decide has answered.
type Approver func(ctx context.Context, q Question) (Answer, error)

// AwaitDecision is an Approver that asks nobody itself: it waits until Conversation.Decide answers
// the question, from another goroutine, or until ctx ends.
func AwaitDecision(ctx context.Context, _ Question) (Answer, error) {
	<-ctx.Done()
	return Answer{}, context.Cause(ctx)
}

// Question asks whether a call may run. The receiver may keep it, and may change Arguments. The
// call is valid: its method is visible and its schema accepts the arguments. The JSON form of a
// Question is that of the PendingCall that Pending returns.
type Question struct {
	// ID is the engine's request ID, never an id that a model wrote.
	ID        string
	Method    *tool.Entry
	Arguments json.RawMessage
	// Digest identifies Method and Arguments.
	Digest Digest
	// GrantsMethod says that AllowForConversation allows all calls of the method. If it is false,
	// the method is dangerous or Provenance.CopiedFrom is set, and the answer covers calls with
	// these arguments only.
	GrantsMethod bool
	// Change says what changed in the definition of Method since its source recorded it, as
	// tool.Method.Changed does; it is "" if nothing did. An answer that runs the call accepts the
	// change.
	Change string
	// Provenance says which words of the call came from foreign text. It is nil if none did.
	Provenance *Provenance
	// Preview says what the call would do. The method's Preview function wrote it; it is "" if the
	// method has none. It is valid UTF-8, shortened to 16 KiB, with secret arguments masked. The
	// executor asks for the preview again right before the call runs. If it differs, the call does
	// not run.
	Preview string
	// Problem says why the arguments of the last answer were refused, in words for a person and
	// without the values of secret arguments. It is "" for the first question about a call, and
	// after an edit that was accepted.
	Problem string
}

// Verdict is a person's answer about a call.
type Verdict string

const (
	// VerdictAllow runs the call.
	VerdictAllow Verdict = "allow"
	// VerdictAllowForConversation runs the call and, until the Conversation ends, the calls that
	// Question.GrantsMethod describes.
	VerdictAllowForConversation Verdict = "allow_for_conversation"
	// VerdictEdit runs the call with the arguments of the Decision. If these differ from the call's
	// and the method has a preview, the edited call is asked about first: nobody has seen what it
	// would do.
	VerdictEdit Verdict = "edit"
	// VerdictDeny refuses the call.
	VerdictDeny Verdict = "deny"
)

// Decision is what a person decides about a call. Conversation.Decide takes it, and so do the
// sessions of an engine and the conversations of package chat. An Approver passes it to
// Question.Answer and returns the Answer. The JSON of a Decision may come from a web page. The zero
// value denies in an Answer, and Decide refuses it. The Decision of a policy is in package
// github.com/vcpgo/vcp/executor/policy.
type Decision struct {
	Verdict Verdict `json:"verdict"`
	// Reason is why the call is denied, which the model reads; it may be "".
	Reason string `json:"reason,omitempty"`
	// Arguments is a JSON object that replaces the call's arguments if Verdict is VerdictEdit. If
	// the method's schema refuses it, the question is asked again. It is also asked again if the
	// arguments differ from the call's and the method has a preview. The model reads which
	// arguments were used, unless they are its own. A secret argument that is still tool.Masked, as
	// Entry.MaskArguments shows it, keeps its value.
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// Answer answers a Question. The methods of that Question return it. An answer to another question
// denies, and so does the zero value.
type Answer struct {
	id       string
	digest   Digest
	decision Decision
}

// Allow runs this call.
func (q Question) Allow() Answer { return q.Answer(Decision{Verdict: VerdictAllow}) }

// AllowForConversation runs this call and, until the Conversation ends, the calls that GrantsMethod
// describes.
func (q Question) AllowForConversation() Answer {
	return q.Answer(Decision{Verdict: VerdictAllowForConversation})
}

// Deny refuses the call. The model reads the reason, which may be "".
func (q Question) Deny(reason string) Answer {
	return q.Answer(Decision{Verdict: VerdictDeny, Reason: reason})
}

// Edit runs the call with other arguments, as Decision.Arguments says.
func (q Question) Edit(arguments json.RawMessage) Answer {
	return q.Answer(Decision{Verdict: VerdictEdit, Arguments: arguments})
}

// Answer returns the answer to q with a copy of the decision.
func (q Question) Answer(d Decision) Answer {
	d.Arguments = bytes.Clone(d.Arguments)
	return Answer{id: q.ID, digest: q.Digest, decision: d}
}

// answers reports whether a is an answer to this question.
func (q Question) answers(a Answer) bool { return a.id == q.ID && a.digest == q.Digest }

var (
	errPreviewEnded  = errors.New("the preview ended its goroutine")
	errApproverEnded = errors.New("the approver ended its goroutine")
	errLateAnswer    = errors.New("no answer came in time")
	errOtherQuestion = errors.New("the answer belongs to another question")
	errNotApproved   = errors.New("the call is not the one that was approved")
	errOtherEffect   = errors.New("the call would no longer do what was approved")
)

// errNoApprover names the option of the engine first, because most executors belong to an engine.
var errNoApprover = errors.New("there is no approver; set engine.Options.Approver (without an engine, " +
	"executor.Options.Approver), for example to executor.AwaitDecision if the application calls Session.Decide; " +
	"or allow the method by its risk (approve) or by a rule (approveRules)")

// ErrNobodyToAsk is what an Approver returns, also wrapped, if nobody can be asked, such as without
// a terminal. The call is denied as if there were no Approver.
var ErrNobodyToAsk = errors.New("nobody can be asked")

// A consultation is the outcome of asking: what an Approver or Conversation.Decide answered.
type consultation struct {
	Answer
	err     error
	nobody  bool   // err is ErrNobodyToAsk or errNoApprover
	stack   []byte // of a panic
	decided bool   // the answer came by Conversation.Decide, which refuses late decisions
}

// run calls the approver and sets c, unless the approver ends the goroutine.
func (c *consultation) run(ctx context.Context, approver Approver, q Question) {
	defer recoverHook(&c.err, &c.stack)
	answer, err := approver(ctx, q)
	nobody := errors.Is(err, ErrNobodyToAsk)
	if err != nil {
		err = errors.New(err.Error()) // Error is application code; if it panics, the panic is recovered here
	}
	if ctx.Err() != nil {
		err, nobody = errLateAnswer, false // the approver may have ignored its context
	}
	*c = consultation{Answer: answer, err: err, nobody: nobody}
}

// onlyApproved returns a handler that runs next only with the approved call, because a middleware
// may change a call. It passes on a copy, because a middleware may keep the call and change it
// later.
func onlyApproved(next tool.Handler, approved Digest) tool.Handler {
	return func(ctx context.Context, call *tool.Call) (tool.Output, error) {
		own := *call
		own.Arguments = bytes.Clone(call.Arguments)
		if digestOf(own.Method.FullName, own.Arguments) != approved {
			return tool.Output{}, errNotApproved
		}
		return next(ctx, &own)
	}
}

// openQuestion is a question that waits for its answer.
type openQuestion struct {
	ctx      context.Context // of the run; after its end no answer counts
	question Question
	answer   func(*consultation)
}
