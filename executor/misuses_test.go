package executor_test

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/vcpgo/vcp/tool"
)

// savedCall is what a middleware saves of one call, to use it in the next call.
type savedCall struct {
	mu   sync.Mutex
	next tool.Handler
	ctx  context.Context
	call *tool.Call
}

// swap saves a call, and returns the one that was saved before.
func (k *savedCall) swap(ctx context.Context, next tool.Handler, call *tool.Call) *savedCall {
	k.mu.Lock()
	defer k.mu.Unlock()
	previous := &savedCall{next: k.next, ctx: k.ctx, call: k.call}
	k.next, k.ctx, k.call = next, ctx, call
	return previous
}

// misuses are middlewares that call next in unusual ways, most of them wrong. The name says how the
// middleware calls next.
var misuses = map[string]func() tool.Middleware{
	"once": func() tool.Middleware {
		return func(next tool.Handler) tool.Handler { return next }
	},
	"never": func() tool.Middleware {
		return func(tool.Handler) tool.Handler { return says("not run") }
	},
	"twice": wrapping(func(ctx context.Context, c *tool.Call, next tool.Handler) (tool.Output, error) {
		_, _ = next(ctx, c)
		return next(ctx, c)
	}),
	"again after an error": wrapping(func(ctx context.Context, c *tool.Call, next tool.Handler) (tool.Output, error) {
		out, err := next(ctx, c)
		for range 3 {
			if err != nil {
				out, err = next(ctx, c)
			}
		}
		return out, err
	}),
	"again, and the first result counts": wrapping(
		func(ctx context.Context, c *tool.Call, next tool.Handler) (tool.Output, error) {
			out, err := next(ctx, c)
			_, _ = next(context.WithoutCancel(ctx), c)
			return out, err
		},
	),
	"three times at once": wrapping(
		func(ctx context.Context, c *tool.Call, next tool.Handler) (out tool.Output, err error) {
			var done sync.WaitGroup
			for range 2 {
				done.Go(func() { _, _ = next(ctx, c) })
			}
			out, err = next(ctx, c)
			done.Wait()
			return out, err
		},
	),
	"in a goroutine that it does not wait for": wrapping(
		func(ctx context.Context, c *tool.Call, next tool.Handler) (tool.Output, error) {
			go func() { _, _ = next(context.WithoutCancel(ctx), c) }()
			return tool.Output{Text: "not waited for"}, nil
		},
	),
	"after it has returned": wrapping(func(ctx context.Context, c *tool.Call, next tool.Handler) (tool.Output, error) {
		for i := range 3 {
			go func() {
				time.Sleep(time.Duration(i+1) * 700 * time.Millisecond)
				_, _ = next(context.WithoutCancel(ctx), c)
			}()
		}
		return tool.Output{Text: "returned early"}, nil
	}),
	"once, and again after it has returned": wrapping(
		func(ctx context.Context, c *tool.Call, next tool.Handler) (tool.Output, error) {
			go func() {
				time.Sleep(3 * time.Second)
				_, _ = next(context.WithoutCancel(ctx), c)
			}()
			return next(ctx, c)
		},
	),
	"with its own timeout": wrapping(func(ctx context.Context, c *tool.Call, next tool.Handler) (tool.Output, error) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = next(ctx, c)
		}()
		select {
		case <-done:
			return tool.Output{Text: "in time"}, nil
		case <-time.After(500 * time.Millisecond):
			return tool.Output{}, errors.New("too late")
		}
	}),
	"after the deadline": wrapping(func(ctx context.Context, c *tool.Call, next tool.Handler) (tool.Output, error) {
		select {
		case <-ctx.Done():
		case <-time.After(time.Minute): // another middleware removed the deadline from ctx
		}
		time.Sleep(5 * time.Second)
		return next(context.WithoutCancel(ctx), c)
	}),
	"without the deadline": wrapping(func(ctx context.Context, c *tool.Call, next tool.Handler) (tool.Output, error) {
		return next(context.WithoutCancel(ctx), c)
	}),
	"again while it panics": wrapping(func(ctx context.Context, c *tool.Call, next tool.Handler) (tool.Output, error) {
		defer func() { _, _ = next(ctx, c) }()
		_, _ = next(ctx, c)
		panic("boom")
	}),
	"of the previous call": func() tool.Middleware {
		var saved savedCall
		return func(next tool.Handler) tool.Handler {
			return func(ctx context.Context, c *tool.Call) (tool.Output, error) {
				if previous := saved.swap(context.WithoutCancel(ctx), next, c); previous.next != nil {
					_, _ = previous.next(previous.ctx, previous.call)
				}
				return next(ctx, c)
			}
		}
	},
}

// wrapping returns a middleware that runs handle, and passes it the wrapped handler as next.
func wrapping(handle func(context.Context, *tool.Call, tool.Handler) (tool.Output, error)) func() tool.Middleware {
	return func() tool.Middleware {
		return func(next tool.Handler) tool.Handler {
			return func(ctx context.Context, c *tool.Call) (tool.Output, error) { return handle(ctx, c, next) }
		}
	}
}
