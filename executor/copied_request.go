package executor

import (
	"encoding/json"
	"slices"

	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
)

// traceRequest notes whether a valid request was copied from foreign text.
func (b *batch) traceRequest(c *execution) {
	if b.conversation.CopiedFrom == nil {
		return
	}
	digest := func() Digest { return digestOf(c.method.FullName, c.result.Arguments) }
	if source := b.conversation.CopiedFrom(c.withoutDropped(), c.method, digest); source != nil {
		c.result.Provenance = &Provenance{CopiedFrom: source}
	}
}

// withoutDropped returns the request without the unknown arguments that were dropped. Otherwise a
// model could add unknown arguments to a copied request, so that it no longer equals the original.
func (c *execution) withoutDropped() Request {
	req := c.req
	dropped := func(r schema.Repaired) bool { return r.Repair == schema.UnknownArgument }
	if slices.ContainsFunc(c.result.Repaired, dropped) {
		unknown := func(a protocol.Argument) bool { return !c.method.Method.Parameters.Takes(a.Name) }
		req.Arguments = slices.DeleteFunc(slices.Clone(req.Arguments), unknown)
	}
	return req
}

// provenance returns what a person who approves a call must know about foreign text: whether the
// request is copied from it, and which values only it contains. arguments are those that would run.
// provenance returns nil if the request is not copied and no value is foreign.
func (b *batch) provenance(c *execution, arguments json.RawMessage) *Provenance {
	var p Provenance
	if c.result.Provenance != nil {
		p.CopiedFrom = c.result.Provenance.CopiedFrom
	}
	if b.conversation.ForeignArguments != nil {
		p.Arguments = b.conversation.ForeignArguments(c.method, c.method.MaskArguments(arguments))
	}
	if p.CopiedFrom == nil && p.Arguments == nil {
		return nil
	}
	return &p
}

// copied reports whether the model's request occurs in foreign text.
func (c *execution) copied() bool {
	return c.result.Provenance != nil && c.result.Provenance.CopiedFrom != nil
}

// grant returns the widest grant that an approval of the call can give, which is also the only
// grant by which the call may run. Usually it covers all calls of the method. If the method is
// dangerous or the request occurs in foreign text, it covers only calls with these arguments. So an
// approved call of the method does not make a later copied request run.
func (c *execution) grant(d Digest) grant {
	if c.copied() || c.method.Risk() == tool.RiskDangerous {
		return grant{c.method, d}
	}
	return grant{method: c.method}
}

// refuseCopied denies a request that occurs in foreign text. It is for a request that the policy
// would otherwise allow, if no person can be asked about it.
func (b *batch) refuseCopied(c *execution) *failure {
	source := c.result.Provenance.CopiedFrom
	b.decide(c, policy.Deny, ByProvenance, short("the request occurs in "+source.String()))
	return copiedRequest(source)
}
