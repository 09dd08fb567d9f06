package tool

import "context"

// WithCall returns the context for a handler or a middleware of the call. Executors use it.
func WithCall(ctx context.Context, call *Call) context.Context {
	if CallFrom(ctx) == call {
		return ctx
	}
	own := &call.context
	if own.Context != nil { // the call is a copy of one that has its context
		own = new(callContext)
	}
	*own = callContext{ctx, call}
	return own
}

// CallFrom returns the call in whose handler or middleware ctx is. It is nil if ctx is not that of a
// call. The call must not be changed.
func CallFrom(ctx context.Context) *Call {
	call, _ := ctx.Value(callKey{}).(*Call)
	return call
}

// Progress tells people how far the call is in whose handler ctx is, as Call.Progress does. Without
// a call it does nothing.
func Progress(ctx context.Context, text string) {
	if call := CallFrom(ctx); call != nil && call.Progress != nil {
		call.Progress(text)
	}
}
