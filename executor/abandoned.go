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
	mu     sync.Mutex
	calls  map[any]AbandonedCall
	byTool map[string]int // the number of calls, by the tool's id
}

// list returns the calls, oldest first.
func (a *abandonedCalls) list() []AbandonedCall {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := make([]AbandonedCall, 0, len(a.calls))
	for _, c := range a.calls {
		list = append(list, c)
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
	return a.byTool[id]
}

// add lists the call under key if begin returns true, and returns how many calls of the tool are
// listed then. Otherwise it returns 0. add holds the lock while it calls begin, so a call cannot be
// removed before it is listed.
func (a *abandonedCalls) add(key any, call AbandonedCall, toolID string, begin func() bool) (n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !begin() {
		return 0
	}
	if a.calls == nil {
		a.calls, a.byTool = map[any]AbandonedCall{}, map[string]int{}
	}
	a.calls[key] = call
	a.byTool[toolID]++
	return a.byTool[toolID]
}

// remove removes the call under key and returns when it was abandoned.
func (a *abandonedCalls) remove(key any, toolID string) (since time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	since = a.calls[key].Since
	delete(a.calls, key)
	if a.byTool[toolID]--; a.byTool[toolID] == 0 {
		delete(a.byTool, toolID)
	}
	return since
}
