package executor

import (
	"context"
	"fmt"
	"slices"

	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

// Pending returns the call that a request means, without running it. Requests with equal digests
// and no Problem mean the same call, however they are spelled.
func (x *Executor) Pending(conversation *Conversation, req Request) PendingCall {
	c := x.examine(conversation, req)
	f := c.failure
	p := PendingCall{
		RequestID: req.ID, ToolName: c.result.ToolName, Method: c.result.Method,
		Arguments: c.arguments(), Unreadable: req.Err != nil,
	}
	if c.method != nil {
		p.Risk = c.method.Risk()
	}
	if f != nil {
		p.Digest, p.Problem = digestOfRequest(&req), short(text.Valid(f.message.en))
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

// Digest returns the digest of the call that a request means. ok is false if it means no valid
// call, for example if the method is hidden or its schema refuses the arguments.
func (x *Executor) Digest(conversation *Conversation, req Request) (d Digest, ok bool) {
	if _, ok := x.Resolve(conversation, req); !ok {
		return "", false
	}
	c := x.examine(conversation, req)
	if c.failure != nil {
		return "", false
	}
	return digestOf(c.method.FullName, c.result.Arguments), true
}

// Resolve returns the request in the form in which it runs. The tool's name is the full name of the
// method, and a command that does not name the method is among the arguments. ok is false if the
// request names no method.
func (x *Executor) Resolve(conversation *Conversation, req Request) (resolved Request, ok bool) {
	c := x.newExamined(conversation, req)
	defer c.batch.refusePanic(&c.execution, &c.failure)
	resolution, found := c.batch.find(req)
	if !found {
		return req, false
	}
	if commandIsArgument(req, resolution) {
		req.Arguments = append(slices.Clone(req.Arguments),
			protocol.Argument{Name: commandArgument, Value: req.Command})
	}
	req.ToolName, req.Command = resolution.Entry.FullName, ""
	return req, true
}

// examined is a request that is resolved and checked, but not run.
type examined struct {
	execution
	failure *failure
}

// examine resolves and checks a request.
func (x *Executor) examine(conversation *Conversation, req Request) *examined {
	c := x.newExamined(conversation, req)
	c.failure = c.batch.prepare(&c.execution)
	return c
}

// newExamined returns a request that is not resolved or checked yet.
func (x *Executor) newExamined(conversation *Conversation, req Request) *examined {
	c := &examined{}
	result := req.pending()
	c.batch, c.req, c.result = x.batch(context.Background(), conversation), req, &result
	return c
}

// digestOfRequest identifies a request that means no call.
func digestOfRequest(req *Request) Digest {
	return newDigest(fmt.Appendf(nil, "%q %q %q %v", req.ToolName, req.Command, req.Arguments, req.Err))
}
