package executor

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// DefaultMaxAbandoned is how many calls of one tool may be abandoned at a time where Options does not say: enough for tools that
// are slow to notice, and few enough that a tool that hangs cannot fill a process.
const DefaultMaxAbandoned = 4

// State is what executors over the same tools share: which calls run, which wait for them, and which are abandoned. It outlives an
// Executor that is replaced. The zero value is ready for use. It is safe for concurrent use.
type State struct {
	gate gate

	mu        sync.Mutex
	abandoned map[*run]AbandonedCall
	byTool    map[string]int // abandoned calls, by the tool's id
}

// AbandonedCall is a call that has had its result, as timeout or as canceled, while its handler goes on.
type AbandonedCall struct {
	// ID is the request's, Method the method's full name.
	ID, Method string
	// Since is when the result was given.
	Since time.Time
}

// Abandoned returns the calls that are abandoned and have not returned yet, oldest first.
func (s *State) Abandoned() []AbandonedCall {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]AbandonedCall, 0, len(s.abandoned))
	for _, a := range s.abandoned {
		list = append(list, a)
	}
	slices.SortFunc(list, func(a, b AbandonedCall) int {
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Method, b.Method), cmp.Compare(a.ID, b.ID))
	})
	return list
}

func (s *State) abandonedOf(toolID string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byTool[toolID]
}

// over is called when the middlewares and the handler are done, by the goroutine of the one that ends last.
func (r *run) over() {
	was := r.phase.Swap(runOver)
	r.release()
	if was == runAbandoned {
		r.batch.executor.forget(r)
	}
}

func (r *run) release() {
	for _, t := range r.held {
		t.leave()
	}
}

// abandon gives a run up, unless its handler is done. What it uses stays taken until it returns, except that others may run in its
// place: those who wait for what it will not give back are turned away.
func (x *Executor) abandon(ctx context.Context, r *run) {
	r.permit.close()
	s := x.options.State
	s.mu.Lock()
	if !r.phase.CompareAndSwap(runActive, runAbandoned) {
		s.mu.Unlock()
		return
	}
	if s.abandoned == nil {
		s.abandoned, s.byTool = map[*run]AbandonedCall{}, map[string]int{}
	}
	s.abandoned[r] = AbandonedCall{ID: r.call.ID, Method: r.call.Method.FullName, Since: time.Now()}
	s.byTool[r.call.Method.Tool.ID]++
	n := s.byTool[r.call.Method.Tool.ID]
	s.mu.Unlock()
	for _, t := range r.held {
		if t == r.whole {
			t.leave()
		} else {
			t.lose()
		}
	}
	x.options.Logger.LogAttrs(ctx, slog.LevelWarn, "tool call abandoned: it goes on after its result",
		slog.String("id", r.call.ID), slog.String("method", r.call.Method.FullName), slog.Int("abandoned_of_tool", n))
}

// forget takes a run off the list whose handler is done at last.
func (x *Executor) forget(r *run) {
	s := x.options.State
	s.mu.Lock()
	since := s.abandoned[r].Since
	delete(s.abandoned, r)
	if id := r.call.Method.Tool.ID; s.byTool[id] > 1 {
		s.byTool[id]--
	} else {
		delete(s.byTool, id)
	}
	s.mu.Unlock()
	x.options.Logger.LogAttrs(context.Background(), slog.LevelInfo, "abandoned tool call returned",
		slog.String("id", r.call.ID), slog.String("method", r.call.Method.FullName), slog.Duration("late", time.Since(since)))
}
