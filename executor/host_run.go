package executor

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/vcpgo/vcp/tool"
)

// HostRunCall is a call that the application runs. It waits for the application's result.
type HostRunCall struct {
	// ID is the request's ID.
	ID     string
	Method *tool.Entry
	// Arguments are a copy that the receiver owns.
	Arguments json.RawMessage
	// Deadline is when the call times out.
	Deadline time.Time
}

// NotWaitingError is the error for a result that no call waits for. Either no host-run call has the
// ID, or the call has its result already, timed out or was canceled.
type NotWaitingError struct{ ID string }

func (e *NotWaitingError) Error() string {
	return fmt.Sprintf("executor: no call with the id %q waits for a result: it was not dispatched to the application, "+
		"has its result already, has timed out, or was canceled", e.ID)
}

// hostRuns are the host-run calls of a conversation that wait for their results. The zero value is
// empty. It is safe for concurrent use.
type hostRuns struct {
	mu      sync.Mutex
	waiting map[string]*hostRun // by the request's ID
}

type hostRun struct {
	call      HostRunCall
	result    chan hostResult // has capacity 1, for the only result that counts
	completed bool            // the application has given the result
}

func newHostRun(id string, method *tool.Entry) *hostRun {
	return &hostRun{call: HostRunCall{ID: id, Method: method}, result: make(chan hostResult, 1)}
}

type hostResult struct {
	output tool.Output
	err    error
}

// list returns the calls, the one with the earliest deadline first.
func (h *hostRuns) list() []HostRunCall {
	h.mu.Lock()
	defer h.mu.Unlock()
	var list []HostRunCall
	for _, w := range h.waiting {
		c := w.call
		c.Arguments = bytes.Clone(c.Arguments)
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b HostRunCall) int { return a.Deadline.Compare(b.Deadline) })
	return list
}

// complete gives a waiting call its result. If no call with that ID waits, it returns a
// *NotWaitingError.
func (h *hostRuns) complete(id string, r hostResult) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	w := h.waiting[id]
	if w == nil {
		return &NotWaitingError{ID: id}
	}
	delete(h.waiting, id)
	w.completed = true
	w.result <- r
	return nil
}

// cancel ends the wait of a call, and reports whether the application had completed the call. After
// the end of its context, the call does not wait again.
func (h *hostRuns) cancel(w *hostRun) (completed bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if id := w.call.ID; h.waiting[id] == w {
		delete(h.waiting, id)
	}
	return w.completed
}

// add lets a call wait for its result. It returns an error if callCtx, the context of the call, has
// ended, or if another call with the same ID waits.
func (h *hostRuns) add(callCtx context.Context, w *hostRun) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := callCtx.Err(); err != nil {
		return err
	}
	id := w.call.ID
	if h.waiting[id] != nil {
		return fmt.Errorf("another call with the id %q waits for its result", id)
	}
	if h.waiting == nil {
		h.waiting = map[string]*hostRun{}
	}
	h.waiting[id] = w
	return nil
}

// handler returns a handler that waits for the application's result until its own context or
// callCtx ends. callCtx is the context of the call. A middleware may pass on another context, which
// need not end with the call. dispatched is called when the application can complete the call. The
// application reads the ID and the method of w, which no middleware can change, and the arguments
// that the middlewares passed on.
func (h *hostRuns) handler(callCtx context.Context, w *hostRun, dispatched func()) tool.Handler {
	return func(ctx context.Context, call *tool.Call) (tool.Output, error) {
		if err := ctx.Err(); err != nil {
			return tool.Output{}, err
		}
		w.call.Arguments = bytes.Clone(call.Arguments)
		w.call.Deadline, _ = callCtx.Deadline()
		if earlier, ok := ctx.Deadline(); ok && earlier.Before(w.call.Deadline) {
			w.call.Deadline = earlier
		}
		if err := h.add(callCtx, w); err != nil {
			return tool.Output{}, err
		}
		dispatched()
		select {
		case r := <-w.result:
			return r.output, r.err
		case <-ctx.Done():
		case <-callCtx.Done():
		}
		h.cancel(w)
		select { // the result may have come at the last moment
		case r := <-w.result:
			return r.output, r.err
		default:
			return tool.Output{}, cmp.Or(ctx.Err(), callCtx.Err())
		}
	}
}
