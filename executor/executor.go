// Package executor turns each request into one result. A request passes through five steps. Each
// of the first three may refuse it, with a result that tells the model why and what to do:
//
//   - check: the request means a visible method, and its arguments fit the method's schema;
//   - approval: the policy allows the call, or a person approves it;
//   - admission: the call waits for its resources and for the limits on concurrent calls, and is
//     checked again;
//   - run: the call runs once, under a deadline and within the middlewares. Inside them the
//     executor does what the method declares: it uses a cached result, retries the handler, or
//     dispatches the call to the application;
//   - excerpt: a result over its budget is summarized or shortened.
//
// A Policy of package github.com/vcpgo/vcp/executor/policy says which calls need approval. An
// Approver asks a person about them, or waits for Conversation.Decide. An AuditFunc gets a record
// of each request.
package executor

import (
	"context"

	"github.com/vcpgo/vcp/internal/attach"
	"github.com/vcpgo/vcp/tool"
)

// Executor runs requests against one registry. It is safe for concurrent use.
type Executor struct {
	registry *tool.Registry
	options  Options
	shared   *shared
}

// sharedOf contains what executors on one registry share.
var sharedOf attach.Map[tool.Registry, shared]

// New returns an Executor for the tools of reg. All executors on one registry share the locks of
// running and waiting calls, the list of abandoned calls, and the cached results.
func New(reg *tool.Registry, o Options) *Executor {
	return &Executor{registry: reg, options: o.withDefaults(), shared: sharedOf.Of(reg)}
}

// Abandoned returns the abandoned calls of all executors on the registry that have not returned
// yet, oldest first.
func (x *Executor) Abandoned() []AbandonedCall { return x.shared.abandoned.list() }

// Execute returns one result for each request, in request order. In a nil conversation no method is
// visible.
//
// A call times out at its deadline, even if its tool ignores the context. When ctx ends, no more
// calls are started, running tools have 2 seconds to return, and calls that have no result by then
// are canceled.
func (x *Executor) Execute(ctx context.Context, conversation *Conversation, obs Observer, reqs []Request) []Result {
	b := x.batch(ctx, conversation)
	b.observer, b.mailbox.ready = obs, make(chan struct{}, 1)
	if len(reqs) == 1 {
		b.calls = b.one[:]
	} else {
		b.calls = make([]execution, len(reqs))
	}
	defer b.freeAll()
	results := make([]Result, len(reqs))
	for i, req := range reqs {
		c := &b.calls[i]
		c.batch, c.req, c.result = b, req, &results[i]
		b.begin(c)
		if !x.options.Parallel {
			b.waitFor(c)
		}
	}
	for i := range b.calls {
		b.waitFor(&b.calls[i])
	}
	return results
}

func (x *Executor) batch(ctx context.Context, conversation *Conversation) *batch {
	if conversation == nil {
		conversation = &Conversation{}
	}
	return &batch{registry: x.registry, options: &x.options, shared: x.shared, ctx: ctx, conversation: conversation}
}

// begin checks a request, asks for approval if it is needed, and queues the call. It does not wait
// for the tool.
func (b *batch) begin(c *execution) {
	*c.result = c.req.pending()
	c.asked = c.result.Started
	if b.ctx.Err() != nil {
		b.settle(c, canceledBeforeRun())
		return
	}
	f := b.prepare(c)
	if f == nil {
		f = b.approve(c)
	}
	if f != nil {
		b.start() // earlier calls start before this result is reported
		b.settle(c, f)
		return
	}
	b.admit(c)
}
