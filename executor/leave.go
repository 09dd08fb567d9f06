package executor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// reply is what came out of an approver.
type reply struct {
	Answer
	err   error
	stack []byte // set where the approver panicked
}

// maxQuestions is how often one call is asked for: a program that edits arguments into what the schema refuses would never end.
const maxQuestions = 5

var (
	errApproverEnded = errors.New("the approver ended its goroutine")
	errLateAnswer    = errors.New("the answer was late")
	errOtherAnswer   = errors.New("the answer is one to another question")
)

// Most executors are an engine's, whose options are those that people set.
var errNoApprover = errors.New("there is no approver to ask; set engine.Options.Approver (without an engine, executor.Options.Approver), or allow the method by its risk (approve) or by a rule (approveRules)")

// leave decides whether a valid call may run, and serves the inbox while a person is asked. It returns nil where it may.
func (b *batch) leave(c *call) *failure {
	o := &b.executor.options
	switch b.policy().Decide(c.method) {
	case DecisionAllow:
		b.decide(c, AuditAllowed, AuditByRule)
		return nil
	case DecisionDeny:
		b.decide(c, AuditDenied, AuditByRule)
		return forbidden()
	case DecisionAsk:
	}
	digest := digestOf(c.method.FullName, c.result.Arguments)
	if b.granted(c, digest) {
		return nil
	}
	if o.Approver == nil {
		b.decide(c, AuditDenied, AuditByRule)
		b.logDenied(c, &reply{err: errNoApprover})
		return unapproved()
	}
	return b.askInTurn(c, digest)
}

// policy is what holds at the moment.
func (b *batch) policy() Policy {
	if d, ok := b.scope.(Decider); ok {
		return d.Policy()
	}
	return b.executor.options.Policy
}

// granted reports whether a person has allowed the call for the conversation.
func (b *batch) granted(c *call, d Digest) bool {
	g := grantFor(c.method, d)
	if !b.memory().granted(g) {
		return false
	}
	if g.digest != (Digest{}) {
		c.approved = &d
	}
	b.decide(c, AuditAllowed, AuditByGrant)
	return true
}

// questionKey is the one key of Memory.questions.
type questionKey struct{}

// askInTurn waits until no other question of the conversation is open, and asks.
func (b *batch) askInTurn(c *call, digest Digest) *failure {
	c.stage, c.waited = stageTurn, true
	turn, now := b.memory().questions.enter([]claim{{questionKey{}, 1}}, b.admittance(c))
	defer turn.leave()
	if !now {
		b.watch(b.ctx, c, 0)
		for c.stage == stageTurn {
			b.step()
		}
		b.unwatch(c)
		if b.ctx.Err() != nil {
			return canceled(false)
		}
		// The question before may have been the same.
		if b.granted(c, digest) {
			return nil
		}
	}
	return b.ask(c, digest)
}

// ask asks until there is an answer that can be taken.
func (b *batch) ask(c *call, digest Digest) *failure {
	problem := ""
	for range maxQuestions {
		question := Approval{
			ID: c.req.ID, Method: c.method, Arguments: bytes.Clone(c.result.Arguments), Digest: digest,
			GrantsMethod: grantFor(c.method, digest).digest == Digest{}, Problem: problem,
		}
		r := b.put(c, question)
		if b.ctx.Err() != nil {
			return canceled(false)
		}
		if r.err == nil && (r.ID != question.ID || r.Digest != question.Digest) {
			r.err = errOtherAnswer
		}
		if r.err != nil {
			b.decide(c, AuditDenied, AuditByRule)
			b.logDenied(c, r)
			return unapproved()
		}
		switch r.Verdict {
		case VerdictAllowForConversation:
			b.memory().allow(grantFor(c.method, digest))
		case VerdictAllowOnce:
		case VerdictEdit:
			edited, err := editedArguments(c.method, c.method.UnmaskArguments(r.Arguments, c.result.Arguments))
			if err != nil {
				problem = cut(err.Error())
				continue
			}
			if d := digestOf(c.method.FullName, edited); d != digest {
				digest, c.result.Arguments, c.result.Edited = d, edited, true
			}
		default:
			b.decide(c, AuditDenied, AuditByPerson)
			return denied(r.Reason)
		}
		c.approved = &digest
		b.decide(c, AuditAllowed, AuditByPerson)
		return nil
	}
	b.decide(c, AuditDenied, AuditByRule)
	b.logDenied(c, &reply{err: fmt.Errorf("arguments were edited %d times and not accepted: %s", maxQuestions, problem)})
	return unapproved()
}

