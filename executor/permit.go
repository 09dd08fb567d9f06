package executor

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"

	"github.com/vcpgo/vcp/tool"
)

// A permit lets one call run once, before its result is out. What approves a call approves one run of it, and middlewares are foreign
// code: one may call next as often as it likes, from several goroutines, and long after it has returned. The attempts of retrying
// are one run.
type permit struct {
	mu      sync.Mutex
	spent   bool
	closed  bool // the result is out
	running int  // the chain of middlewares, and the handler within, while they run
}

// spend begins the run. over is set if it is too late for one; both are false if there has been one.
func (p *permit) spend() (ok, over bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.spent || p.closed {
		return false, p.closed
	}
	p.spent = true
	p.running++
	return true, false
}

// open says that the chain of middlewares runs.
func (p *permit) open() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running++
}

// close says that the result is out: nothing begins any more.
func (p *permit) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
}

func (p *permit) isClosed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closed
}

// end says that the chain or the handler has ended, and reports whether it was the last of the two.
func (p *permit) end() (last bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running--
	return p.running == 0
}

// SpentError is what a middleware gets from a next that did not run the method, because the call has had its run or its result.
type SpentError struct {
	// ID is the request's, Method the method's full name.
	ID, Method string
	// Over says that next was called after the result of the call was out. Else it was called a second time.
	Over bool
}

// Error says what to do instead.
func (e *SpentError) Error() string {
	if e.Over {
		return fmt.Sprintf("executor: next was called for call %q of %s after its result was out: next did nothing. "+
			"Call next before the middleware returns", e.ID, e.Method)
	}
	return fmt.Sprintf("executor: next was called again for call %q of %s, which runs once: next did nothing. "+
		"To have failed runs repeated, declare the method tool.Idempotent and return errors made by tool.Retryable", e.ID, e.Method)
}

// panicError is a panic of a handler on its way through the middlewares: one that runs next on a goroutine of its own must not end
// the process by it.
type panicError struct {
	value any
	stack []byte
}

func (*panicError) Error() string { return "the handler panicked" }

// once spends the call's permit and runs next, or returns a *SpentError.
func (r *run) once(next tool.Handler) tool.Handler {
	id, method := r.call.ID, r.call.Method.FullName // a middleware can change the call
	return func(ctx context.Context, call *tool.Call) (out tool.Output, err error) {
		ok, over := r.permit.spend()
		if !ok {
			spent := &SpentError{ID: id, Method: method, Over: over}
			r.batch.executor.options.Logger.LogAttrs(ctx, slog.LevelError, "a middleware called next more than once, or too late",
				slog.String("id", id), slog.String("method", method), slog.Bool("over", over))
			return tool.Output{}, spent
		}
		defer r.end()
		defer func() {
			if p := recover(); p != nil {
				out, err = tool.Output{}, &panicError{p, debug.Stack()}
			}
		}()
		return next(ctx, call)
	}
}

// end says that the chain of middlewares or the handler has ended. What the call uses is free when both have.
func (r *run) end() {
	if r.permit.end() {
		r.over()
	}
}
