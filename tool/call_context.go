package tool

import "context"

// WithCall returns a context that carries the call; CallFrom gets the call from it. Executors pass
// this context to handlers and middlewares.
func WithCall(ctx context.Context, call *Call) context.Context {
	if CallFrom(ctx) == call {
		return ctx
	}
	own := &call.context // storage for one context
	if own.Context != nil {
		// The storage is in use, or the call is a copy of one whose storage is in use.
		own = new(callContext)
	}
	*own = callContext{ctx, call}
	return own
}

// CallFrom returns the call that ctx carries: a handler or middleware gets its own call. It returns
// nil if ctx carries no call. The caller must not change the call.
func CallFrom(ctx context.Context) *Call {
	call, _ := ctx.Value(callKey{}).(*Call)
	return call
}

// Progress calls the Call.Progress of the call that ctx carries. It does nothing if ctx carries no
// call.
func Progress(ctx context.Context, text string) {
	if call := CallFrom(ctx); call != nil && call.Progress != nil {
		call.Progress(text)
	}
}
