package chat

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
)

// Answer settles one request that mode manual has handed out. It is made by Approve, Supply or Deny.
type Answer struct {
	requestID string
	kind      answerKind
	text      string
}

type answerKind uint8

const (
	answerApproved answerKind = iota + 1
	answerSupplied
	answerDenied
)

// Approve has the engine run the request as it would in mode auto.
func Approve(requestID string) Answer { return Answer{requestID: requestID, kind: answerApproved} }

// Supply answers with what the application itself found out: text for the model.
func Supply(requestID, text string) Answer {
	return Answer{requestID: requestID, kind: answerSupplied, text: text}
}

// Deny refuses the request. The model reads the reason, which may be "".
func Deny(requestID, reason string) Answer {
	return Answer{requestID: requestID, kind: answerDenied, text: reason}
}

// wentOn is what the model reads of requests that nobody answered.
const wentOn = "The user went on without answering this request."

// Answer settles all requests that wait, and has the model go on, as Send does. Each of Pending needs one answer; those that could
// not be read need none, since the model is only told what was wrong with them. Each outcome is told as an EventToolDone of
// iteration 0, in request order.
//
// A turn that cannot begin gives ErrBusy, ErrNothingPending or an *AnswerError.
func (c *Conversation) Answer(ctx context.Context, answers ...Answer) iter.Seq2[engine.Event, error] {
	answers = slices.Clone(answers)
	return c.turn(ctx, func(ctx context.Context) ([]engine.Event, error) {
		pending := c.Pending()
		if len(pending) == 0 {
			return nil, c.refuse(ErrNothingPending)
		}
		byID, err := matchAnswers(pending, answers)
		if err != nil {
			return nil, c.refuse(err)
		}
		return c.settle(ctx, pending, byID)
	})
}

// matchAnswers returns the answer to each request by its id.
func matchAnswers(pending []ToolCallRequest, answers []Answer) (map[string]Answer, error) {
	waiting := make(map[string]bool, len(pending))
	for i := range pending {
		waiting[pending[i].RequestID] = true
	}
	byID := make(map[string]Answer, len(pending))
	for _, a := range answers {
		_, twice := byID[a.requestID]
		switch {
		case a.kind == 0:
			return nil, &AnswerError{RequestID: a.requestID, Reason: "has an empty Answer; make it with Approve, Supply or Deny"}
		case !waiting[a.requestID]:
			return nil, &AnswerError{RequestID: a.requestID, Reason: "does not wait for an answer; Pending lists those that do"}
		case twice:
			return nil, &AnswerError{RequestID: a.requestID, Reason: "has two answers; give one"}
		}
		byID[a.requestID] = a
	}
	for _, q := range pending {
		if _, ok := byID[q.RequestID]; ok {
			continue
		}
		if q.Err == nil {
			return nil, &AnswerError{RequestID: q.RequestID, Reason: "has no answer; give one with Approve, Supply or Deny"}
		}
		byID[q.RequestID] = Approve(q.RequestID) // the engine refuses it and says why
	}
	return byID, nil
}

// denyPending settles what waits where nobody answers it.
func (c *Conversation) denyPending(ctx context.Context) ([]engine.Event, error) {
	pending := c.Pending()
	if len(pending) == 0 {
		return nil, nil
	}
	byID := make(map[string]Answer, len(pending))
	for _, q := range pending {
		if byID[q.RequestID] = Deny(q.RequestID, wentOn); q.Err != nil {
			byID[q.RequestID] = Approve(q.RequestID)
		}
	}
	return c.settle(ctx, pending, byID)
}

// settle carries the answers out, records the results and returns what is to be told of them.
func (c *Conversation) settle(ctx context.Context, pending []ToolCallRequest, byID map[string]Answer) ([]engine.Event, error) {
	turn, err := handedOutTurn(pending)
	if err != nil {
		return nil, c.refuse(err)
	}
	var run []int
	approved := turn.Requests[:0:0]
	turn.Results = slices.Grow(turn.Results, len(pending))[:len(pending)]
	for i, req := range turn.Requests {
		switch a := byID[req.ID]; a.kind {
		case answerSupplied:
			turn.Results[i] = req.Result(a.text)
		case answerDenied:
			turn.Results[i] = req.Deny(a.text)
		default:
			run, approved = append(run, i), append(approved, req)
		}
	}
	for i, result := range c.tools.session.Execute(ctx, approved) {
		turn.Results[run[i]] = result
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

// handedOutTurn rebuilds the turn that handed the requests out, as far as answering them needs it.
func handedOutTurn(pending []ToolCallRequest) (*engine.Turn, error) {
	turn := &engine.Turn{HandedOut: true}
	turn.Requests = slices.Grow(turn.Requests, len(pending))[:len(pending)]
	for i, q := range pending {
		arguments, err := readArguments(q.Arguments, q.JSONArguments)
		if err != nil {
			return nil, &AnswerError{RequestID: q.RequestID, Reason: "has arguments that cannot be read: " + err.Error()}
		}
		r := &turn.Requests[i]
		r.ID, r.RequestID, r.CallID, r.Err = q.RequestID, q.ResultID, q.CallID, q.Err
		r.ToolRequest = protocol.ToolRequest{ToolName: q.ToolName, Command: q.Command, Arguments: arguments}
	}
	return turn, nil
}
