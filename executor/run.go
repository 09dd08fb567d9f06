package executor

import (
	"bytes"
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
)

// outcome is how a handler ended. It holds only what was safe to take from the handler on its own goroutine: an error's methods
// are foreign code too.
type outcome struct {
	text    string // for the model: the output, or the error
	details any
	files   []tool.File

	failed       bool
	badArguments bool // the handler found that the arguments do not fit
	unapproved   bool // it is not what was approved
	problems     []schema.Problem
	late         bool // the deadline had passed when it failed

	panicked   bool
	panicValue any
	stack      []byte
}

// run starts the tool.
func (b *batch) run(c *call) {
	c.limit = c.method.Method.Timeout
	if c.limit <= 0 {
		c.limit = b.executor.options.Timeout
	}
	ctx, cancel := context.WithTimeout(b.ctx, c.limit)
	c.stage, c.cancel, c.result.Started = stageRunning, cancel, time.Now()
	b.watch(ctx, c)

	approved, index, id, method, arguments := c.approved, c.index, c.req.ID, c.method, bytes.Clone(c.result.Arguments)
	go func() {
		var over atomic.Bool
		o := outcome{panicked: true, panicValue: "the handler ended its goroutine"} // stands after runtime.Goexit
		defer func() {
			over.Store(true)
			b.inbox.post(note{kind: noteReturned, call: index, stage: stageRunning, outcome: o})
		}()
		b.executor.handle(ctx, &tool.Call{ID: id, Method: method, Arguments: arguments, Progress: func(text string) {
			if !over.Load() && ctx.Err() == nil {
				b.inbox.post(note{kind: noteProgress, call: index, stage: stageRunning, text: validText(text)})
			}
		}}, approved, &o)
	}()
}

// handle runs the handler within its middlewares and sets o to how it ended, unless it ends the goroutine.
func (e *Executor) handle(ctx context.Context, call *tool.Call, approved *Digest, o *outcome) {
	defer func() {
		if p := recover(); p != nil {
			*o = outcome{panicked: true, panicValue: p, stack: debug.Stack()}
		}
	}()
	handler := call.Method.Method.Handler
	if approved != nil {
		handler = onlyAsApproved(handler, *approved)
	}
	for _, wrap := range slices.Backward(e.options.Middlewares) {
		handler = wrap(handler)
	}
	out, err := handler(ctx, call)
	if err == nil {
		*o = outcome{text: validText(out.Text), details: out.Details, files: out.Files}
		return
	}
	var bad *schema.ArgumentsError
	*o = outcome{
		text:         err.Error(),
		failed:       true,
		badArguments: errors.As(err, &bad),
		unapproved:   errors.Is(err, errNotAsApproved),
		late:         errors.Is(ctx.Err(), context.DeadlineExceeded),
	}
	if bad != nil {
		o.problems = bad.Problems
	}
}
