// Package executor turns requests into results. A request passes through small steps, each of which may refuse it with a result
// that tells the model why and what to do: it is resolved to a method, the method must be allowed, the arguments must fit, leave
// must be given (by the Policy, or by a person through the Approver), what the call needs must be free, and only then, checked once
// more, does the tool run. What its method declares is done around the handler: earlier results, further attempts, handing out.
package executor

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/vcpgo/vcp/tool"
)

// DefaultTimeout is how long a tool may run where neither its method nor Options say.
const DefaultTimeout = 30 * time.Second

// Options set up an Executor. The zero value runs one request after the other.
type Options struct {
	// Timeout is how long a method may run that sets no time of its own; 0 is DefaultTimeout.
	Timeout time.Duration
	// Parallel runs the requests of one Execute at the same time.
	Parallel bool
	// Policy decides which calls run at once, which are asked for, and which never run. The zero Policy asks for those of methods
	// that are dangerous.
	Policy Policy
	// Approver is asked for leave; where it is nil, what would be asked for is denied.
	Approver Approver
	// ApprovalTimeout is how long an answer may take before the call is denied; 0 waits until there is one or the run ends.
	ApprovalTimeout time.Duration
	// Middlewares wrap every handler; the first is outermost. They run within the tool's time, once for each call: further attempts
	// and earlier results are inside of them.
	Middlewares []tool.Middleware
	// MaxConcurrent is how many calls run at once, over all executors with the same State; 0 is any number. Calls wait in the order
	// in which they come, and the wait is no part of a tool's time. A tool that runs others through an executor holds its own place
	// while they wait for theirs.
	MaxConcurrent int
	// MaxAbandoned is how many calls of one tool may go on after their time is over before it takes no further ones; 0 is
	// DefaultMaxAbandoned. Calls that run already by then can add to them.
	MaxAbandoned int
	// MaxAttempts is how often an idempotent method is tried; 0 is DefaultMaxAttempts, 1 tries nothing again.
	MaxAttempts int
	// State is shared with other executors over the same tools; nil is one of its own.
	State *State
	// Size bounds what a result puts before the model.
	Size Size
	// Audit takes one record for each request; nil keeps none.
	Audit AuditFunc
	// Logger receives what people should know and models should not; nil is slog.Default.
	Logger *slog.Logger
}

// Executor runs requests against one registry. It is safe for concurrent use.
type Executor struct {
	registry *tool.Registry
	options  Options

	summaries atomic.Int32 // being made
}

// New returns an Executor over reg.
func New(reg *tool.Registry, o Options) *Executor {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MaxAbandoned <= 0 {
		o.MaxAbandoned = DefaultMaxAbandoned
	}
	if o.MaxAttempts <= 0 {
		o.MaxAttempts = DefaultMaxAttempts
	}
	if o.State == nil {
		o.State = &State{}
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	return &Executor{registry: reg, options: o}
}

// Execute returns exactly one result a request, in request order, whatever happens. Nothing is visible in a nil scope.
//
// A tool that is still running at its deadline is reported as timeout at once, whether it heeds its context or not. When ctx ends,
// nothing more is started, running tools have 2 seconds to return, and what has no result by then is canceled.
func (x *Executor) Execute(ctx context.Context, scope Scope, obs Observer, reqs []Request) []Result {
	settled := false
	b := &batch{
		executor: x, ctx: ctx, scope: scope, obs: obs, inbox: inbox{ready: make(chan struct{}, 1)},
		alone: len(reqs) == 1 || !x.options.Parallel,
	}
	if len(reqs) == 1 {
		b.calls = b.one[:]
	} else {
		b.calls = make([]call, len(reqs))
	}
	defer func() {
		if !settled {
			b.letAllGo()
		}
	}()
	results := make([]Result, len(reqs))
	for i, req := range reqs {
		c := &b.calls[i]
		c.index, c.req, c.result = i, req, &results[i]
		b.begin(c)
		if !x.options.Parallel {
			b.waitFor(c)
		}
	}
	for i := range b.calls {
		b.waitFor(&b.calls[i])
	}
	settled = true
	return results
}

// letAllGo is for a batch that an observer has ended by a panic: what its calls hold is given up, and their handlers are abandoned.
func (b *batch) letAllGo() {
	for i := range b.calls {
		if c := &b.calls[i]; c.stage != stageSettled {
			b.unwatch(c)
			if c.cancel != nil {
				c.cancel()
			}
			b.letGo(c)
		}
	}
}
