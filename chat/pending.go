package chat

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
)

// undecided is the reason for denying requests that nobody decided on. The model reads it.
const undecided = "The user continued without answering this request."

// Pending returns the calls that wait for a decision. Resolve settles those that mode manual has
// dispatched. Decide settles a call about which a person is being asked. The slice is never nil.
func (c *Conversation) Pending() []executor.PendingCall {
	requests, err := c.dispatched()
	if err != nil || len(requests) == 0 {
		return c.tools.session.Pending()
	}
	// A call's Provenance depends on what the session has read. Until a turn begins, the session of
	// an opened conversation has read nothing.
	c.tools.session.Remember(c.messages()...)
	return c.tools.describe(requests)
}

// Decide answers the open question about a call while its turn runs, from any goroutine, as
// engine.Session.Decide says.
func (c *Conversation) Decide(requestID string, digest executor.Digest, d executor.Decision) error {
	err := c.tools.session.Decide(requestID, digest, d)
	if err == nil {
		return nil
	}
	requests, _ := c.dispatched() // if they cannot be read, the first error stays
	if slices.ContainsFunc(requests, func(r executor.Request) bool { return r.ID == requestID }) {
		reason := "was dispatched in mode manual; settle it with Resolve"
		err = &executor.DecisionError{RequestID: requestID, Reason: reason}
	}
	return c.withID(err)
}

// Resolve settles all requests that mode manual has dispatched, and lets the model continue, as
// Send does. Each call that Pending returns needs one decision, except calls that are Unreadable:
// for these the model is only told what is wrong. Each outcome is yielded as an EventToolDone of
// iteration 0, in the order of the requests.
//
// A turn that cannot begin yields ErrBusy, ErrNothingPending, an *executor.DecisionError,
// ErrChanged or an error of the store.
func (c *Conversation) Resolve(ctx context.Context, decisions ...Decision) iter.Seq2[engine.Event, error] {
	decisions = slices.Clone(decisions)
	return c.turn(ctx, "", func(ctx context.Context) ([]engine.Event, runFunc, error) {
		requests, err := c.dispatched()
		if err != nil {
			return nil, nil, err
		}
		matched, err := c.tools.match(requests, decisions)
		if err != nil {
			return nil, nil, c.withID(err)
		}
		events, err := c.settle(ctx, matched)
		return events, c.run, err
	})
}

// denyPending denies the dispatched requests, because the user continued without deciding on them.
func (c *Conversation) denyPending(ctx context.Context) ([]engine.Event, error) {
	requests, err := c.dispatched()
	if err != nil || len(requests) == 0 {
		return nil, err
	}
	var decisions []Decision
	for _, p := range c.tools.describe(requests) {
		if !p.Unreadable {
			decisions = append(decisions, Deny(p.RequestID, p.Digest, undecided))
		}
	}
	matched, err := c.tools.match(requests, decisions)
	if err != nil {
		return nil, c.withID(err)
	}
	return c.settle(ctx, matched)
}

// settle carries out the decisions, records the results and returns their events.
func (c *Conversation) settle(ctx context.Context, matched []matchedDecision) ([]engine.Event, error) {
	if c.stored != nil {
		if err := c.recordDecisions(ctx, matched); err != nil {
			return nil, err
		}
	}
	iteration := &engine.Iteration{Dispatched: true, Results: c.tools.settle(ctx, matched)}
	if c.stored == nil {
		c.add(resultMessage(iteration))
	} else {
		c.settleHistory()
	}
	events := make([]engine.Event, 0, len(iteration.Results))
	for _, result := range iteration.Results {
		events = append(events, engine.Event{
			Kind: engine.EventToolDone, Time: time.Now(), RequestID: result.ID, Name: result.ToolName, Result: &result,
		})
	}
	return events, nil
}

// dispatched returns the requests that mode manual has dispatched and that are not settled.
func (c *Conversation) dispatched() ([]executor.Request, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	recorded := dispatched(c.history)
	requests := make([]executor.Request, len(recorded))
	for i, q := range recorded {
		if unmasked, ok := c.unmasked[q.RequestID]; ok {
			requests[i] = unmasked
			continue
		}
		arguments, err := readArguments(q.Arguments, q.JSONArguments)
		if err != nil {
			return nil, c.withID(&executor.DecisionError{
				RequestID: q.RequestID,
				Reason:    "has arguments that cannot be read: " + err.Error(),
			})
		}
		r := &requests[i]
		r.ID, r.ResultID, r.CallID, r.Masked, r.Err = q.RequestID, q.ResultID, q.CallID, q.Masked, q.Err
		r.ToolRequest = protocol.ToolRequest{ToolName: q.ToolName, Command: q.Command, Arguments: arguments}
	}
	return requests, nil
}
