package executor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/vcpgo/vcp/tool"
)

// Confirmation is what a person is asked to confirm: a call that would run, with arguments that its schema accepts.
type Confirmation struct {
	// ID is the request's.
	ID     string
	Method *tool.Entry
	// Arguments are the hook's own copy.
	Arguments json.RawMessage
}

// Decision is the answer to a Confirmation. The zero value denies.
type Decision struct {
	Allow bool
	// Reason is why the call is denied, in words for the model; it may be "".
	Reason string
}

// ConfirmFunc asks for leave to make one call. It is never called twice at once by one Execute, and its time is not the tool's. An
// error or a panic denies; the model does not see its text. When ctx ends, the call is canceled, whatever the hook says.
type ConfirmFunc func(ctx context.Context, c Confirmation) (Decision, error)

// decision is what came out of a hook.
type decision struct {
	Decision
	err   error
	stack []byte // set where the hook panicked
}

// confirm asks the hook, if it must, and serves the inbox until there is an answer. It returns nil where the call may run.
func (b *batch) confirm(c *call) *failure {
	o := b.executor.options
	if !o.RequireConfirmation {
		return nil
	}
	if o.Confirm == nil {
		c.trail.decide(AuditDenied, AuditByRule)
		return unconfirmed()
	}
	c.stage = stageAsking
	question := Confirmation{ID: c.req.ID, Method: c.method, Arguments: bytes.Clone(c.result.Arguments)}
	b.watch(b.ctx, c)
	index := c.index
	go func() {
		d := &decision{err: errHookEnded} // stands after runtime.Goexit
		defer func() { b.inbox.post(note{kind: noteAnswered, call: index, stage: stageAsking, decision: d}) }()
		d.ask(b.ctx, o.Confirm, question)
	}()
	for c.stage == stageAsking {
		b.step()
	}
	b.unwatch(c)
	switch d := c.decision; {
	case b.ctx.Err() != nil:
		return canceled(false)
	case d.err != nil:
		c.trail.decide(AuditDenied, AuditByRule)
		o.Logger.LogAttrs(b.ctx, slog.LevelError, "confirmation failed, call denied",
			slog.String("id", c.req.ID), slog.String("method", c.method.FullName), slog.Any("error", d.err), slog.String("stack", string(d.stack)))
		return unconfirmed()
	case !d.Allow:
		c.trail.decide(AuditDenied, AuditByPerson)
		return denied(d.Reason)
	}
	c.trail.decide(AuditAllowed, AuditByPerson)
	return nil
}

// ask calls the hook and sets d to what came out of it, unless the hook ends the goroutine.
func (d *decision) ask(ctx context.Context, hook ConfirmFunc, question Confirmation) {
	defer func() {
		if p := recover(); p != nil {
			*d = decision{err: fmt.Errorf("panic: %v", p), stack: debug.Stack()}
		}
	}()
	answer, err := hook(ctx, question)
	*d = decision{Decision: answer, err: err}
}

var errHookEnded = errors.New("the hook ended its goroutine")
