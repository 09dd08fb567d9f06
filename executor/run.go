package executor

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"slices"
	"time"

	texts "github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
)

// start runs the handler, wrapped in the middlewares, on a new goroutine.
func (r *handlerRun) start(ctx context.Context, owner *execution, call tool.Call, handler tool.Handler) {
	r.owner, r.call = owner, call
	r.call.Progress = r.progress
	r.ctx = tool.WithCall(ctx, &r.call)
	r.once.beginChain()
	go r.do(handler)
}

// maxProgress limits one update, in bytes. A longer one is shortened.
const maxProgress = 64 << 10

func (r *handlerRun) progress(update string) {
	if !r.once.isOver() && r.ctx.Err() == nil {
		r.owner.progressed(text.TruncateBytes(update, maxProgress))
	}
}

// do runs the handler on this goroutine, and notifies the owner when it has ended in any way.
func (r *handlerRun) do(handler tool.Handler) {
	growStack()
	r.outcome = outcome{panicked: true, panicValue: "the handler ended its goroutine"} // stays after runtime.Goexit
	defer func() {
		if p := recover(); p != nil {
			r.outcome = outcome{panicked: true, panicValue: p, stack: debug.Stack()}
		}
		r.once.settle() // before end, so that no middleware calls next after the locks are released
		r.end()
		r.owner.returned()
	}()
	for _, wrap := range slices.Backward(r.owner.batch.options.Middlewares) {
		handler = wrap(handler)
	}
	out, err := handler(r.ctx, &r.call)
	if err != nil {
		r.outcome = failedOutcome(r.ctx, r.call.Language, err)
		return
	}
	r.outcome = outcome{text: text.Valid(out.Text), bytes: len(out.Text), details: out.Details, files: out.Files}
}

// growStack grows the stack to what handlers commonly need, such as for decoding JSON. The stack of
// a goroutine begins small and is copied each time it grows. Here it is almost empty, so the copy
// is cheap.
//
//go:noinline
func growStack() {
	var room [3200]byte // over 4 KB with the frames already on the stack, so the stack grows to 8 KB
	touch(room[:])
}

// touch keeps the compiler from removing an array that nothing else uses.
//
//go:noinline
func touch([]byte) {}

// failedOutcome returns the outcome of a handler that returned err. ctx is that of the run.
func failedOutcome(ctx context.Context, language string, err error) outcome {
	var (
		panicked *panicError
		misused  *RunOnceError
		bad      *schema.ArgumentsError
	)
	if errors.As(err, &panicked) {
		return outcome{panicked: true, panicValue: panicked.value, stack: panicked.stack}
	}
	message := texts.In(err, language)
	o := outcome{
		text:         message,
		bytes:        len(message),
		failed:       true,
		badArguments: errors.As(err, &bad),
		notApproved:  errors.Is(err, errNotApproved),
		otherEffect:  errors.Is(err, errOtherEffect),
		misusedNext:  errors.As(err, &misused),
		late:         errors.Is(ctx.Err(), context.DeadlineExceeded),
	}
	if bad != nil {
		o.problems = shortProblems(bad.Problems)
	}
	return o
}

// shortProblems copies the problems that a handler reports, and limits their number and length.
func shortProblems(problems []schema.Problem) []schema.Problem {
	problems = slices.Clone(problems[:min(len(problems), schema.MaxProblems)])
	for i := range problems {
		p := &problems[i]
		p.Path, p.Expected = short(p.Path), short(p.Expected)
		p.Received, p.Nearest = short(p.Received), short(p.Nearest)
	}
	return problems
}

// runOnce returns a handler that runs next once, before the call's result is settled. Further and
// later calls of the handler return a *RunOnceError.
func (r *handlerRun) runOnce(next tool.Handler) tool.Handler {
	return func(ctx context.Context, call *tool.Call) (out tool.Output, err error) {
		ok, late := r.once.begin()
		if !ok {
			id, method := r.owner.req.ID, r.owner.method.FullName
			r.logger().LogAttrs(ctx, slog.LevelError, "a middleware called next more than once, or too late",
				slog.String("id", id), slog.String("method", method), slog.Bool("late", late))
			return tool.Output{}, &RunOnceError{ID: id, Method: method, Late: late}
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

// returned notifies the batch that the middlewares of a run have ended.
func (c *execution) returned() {
	c.batch.post(c, stageRunning, (*batch).runReturned)
}

// runReturned handles the outcome of a run whose middlewares have ended.
func (b *batch) runReturned(c *execution, at time.Time) {
	r, o := c.result, &c.run.outcome
	r.Duration = at.Sub(r.Started)
	if o.failed {
		b.runFailed(c, o)
		return
	}
	if o.panicked {
		b.logPanic(c, o.panicValue, o.stack)
		b.settle(c, brokeDown(c.method.FullName))
		return
	}
	r.Status, r.Details, r.Files, r.RawBytes = protocol.StatusSuccess, o.details, o.files, o.bytes
	b.deliver(c, c.notes()+o.text)
}

// runFailed ends a call whose handler or middleware returned an error.
func (b *batch) runFailed(c *execution, o *outcome) {
	switch {
	case b.ctx.Err() != nil:
		b.settle(c, canceledWhileRunning())
	case o.late:
		b.settle(c, timedOut(c.method, c.limit))
	case o.misusedNext: // only the log says why, since a model can do nothing about a middleware
		b.settle(c, brokeDown(c.method.FullName))
	case o.notApproved:
		b.settle(c, changedAfterApproval())
	case o.otherEffect:
		b.settle(c, changedEffect())
	case o.badArguments:
		c.result.Problems, c.result.RawBytes = c.secrets().MaskProblems(o.problems), o.bytes
		b.settle(c, invalidArguments(c.method, c.req.Arguments, c.masked(o.text)))
	default:
		c.result.RawBytes = o.bytes
		b.settle(c, failed(c.masked(o.text)))
	}
}
