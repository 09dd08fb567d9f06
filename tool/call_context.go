package tool

import "context"

// WithCall returns the context for a handler or a middleware of the call. Executors use it.
func WithCall(ctx context.Context, call *Call) context.Context {
	if CallFrom(ctx) == call {
		return ctx
	}
	own := &call.context
	if own.Context != nil { // call is a copy of a call whose context is in use
		own = new(callContext)
	}
	*own = callContext{ctx, call}
	return own
}

// CallFrom returns the call to whose handler or middleware ctx belongs, and nil if ctx belongs to
// none. The caller must not change the call.
func CallFrom(ctx context.Context) *Call {
	call, _ := ctx.Value(callKey{}).(*Call)
	return call
}

// Progress tells people how far the call of ctx is, as Call.Progress does. It does nothing if ctx
// belongs to no call.
func Progress(ctx context.Context, text string) {
	if call := CallFrom(ctx); call != nil && call.Progress != nil {
		call.Progress(text)
	}
}
