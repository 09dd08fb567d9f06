package executor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/vcpgo/vcp/executor/policy"
	texts "github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

// maxQuestions limits the questions about one call: an Approver that is a program may keep
// answering with arguments that the schema refuses.
const maxQuestions = 5

// approve decides whether a valid call may run, and handles events while a person is asked. It
// returns nil if the call may run.
func (b *batch) approve(c *execution) *failure {
	current := b.policy()
	ruling := current.Ruling(c.method)
	b.traceRequest(c)
	switch ruling.Decision {
	case policy.Allow:
		// A copied request needs approval although the policy allows the call.
		switch {
		case c.req.Approved != "": // compared with the digest below
		case !c.copied():
			b.decideByPolicy(c, ruling)
			return nil
		case current.Approve == policy.ApproveNever:
			return b.refuseCopied(c)
		}
	case policy.Deny:
		b.decideByPolicy(c, ruling)
		return forbidden(ruling)
	case policy.Ask:
	}
	digest := digestOf(c.method.FullName, c.result.Arguments)
	switch approved := c.req.Approved; {
	case approved == digest:
		c.method.Method.Changed.Accept()
		c.approved = &digest
		b.decide(c, policy.Allow, ByPerson, "")
		return nil
	case approved != "":
		b.decide(c, policy.Deny, ByPerson, "another call was approved")
		return changedAfterApproval()
	case b.useGrant(c, digest):
		return nil
	case b.options.Approver == nil:
		return b.approvalFailed(c, ruling, &consultation{err: errNoApprover, nobody: true})
	}
	return b.askInTurn(c, digest, ruling)
}

// useGrant allows the call if an earlier approval for the conversation covers it, and reports
// whether it does.
func (b *batch) useGrant(c *execution, d Digest) bool {
	g := c.grant(d)
	if !b.conversation.granted(g) {
		return false
	}
	if !g.coversMethod() {
		c.approved = &d
	}
	b.decide(c, policy.Allow, ByGrant, "")
	return true
}

// questionKey is the only key of Conversation.questions.
type questionKey struct{}

// askInTurn waits until no other question of the conversation is open, and asks.
func (b *batch) askInTurn(c *execution, d Digest, ruling policy.Ruling) *failure {
	b.start() // calls that may run do not wait for an answer
	toPending := func(_ *batch, c *execution, _ time.Time) { c.stage = stagePending }
	b.enter(b.ctx, c, stageQueuedToAsk, 0, toPending)
	c.waited = true
	turn, held := b.conversation.questions.acquire([]claim{{questionKey{}, 1}}, func(bool) {
		b.post(c, stageQueuedToAsk, toPending)
	})
	defer turn.release()
	if !held {
		for c.stage == stageQueuedToAsk {
			b.step()
		}
		b.stopTimers(c)
		if b.ctx.Err() != nil {
			return canceledBeforeRun()
		}
	}
	if b.useGrant(c, d) { // the answer to an earlier question may cover this call
		return nil
	}
	return b.ask(c, d, ruling)
}

// ask asks until an answer allows or denies the call, at most maxQuestions times.
func (b *batch) ask(c *execution, d Digest, ruling policy.Ruling) *failure {
	written, problem := d, "" // written is the digest of the call with the model's arguments
	for range maxQuestions {
		preview, f := b.preview(c)
		if f != nil {
			return f
		}
		q := Question{
			ID: c.req.ID, Method: c.method, Arguments: bytes.Clone(c.result.Arguments), Digest: d,
			GrantsMethod: c.grant(d).coversMethod(), Preview: preview, Problem: problem,
			Change: text.Valid(c.method.Method.Changed.Reason()), Provenance: b.provenance(c, c.result.Arguments),
		}
		answer := b.consult(c, q)
		if b.ctx.Err() != nil || b.uncommitted {
			return canceledBeforeRun()
		}
		if answer.err == nil && !q.answers(answer.Answer) {
			answer.err = errOtherQuestion
		}
		if answer.err != nil {
			return b.approvalFailed(c, ruling, answer)
		}
		b.observer.answered(c.req, q, answer.decision)
		switch decision := &answer.decision; decision.Verdict {
		case VerdictAllow:
		case VerdictAllowForConversation:
			b.conversation.addGrant(c.grant(d))
		case VerdictEdit:
			edited, err := editedArguments(c.method, c.method.UnmaskArguments(decision.Arguments, c.result.Arguments))
			if err != nil {
				problem = short(err.Error())
				continue
			}
			if changed := digestOf(c.method.FullName, edited); changed != d {
				d, c.result.Arguments, c.result.Edited, problem = changed, edited, changed != written, ""
				if c.method.Method.Preview != nil {
					continue // a person must see what the edited call would do
				}
			}
		default: // VerdictDeny, or an unknown verdict
			b.decide(c, policy.Deny, ByPerson, short(strings.TrimSpace(decision.Reason)))
			return denied(decision.Reason)
		}
		c.method.Method.Changed.Accept()
		c.approved, c.previewed = &d, preview
		b.decide(c, policy.Allow, ByPerson, "")
		return nil
	}
	err := fmt.Errorf("the arguments were edited %d times, and the last edit was not approved", maxQuestions)
	if problem != "" {
		err = fmt.Errorf("the arguments were edited %d times; the last edit was refused: %s", maxQuestions, problem)
	}
	return b.approvalFailed(c, ruling, &consultation{err: err})
}

