package executor

import (
	"context"
	"encoding/json"

	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol"
)

// Provenance says which words of a call came from foreign text: from tools, files, imports and
// other people. The user's words and those of the model are not foreign.
type Provenance struct {
	// CopiedFrom is the foreign text that contains the model's request; nil if none does. Such a
	// call never runs without approval, whatever the policy allows.
	CopiedFrom *protocol.Source `json:"copiedFrom,omitempty"`
	// Arguments are the values to look at before the call is approved: only foreign text contains
	// them. They are listed for questions only.
	Arguments []ForeignArgument `json:"arguments,omitempty"`
}

// ForeignArgument is a value of a call that foreign text contains, and no text of the user or of
// the application.
type ForeignArgument struct {
	// Argument is the name of the argument.
	Argument string    `json:"argument"`
	Kind     ValueKind `json:"kind"`
	// Value is the argument's value or a part of it, of up to 200 bytes.
	Value  string          `json:"value"`
	Source protocol.Source `json:"source"`
}

// ValueKind says what a value names.
type ValueKind string

// The kinds of values whose source matters for a decision.
const (
	KindURL     ValueKind = "url"
	KindPath    ValueKind = "path"
	KindAddress ValueKind = "address" // of a mailbox, or a host
	KindCommand ValueKind = "command"
)

// copiedFrom returns the foreign text that contains a valid request; nil if none does.
func (b *batch) copiedFrom(c *execution) *protocol.Source {
	if b.conversation == nil || b.conversation.CopiedFrom == nil {
		return nil
	}
	return b.conversation.CopiedFrom(c.req, c.method, func() Digest { return digestOf(c.method.FullName, c.result.Arguments) })
}

// traceRequest notes whether a valid request was copied from foreign text.
func (b *batch) traceRequest(c *execution) {
	if source := b.copiedFrom(c); source != nil {
		c.result.Provenance = &Provenance{CopiedFrom: source}
	}
}

// provenance returns what a person should know about the words of a call, for a question about it
// with those arguments; nil if there is nothing.
func (b *batch) provenance(c *execution, arguments json.RawMessage) *Provenance {
	var p Provenance
	if c.result.Provenance != nil {
		p.CopiedFrom = c.result.Provenance.CopiedFrom
	}
	if b.conversation != nil && b.conversation.ForeignArguments != nil {
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

// grant returns the widest grant that an approval of the call can give. A request that occurs in
// foreign text is approved alone: a grant for its method was given before anybody saw it.
func (c *execution) grant(d Digest) grant {
	if c.copied() {
		return grant{c.method, d}
	}
	return grantFor(c.method, d)
}

// refuseCopied denies a request that occurs in foreign text, because nobody can approve it.
func (b *batch) refuseCopied(c *execution) *failure {
	source := c.result.Provenance.CopiedFrom
	b.decide(c, policy.Deny, ByProvenance, short("the request occurs in "+source.String()))
	return copiedRequest(source)
}

// Digest returns the digest of the call that a request means; ok is false if it means no call that
// could run.
func (x *Executor) Digest(conversation *Conversation, req Request) (d Digest, ok bool) {
	c := x.examine(conversation, req)
	if c.failure != nil {
		return "", false
	}
	return digestOf(c.method.FullName, c.result.Arguments), true
}

// examined is a request that was resolved and checked, and not run.
type examined struct {
	execution
	failure *failure
}

// examine resolves and checks a request.
func (x *Executor) examine(conversation *Conversation, req Request) *examined {
	c := &examined{}
	result := req.pending()
	c.batch, c.req, c.result = x.batch(context.Background(), conversation), req, &result
	c.failure = c.batch.prepare(&c.execution)
	return c
}
