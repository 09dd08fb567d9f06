package executor

import (
	"errors"
	"runtime/debug"

	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
)

// prepare finds the method and the typed arguments of a call. A panic of application code, such as
// Conversation.Visible, refuses the request.
func (b *batch) prepare(c *execution) (f *failure) {
	defer b.refusePanic(c, &f)
	if c.req.Err != nil {
		return malformed(c.req.Err)
	}
	resolution, f := b.resolve(c.req)
	if f != nil {
		return f
	}
	c.method = resolution.Entry
	c.result.Method, c.result.ToolName, c.result.entry = c.method.FullName, c.method.FullName, c.method
	if f := b.checkVisible(c); f != nil {
		return f
	}
	if c.req.Masked {
		return secretsNotKept()
	}
	object, repaired, err := typedArguments(c.req, resolution, schema.ObjectOptions{
		DropUnknown: mayDropUnknown(c.req, c.method), Language: b.conversation.language(),
	})
	if err != nil {
		if bad, ok := errors.AsType[*schema.ArgumentsError](err); ok {
			c.result.Problems = bad.Problems
		}
		return invalidArguments(c.method, c.req.Arguments, err.Error())
	}
	c.result.Arguments, c.result.Repaired = object, repaired
	return nil
}

// resolve finds the method that a request means. If the model named a hidden method, resolve
// returns it. So the model reads that it cannot use that method, and not the names of others.
func (b *batch) resolve(req Request) (tool.Resolution, *failure) {
	if resolution, ok := b.find(req); ok {
		return resolution, nil
	}
	resolution, err := b.registry.Resolve(req.ToolName, req.Command, b.conversation.isVisible)
	if err == nil { // the method was registered a moment ago
		return resolution, nil
	}
	unknown := &tool.NotFoundError{Kind: ErrorToolNotFound, Name: short(req.ToolName)}
	errors.As(err, &unknown)
	return resolution, notFound(unknown)
}

// find returns what resolve returns, without the failure, which takes time to suggest methods.
func (b *batch) find(req Request) (tool.Resolution, bool) {
	if e, ok := b.registry.Lookup(req.ToolName); ok && !b.conversation.isVisible(e) {
		return tool.Resolution{Entry: e}, true
	}
	if resolution, ok := b.registry.Find(req.ToolName, req.Command, b.conversation.isVisible); ok {
		return resolution, true
	}
	return b.registry.Find(req.ToolName, req.Command, nil)
}

// checkVisible refuses a call of a method that models may not call in this conversation.
func (b *batch) checkVisible(c *execution) *failure {
	if !c.method.Method.AgentCallable {
		b.decide(c, policy.Deny, BySetting, "the method is not agent-callable")
		return notCallable(c.method)
	}
	if !b.conversation.isVisible(c.method) {
		why := b.conversation.whyHidden(c.method)
		b.decide(c, policy.Deny, BySetting, why)
		return disabled(c.method, why)
	}
	return nil
}

// recheck repeats the checks of a call right before its run and before each retry, because methods
// and settings may have changed since the first check.
func (b *batch) recheck(c *execution) (f *failure) {
	defer b.refusePanic(c, &f)
	if now, ok := b.registry.Lookup(c.method.FullName); !ok || now != c.method {
		return unregistered(c.method)
	}
	if f := b.checkVisible(c); f != nil {
		return f
	}
	ruling := b.policy().Ruling(c.method)
	switch ruling.Decision {
	case policy.Deny:
		b.decideByPolicy(c, ruling)
		return forbidden(ruling)
	case policy.Ask:
		if !c.allowedByPerson() {
			ruling.Decision = policy.Deny
			b.decideByPolicy(c, ruling)
			return nowNeedsApproval(c.method)
		}
	case policy.Allow:
	}
	return nil
}

// policy returns the policy that applies now.
func (b *batch) policy() policy.Policy {
	if b.conversation.Policy != nil {
		return b.conversation.Policy()
	}
	return b.options.Policy
}

// refusePanic must be deferred. It recovers a panic, logs it, and sets *f to a failure.
func (b *batch) refusePanic(c *execution, f **failure) {
	if p := recover(); p != nil {
		b.logPanic(c, p, debug.Stack())
		*f = brokeDown(c.req.ToolName)
	}
}