// consult asks one question and waits for the answer. It returns nil if Observer.Commit failed.
func (b *batch) consult(c *execution, q Question) *consultation {
	if !b.commit(nil, &q) {
		return nil
	}
	answer := func(a *consultation) { b.post(c, stageAsking, answeredWith(a)) }
	c.question = b.conversation.beginQuestion(b.ctx, q, answer)
	open := c.question
	defer b.conversation.closeQuestion(open)
	b.observer.asked(c.req, q) // the observer may call Conversation.Decide
	ctx, cancel := context.WithCancel(b.ctx)
	defer cancel()
	limit := b.options.ApprovalTimeout
	if limit > 0 {
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	c.consultation = nil
	b.enter(ctx, c, stageAsking, limit, (*batch).expireQuestion)
	asked := q
	asked.Arguments = bytes.Clone(q.Arguments) // the Approver may change its copy at any time
	go func() {
		result := &consultation{err: errApproverEnded} // remains after runtime.Goexit
		defer func() {
			if b.conversation.closeQuestion(open) {
				answer(result)
			}
		}()
		result.run(ctx, b.options.Approver, asked)
	}()
	for c.stage == stageAsking {
		b.step()
	}
	b.stopTimers(c)
	if ctx.Err() != nil && c.consultation.err == nil && !c.consultation.decided {
		c.consultation.err = errLateAnswer
	}
	return c.consultation
}

// answeredWith returns a stageFunc that ends the wait for an answer.
func answeredWith(a *consultation) stageFunc {
	return func(_ *batch, c *execution, _ time.Time) { c.consultation, c.stage = a, stageAnswered }
}

// expireQuestion ends the wait for an answer. If the run is over, the approver first gets time to
// return.
func (b *batch) expireQuestion(c *execution, at time.Time) {
	late := answeredWith(&consultation{err: errLateAnswer})
	if b.ctx.Err() != nil {
		b.allowGrace(c, late)
	} else if b.conversation.closeQuestion(c.question) { // otherwise the answer is already posted
		late(b, c, at)
	}
}

// approvalFailed denies a call because no usable answer came.
func (b *batch) approvalFailed(c *execution, ruling policy.Ruling, why *consultation) *failure {
	if why.nobody && ruling.Decision == policy.Allow { // then only the copied request needs approval
		return b.refuseCopied(c)
	}
	by, f := ByApprover, approvalUnavailable()
	reason := short(c.masked(why.err.Error()))
	switch {
	case why.nobody:
		by, reason, f = ByNoApprover, ruling.String(), nobodyToAsk(ruling)
	case errors.Is(why.err, errLateAnswer):
		by, f = ByTimeout, approvalLate(b.options.ApprovalTimeout)
		reason = fmt.Sprintf("approval timeout: %v", b.options.ApprovalTimeout)
	}
	b.decide(c, policy.Deny, by, reason)
	// An Approver that has nobody to ask works as intended, so nothing is logged.
	if errors.Is(why.err, errNoApprover) || !why.nobody {
		b.logError(c, "approval unavailable; call denied", "error", why.err.Error(), why.stack)
	}
	return f
}

// preview asks the method what a call would do, and handles events meanwhile. If the method cannot
// say that, the call fails.
func (b *batch) preview(c *execution) (string, *failure) {
	if c.method.Method.Preview == nil {
		return "", nil
	}
	ctx, cancel := context.WithTimeout(b.ctx, previewTime)
	defer cancel()
	c.preview = nil
	b.enter(ctx, c, stagePreviewing, previewTime, func(_ *batch, c *execution, _ time.Time) { c.stage = stagePending })
	call := tool.Call{
		Method: c.method, Arguments: bytes.Clone(c.result.Arguments), Language: b.conversation.language(),
	}
	secrets := c.secrets()
	go func() {
		p := &previewOutcome{err: errPreviewEnded} // remains after runtime.Goexit
		defer func() {
			b.post(c, stagePreviewing, func(_ *batch, c *execution, _ time.Time) { c.preview, c.stage = p, stagePending })
		}()
		p.run(ctx, call, secrets)
	}()
	for c.stage == stagePreviewing {
		b.step()
	}
	b.stopTimers(c)
	switch p := c.preview; {
	case b.ctx.Err() != nil:
		return "", canceledBeforeRun()
	case p == nil:
		return "", previewLate(c.method, previewTime)
	case p.stack != nil:
		b.logPanic(c, p.err, p.stack)
		return "", brokeDown(c.method.FullName)
	case p.err != nil:
		return "", failed(c.masked(texts.In(p.err, b.conversation.language())))
	default:
		return p.text, nil
	}
}
