package executor

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// AbandonedCall is a call that has its result while its handler or a middleware still runs, for
// example because the call timed out.
type AbandonedCall struct {
	// ID is the request's ID, Method the method's full name.
	ID     string `json:"requestId"`
	Method string `json:"method"`
	// Since is when the call got its result.
	Since time.Time `json:"since"`
}

// abandonedCalls lists abandoned calls. The zero value is empty. It is safe for concurrent use.
type abandonedCalls struct {
	mu    sync.Mutex
	since map[*handlerRun]time.Time // when each call got its result
}

// list returns the calls, oldest first.
func (a *abandonedCalls) list() []AbandonedCall {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := make([]AbandonedCall, 0, len(a.since))
	for r, since := range a.since {
		list = append(list, AbandonedCall{ID: r.owner.req.ID, Method: r.owner.method.FullName, Since: since})
	}
	slices.SortFunc(list, func(a, b AbandonedCall) int {
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Method, b.Method), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// countOfTool returns how many calls of the tool are listed.
func (a *abandonedCalls) countOfTool(id string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ofTool(id)
}

// ofTool is countOfTool for a caller that holds the lock.
func (a *abandonedCalls) ofTool(id string) (n int) {
	for r := range a.since {
		if r.owner.method.Tool.ID == id {
			n++
		}
	}
	return n
}

// add lists a run, and returns how many calls of its tool are listed then. If the run is over, add
// returns 0 and does not list the run, because nothing would remove it again.
func (a *abandonedCalls) add(r *handlerRun) (n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if r.once.isOver() {
		return 0
	}
	if a.since == nil {
		a.since = map[*handlerRun]time.Time{}
	}
	a.since[r] = time.Now()
	return a.ofTool(r.owner.method.Tool.ID)
}

// remove removes a run that is over, and returns when the run was abandoned. ok is false if it was
// not abandoned.
func (a *abandonedCalls) remove(r *handlerRun) (since time.Time, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	since, ok = a.since[r]
	delete(a.since, r)
	return since, ok
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
// slot within the limit on all calls. The other locks count as lost, because the run may never
// return.
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
