package chat

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
)

// Decision settles one request that mode manual has dispatched. Approve, Supply and Deny make one.
type Decision struct {
	requestID string
	kind      decisionKind
	text      string
}

type decisionKind uint8

const (
	approve decisionKind = iota + 1
	supply
	deny
)

// Approve lets the engine run the request as it would in mode auto.
func Approve(requestID string) Decision { return Decision{requestID: requestID, kind: approve} }

// Supply gives the request a result that the application found itself: text for the model.
func Supply(requestID, text string) Decision {
	return Decision{requestID: requestID, kind: supply, text: text}
}

// Deny refuses the request. The model reads the reason, which may be "".
func Deny(requestID, reason string) Decision {
	return Decision{requestID: requestID, kind: deny, text: reason}
}

// undecided is what the model reads about requests that nobody decided on.
const undecided = "The user went on without answering this request."

// Resolve settles all requests that wait, and lets the model continue, as Send does. Each request
// of Pending needs one decision, except those that could not be read: the model is only told what
// was wrong with them. Each outcome is yielded as an EventToolDone of iteration 0, in the order of
// the requests.
//
// A turn that cannot begin yields ErrBusy, ErrNothingPending or a *DecisionError.
func (c *Conversation) Resolve(ctx context.Context, decisions ...Decision) iter.Seq2[engine.Event, error] {
	decisions = slices.Clone(decisions)
	return c.turn(ctx, func(ctx context.Context) ([]engine.Event, error) {
		pending := c.Pending()
		if len(pending) == 0 {
			return nil, c.refuse(ErrNothingPending)
		}
		byID, err := matchDecisions(pending, decisions)
		if err != nil {
			return nil, c.refuse(err)
		}
		return c.settle(ctx, pending, byID)
	})
}

// matchDecisions returns the decision on each request, by its id.
func matchDecisions(pending []ToolCallRequest, decisions []Decision) (map[string]Decision, error) {
	waits := make(map[string]bool, len(pending))
	for i := range pending {
		waits[pending[i].RequestID] = true
	}
	byID := make(map[string]Decision, len(pending))
	for _, d := range decisions {
		_, twice := byID[d.requestID]
		switch {
		case d.kind == 0:
			return nil, &DecisionError{d.requestID, "has an empty Decision; make it with Approve, Supply or Deny"}
		case !waits[d.requestID]:
			return nil, &DecisionError{d.requestID, "does not wait for a decision; Pending lists those that do"}
		case twice:
			return nil, &DecisionError{d.requestID, "has two decisions; give one"}
		}
		byID[d.requestID] = d
	}
	for _, q := range pending {
		if _, ok := byID[q.RequestID]; ok {
			continue
		}
		if q.Err == nil {
			return nil, &DecisionError{q.RequestID, "has no decision; give one with Approve, Supply or Deny"}
		}
		byID[q.RequestID] = Approve(q.RequestID) // the engine refuses it and says why
	}
	return byID, nil
}

// denyPending settles the requests that wait if nobody decides on them.
func (c *Conversation) denyPending(ctx context.Context) ([]engine.Event, error) {
	pending := c.Pending()
	if len(pending) == 0 {
		return nil, nil
	}
	byID := make(map[string]Decision, len(pending))
	for _, q := range pending {
		if byID[q.RequestID] = Deny(q.RequestID, undecided); q.Err != nil {
			byID[q.RequestID] = Approve(q.RequestID)
		}
	}
	return c.settle(ctx, pending, byID)
}

// settle carries out the decisions, records the results and returns their events.
func (c *Conversation) settle(ctx context.Context, pending []ToolCallRequest, byID map[string]Decision) ([]engine.Event, error) {
	turn, err := dispatchedTurn(pending)
	if err != nil {
		return nil, c.refuse(err)
	}
	var approved []int
	requests := turn.Requests[:0:0]
	turn.Results = slices.Grow(turn.Results, len(pending))[:len(pending)]
	for i, req := range turn.Requests {
		switch d := byID[req.ID]; d.kind {
		case supply:
			turn.Results[i] = req.Result(d.text)
		case deny:
			turn.Results[i] = req.Deny(d.text)
		default:
			approved, requests = append(approved, i), append(requests, req)
		}
	}
	for i, result := range c.tools.session.Execute(ctx, requests) {
		turn.Results[approved[i]] = result
	}
	c.add(recordResults(turn))
	events := make([]engine.Event, 0, len(pending))
	for _, result := range turn.Results {
		events = append(events, engine.Event{
			Kind: engine.EventToolDone, Time: time.Now(), RequestID: result.ID, Name: result.ToolName, Result: &result,
		})
	}
	return events, nil
}

// dispatchedTurn rebuilds the turn that dispatched the requests, as far as settling needs it.
func dispatchedTurn(pending []ToolCallRequest) (*engine.Turn, error) {
	turn := &engine.Turn{Dispatched: true}
	turn.Requests = slices.Grow(turn.Requests, len(pending))[:len(pending)]
	for i, q := range pending {
		arguments, err := readArguments(q.Arguments, q.JSONArguments)
		if err != nil {
			return nil, &DecisionError{q.RequestID, "has arguments that cannot be read: " + err.Error()}
		}
		r := &turn.Requests[i]
		r.ID, r.RequestID, r.CallID, r.Err = q.RequestID, q.ResultID, q.CallID, q.Err
		r.ToolRequest = protocol.ToolRequest{ToolName: q.ToolName, Command: q.Command, Arguments: arguments}
	}
	return turn, nil
}
