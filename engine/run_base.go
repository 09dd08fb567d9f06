package engine

import (
	"context"
	"encoding/json"
	"time"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/tool"
)

// runBase is what all parts of a run use: its session, its settings, its context and the receiver
// of its events. It stays on the goroutine that ranges over the run.
type runBase struct {
	session  *Session
	settings *settings // the settings at the start hold for the whole run
	ctx      context.Context
	cancel   context.CancelCauseFunc
	yield    func(Event, error) bool
	gone     bool // yield has returned false and must not be called again

	iterationNumber int
	native          bool           // the model calls tools by its API
	reading         parser.Options // how replies are read
}

// emit emits an event that happens now, unless the application no longer receives events.
func (r *runBase) emit(e Event) { r.emitAt(time.Now(), e) }

func (r *runBase) emitAt(at time.Time, e Event) {
	if r.gone {
		return
	}
	e.Time, e.IterationNumber = at, r.iterationNumber
	if !r.yield(e, nil) {
		r.gone = true
		r.cancel(nil)
	}
}

// observer returns an observer that emits the events of calls.
func (r *runBase) observer() executor.Observer {
	onCall := func(kind EventKind) func(executor.Request, *tool.Entry, json.RawMessage) {
		return func(req executor.Request, method *tool.Entry, arguments json.RawMessage) {
			r.emit(Event{Kind: kind, RequestID: req.ID, Name: method.FullName, Method: method, Arguments: arguments})
		}
	}
	return executor.Observer{
		Asked: func(req executor.Request, question executor.Question) {
			r.emit(Event{
				Kind: EventApprovalNeeded, RequestID: req.ID, Name: question.Method.FullName, Method: question.Method,
				Arguments: question.Arguments, Approval: &question,
			})
		},
		Started:    onCall(EventToolStarted),
		Dispatched: onCall(EventToolDispatched),
		Progress: func(id, text string) {
			r.emit(Event{Kind: EventToolProgress, RequestID: id, Text: text})
		},
		Done: func(result *executor.Result) {
			r.emit(Event{Kind: EventToolDone, RequestID: result.ID, Name: result.ToolName, Result: result})
		},
	}
}
