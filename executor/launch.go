package executor

import (
	"bytes"
	"context"
	"time"

	"github.com/vcpgo/vcp/tool"
)

// launch runs the handler of a call.
func (b *batch) launch(c *execution) {
	c.limit = c.method.Method.Timeout
	if c.limit <= 0 {
		c.limit = b.options.Timeout
	}
	now := time.Now()
	ctx, cancel := context.WithDeadline(b.ctx, now.Add(c.limit))
	c.cancel, c.result.Started = cancel, now
	b.enter(ctx, c, stageRunning, c.limit, (*batch).expireRun)
	call := tool.Call{
		ID: c.req.ID, Method: c.method, Arguments: bytes.Clone(c.result.Arguments), Language: b.conversation.language(),
	}
	if limit := &b.options.ResultLimit; limit.tokens(c.method) != 0 && !c.req.Whole {
		notes := c.notes()
		call.Fits = func(text string) bool {
			_, exceeded := limit.budgetFor(c.method, notes+text)
			return !exceeded
		}
	}
	c.run.start(ctx, c, call, b.handler(ctx, c))
}

// handler returns the handler that the middlewares wrap. It contains the method's own handler, with
// the retries, the caching or the dispatch that the method declares. The limit to one run and the
// check of the approval are outermost. So a call that a middleware changed is refused before
// anything looks it up in the cache, runs it or dispatches it.
func (b *batch) handler(callCtx context.Context, c *execution) tool.Handler {
	m := c.method.Method
	h := m.Handler
	switch {
	case m.HostRun:
		c.hostRun = newHostRun(c.req.ID, c.method)
		h = b.conversation.hostRuns.handler(callCtx, c.hostRun, func() {
			b.post(c, stageRunning, func(b *batch, c *execution, _ time.Time) {
				b.observer.dispatched(c.req, c.method, c.result.Arguments)
			})
		})
	case m.Idempotent && b.options.MaxAttempts > 1:
		// The check runs on the handler's goroutine, so it must not change c.
		probe := &execution{batch: b, req: c.req, method: c.method, result: new(*c.result)}
		mayRetry := func() bool { return !c.run.once.isSettled() && b.recheck(probe) == nil }
		h = retrying(h, b.options.MaxAttempts, &c.run.retries, mayRetry)
	}
	switch {
	case m.CacheFor > 0:
		h = b.shared.cache.cachingHandler(h, c.method, b.conversation.cacheScope(), &c.run.cached)
	case c.method.Risk() != tool.RiskRead:
		h = b.shared.cache.droppingHandler(h, c.method.Tool.ID)
	}
	if c.approved != nil {
		h = onlyApproved(sameEffect(h, c), *c.approved)
	}
	return c.run.runOnce(h)
}

// expireRun ends a call when its time or the run is over. The handler first gets time to return if
// the run is over, or if the application completed a host-run call in time.
func (b *batch) expireRun(c *execution, at time.Time) {
	completed := func() bool { return c.hostRun != nil && b.conversation.hostRuns.cancel(c.hostRun) }
	if b.ctx.Err() == nil && !completed() {
		c.result.Duration = at.Sub(c.result.Started)
		b.settle(c, timedOut(c.method, c.limit))
		return
	}
	b.allowGrace(c, (*batch).giveUpRun)
}

// giveUpRun ends a call whose handler has not returned in the grace time.
func (b *batch) giveUpRun(c *execution, at time.Time) {
	c.result.Duration = at.Sub(c.result.Started)
	if b.ctx.Err() != nil {
		b.settle(c, canceledWhileRunning())
	} else {
		b.settle(c, timedOut(c.method, c.limit))
	}
}

// sameEffect returns a handler that runs next only if the call's preview is still the one that a
// person approved.
func sameEffect(next tool.Handler, c *execution) tool.Handler {
	approved, secrets := c.previewed, c.secrets()
	if approved == "" {
		return next
	}
	return func(ctx context.Context, call *tool.Call) (tool.Output, error) {
		now := previewOutcome{err: errPreviewEnded}
		now.run(ctx, *call, secrets)
		if err := ctx.Err(); err != nil {
			return tool.Output{}, err
		}
		if now.err != nil || now.text != approved {
			return tool.Output{}, errOtherEffect
		}
		return next(ctx, call)
	}
}