// put puts one question and waits for the answer.
func (b *batch) put(c *call, question Approval) *reply {
	o := &b.executor.options
	b.obs.asked(c, question)
	ctx, cancel := context.WithCancel(b.ctx)
	defer cancel()
	if o.ApprovalTimeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, o.ApprovalTimeout)
		defer cancel()
	}
	c.stage, c.reply = stageAsking, nil
	b.watch(ctx, c, o.ApprovalTimeout)
	n := note{kind: noteAnswered, call: c.index, stage: stageAsking}
	go func() {
		r := &reply{err: errApproverEnded} // stands after runtime.Goexit
		defer func() {
			n.reply = r
			b.inbox.post(n)
		}()
		r.ask(ctx, o.Approver, question)
	}()
	for c.stage == stageAsking {
		b.step()
	}
	b.unwatch(c)
	if ctx.Err() != nil && c.reply.err == nil {
		c.reply.err = errLateAnswer
	}
	return c.reply
}

// ask calls the approver and sets r to what came out of it, unless the approver ends the goroutine.
func (r *reply) ask(ctx context.Context, approver Approver, question Approval) {
	defer func() {
		if p := recover(); p != nil {
			*r = reply{err: fmt.Errorf("panic: %v", p), stack: debug.Stack()}
		}
	}()
	answer, err := approver.Approve(ctx, question)
	answer.Arguments = bytes.Clone(answer.Arguments)
	if err != nil {
		err = errors.New(err.Error()) // its methods are foreign code, and may panic here only
	}
	*r = reply{Answer: answer, err: err}
}

func (b *batch) logDenied(c *call, r *reply) {
	attrs := []slog.Attr{slog.String("id", c.req.ID), slog.String("method", c.method.FullName), slog.String("error", cut(c.masked(r.err.Error())))}
	if r.stack != nil {
		attrs = append(attrs, slog.String("stack", string(r.stack)))
	}
	b.executor.options.Logger.LogAttrs(b.ctx, slog.LevelError, "approval unavailable; call denied", attrs...)
}

// editedArguments reads an object that a person wrote as the arguments of a method. A panic of what the schema asks refuses it.
func editedArguments(method *tool.Entry, object json.RawMessage) (read json.RawMessage, err error) {
	defer func() {
		if p := recover(); p != nil {
			read, err = nil, fmt.Errorf("the arguments cannot be read: %s", method.CallSecrets(object).MaskText(fmt.Sprint(p)))
		}
	}()
	members, err := orderedjson.Members(object)
	if err != nil {
		return nil, errors.New("the arguments are not a JSON object")
	}
	var req Request
	for _, m := range members {
		req.Arguments = append(req.Arguments, protocol.Argument{Name: m.Name, Value: string(m.Value), Form: protocol.FormJSON})
	}
	read, _, err = arguments(req, tool.Resolution{Entry: method})
	return read, err
}

// editNote tells the model which arguments a person has put in place of its own; "" where they are its own.
func (c *call) editNote() string {
	if !c.result.Edited {
		return ""
	}
	return "[The user changed the arguments of this call to " + cut(string(c.method.MaskArguments(c.result.Arguments))) + "]\n"
}

var errNotAsApproved = errors.New("the call is not the one that was approved")

// onlyAsApproved runs nothing but the call that a person has allowed: a middleware could make another one of it. What runs is a copy,
// since a middleware may keep the call that it passes on, and change it later.
func onlyAsApproved(next tool.Handler, approved Digest) tool.Handler {
	return func(ctx context.Context, call *tool.Call) (tool.Output, error) {
		own := *call
		own.Arguments = bytes.Clone(call.Arguments)
		if digestOf(own.Method.FullName, own.Arguments) != approved {
			return tool.Output{}, errNotAsApproved
		}
		return next(ctx, &own)
	}
}
