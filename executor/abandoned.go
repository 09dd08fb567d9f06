package executor

import (
	"cmp"
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

// add lists a run unless it is over, and returns how many calls of its tool are listed then, or 0.
// A run is removed after it is over, so it is not listed forever.
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

// remove removes a run that is over, and returns when it was abandoned. ok is false if it was not.
func (a *abandonedCalls) remove(r *handlerRun) (since time.Time, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	since, ok = a.since[r]
	delete(a.since, r)
	return since, ok
}
