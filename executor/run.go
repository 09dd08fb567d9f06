package executor

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	texts "github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
)

// shared is what all executors on one registry share. It must not refer to the registry. The zero
// value is ready to use.
type shared struct {
	locks     lockTable
	abandoned abandonedCalls
	cache     resultCache
	summaries atomic.Int32 // in progress
}

// outcome is how a handler ended. The handler's goroutine calls the methods of an error and fills
// in outcome, because these methods are application code, too.
type outcome struct {
	text    string // for the model: the output, or the error
	bytes   int    // of the text that the handler returned
	details any
	files   []tool.File

	failed       bool // the handler or a middleware returned an error
	badArguments bool // the handler refused the arguments
	notApproved  bool // the call is not the one that was approved
	otherEffect  bool // the call would not do what was approved
	misusedNext  bool // a middleware called next twice, or too late
	problems     []schema.Problem
	late         bool // the deadline had passed when the handler failed

	panicked   bool // or the handler ended its goroutine
	panicValue any
	stack      []byte // of the panic
}

// A handlerRun is one run of a handler and its middlewares, on a goroutine of its own. Before start
// it only collects locks.
type handlerRun struct {
	owner   *execution
	ctx     context.Context
	call    tool.Call
	outcome outcome // the goroutine owns it until owner.returned

	once    runOnce
	retries atomic.Int32
	cached  atomic.Bool
	locks   []*lock
}

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
		r.once.settle()
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
	var room [3200]byte // with the frames already on the stack, this makes 8 KB
	touch(room[:])
}

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

// runOnce returns a handler that runs next once, before the call's result is settled. If it is
// called again or later, the handler returns a *RunOnceError.
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

// end records that the middlewares or the handler have ended. When both have, it releases what they
// used.
func (r *handlerRun) end() {
	if !r.once.end() {
		return
	}
	r.release()
	if since, ok := r.owner.batch.shared.abandoned.remove(r); ok {
		r.logger().LogAttrs(context.Background(), slog.LevelInfo, "abandoned tool call returned",
			slog.String("id", r.owner.req.ID), slog.String("method", r.owner.method.FullName),
			slog.Duration("late", time.Since(since)))
	}
}

func (r *handlerRun) release() {
	for _, l := range r.locks {
		l.release()
	}
}

// abandon gives up a run, unless it is over. The run keeps its locks until it returns, except its
// slot within the limit on all calls. Calls that wait for a lock that may never be released are
// refused.
func (r *handlerRun) abandon(ctx context.Context) {
	r.once.settle()
	n := r.owner.batch.shared.abandoned.add(r)
	if n == 0 {
		return
	}
	for _, l := range r.locks {
		if l.claims[0].key == (allCallsKey{}) {
			l.release()
		} else {
			l.lose()
		}
	}
	r.logger().LogAttrs(ctx, slog.LevelWarn, "tool call abandoned: it still runs after its result",
		slog.String("id", r.owner.req.ID), slog.String("method", r.owner.method.FullName),
		slog.Int("abandoned_of_tool", n))
}

func (r *handlerRun) logger() *slog.Logger { return r.owner.batch.options.Logger }
