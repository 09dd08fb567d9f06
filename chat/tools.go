package chat

import (
	"context"
	"slices"
	"sync"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// Tools gives tool calling to an application that keeps its conversation and calls its model
// itself. A Tools belongs to one conversation for the whole life of that conversation. It is safe
// for concurrent use.
type Tools struct {
	engine  *engine.Engine
	session *engine.Session

	mu      sync.Mutex
	waiting []executor.Request // dispatched by the last ProcessCycle, until Resolve takes them
}

// NewTools returns the Tools of the conversation with that id. The model sees the methods that v
// does not hide. e must not be nil.
func NewTools(e *engine.Engine, id string, v engine.Visibility) *Tools {
	return &Tools{engine: e, session: e.OpenSession(engine.SessionOptions{ID: id, Visibility: v})}
}

// Session returns the session, for everything that Tools does not offer.
func (t *Tools) Session() *engine.Session { return t.session }

// Prompt returns what the system prompt must say about tools; "" if no tool is visible or tool
// calling is disabled.
func (t *Tools) Prompt() string { return t.session.Prompt() }

// Methods returns the methods that the model may see and call, sorted by full name.
func (t *Tools) Methods() []*tool.Entry { return t.session.Methods() }

// ProcessCycle reads a reply of the model, runs its requests and formats the results, as
// engine.Session.ProcessCycle says. If ResultMessage is not nil, the application adds the reply and
// that message to its conversation, and calls the model again.
//
// In mode manual nothing runs: the application decides on the calls in CycleResult.Pending, and
// gives the decisions to Resolve. Calls of an earlier reply that still wait are dropped.
func (t *Tools) ProcessCycle(
	ctx context.Context, assistantText string, finish protocol.FinishReason,
) (engine.CycleResult, error) {
	cycle, err := t.session.ProcessCycle(ctx, assistantText, finish)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting = nil
	if cycle.Pending != nil {
		t.waiting = cycle.Requests
	}
	return cycle, err
}

// Resolve runs the approved calls of the reply that ProcessCycle dispatched in mode manual, and
// formats the results of all of its requests. Each call in CycleResult.Pending needs one decision,
// except those that are Unreadable, whose results only say what is wrong. After ErrNothingPending
// or an *executor.DecisionError, nothing ran and the calls still wait. If the error is the cause of
// ctx's end, each request has its result.
func (t *Tools) Resolve(ctx context.Context, decisions ...Decision) (engine.CycleResult, error) {
	t.mu.Lock()
	waiting := t.waiting
	matched, err := t.match(waiting, decisions)
	if err == nil {
		t.waiting = nil
	}
	t.mu.Unlock()
	if err != nil {
		return engine.CycleResult{}, err
	}
	cycle := engine.CycleResult{Requests: waiting, Results: t.settle(ctx, matched)}
	cycle.ResultMessage = &protocol.Message{
		Role: protocol.RoleUser, Origin: protocol.OriginTool, Content: t.session.FormatResults(cycle.Results),
	}
	return cycle, context.Cause(ctx)
}

// describe returns the requests as calls that wait for a decision.
func (t *Tools) describe(requests []executor.Request) []executor.PendingCall {
	list := make([]executor.PendingCall, len(requests))
	for i := range requests {
		list[i] = t.session.Describe(requests[i])
	}
	return list
}

// notApproved is a digest that no call has. A request that is approved with it does not run.
const notApproved executor.Digest = "none"

// match returns each request with the decision on it, or an error if the decisions do not fit the
// requests.
func (t *Tools) match(requests []executor.Request, decisions []Decision) ([]matchedDecision, error) {
	if len(requests) == 0 {
		return nil, ErrNothingPending
	}
	refuse := func(id, reason string) ([]matchedDecision, error) {
		return nil, &executor.DecisionError{RequestID: id, Reason: reason}
	}
	stale := func(id, reason string) ([]matchedDecision, error) {
		return nil, &executor.DecisionError{RequestID: id, Stale: true, Reason: reason}
	}
	byID := make(map[string]Decision, len(decisions))
	for _, d := range decisions {
		_, twice := byID[d.requestID]
		switch {
		case d.kind == 0:
			return refuse(d.requestID, "has an empty Decision; make it with Approve, Supply or Deny")
		case !slices.ContainsFunc(requests, func(r executor.Request) bool { return r.ID == d.requestID }):
			return stale(d.requestID, "does not wait for a decision now; Pending lists the calls that do")
		case twice:
			return refuse(d.requestID, "has two decisions; give one")
		}
		byID[d.requestID] = d
	}
	matched := make([]matchedDecision, len(requests))
	for i, p := range t.describe(requests) {
		d, ok := byID[p.RequestID]
		switch {
		case ok && d.digest != p.Digest:
			return stale(p.RequestID,
				"waits for a decision about another call; show the call that Pending returns, and decide on that one")
		case !ok && !p.Unreadable:
			return refuse(p.RequestID, "has no decision; give one with Approve, Supply or Deny")
		case !ok:
			d = Approve(p.RequestID, notApproved) // the engine refuses the request and says why
		}
		matched[i] = d.on(requests[i])
	}
	return matched, nil
}

// settle carries out the decisions and returns one result for each request.
func (t *Tools) settle(ctx context.Context, matched []matchedDecision) []executor.Result {
	results := make([]executor.Result, len(matched))
	var approved []int
	var requests []executor.Request
	for i, m := range matched {
		if m.result != nil {
			results[i] = *m.result
			continue
		}
		approved, requests = append(approved, i), append(requests, m.request)
	}
	for i, result := range t.session.Execute(ctx, requests) {
		results[approved[i]] = result
	}
	return results
}
