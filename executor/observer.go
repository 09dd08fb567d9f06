package executor

import (
	"bytes"
	"encoding/json"

	"github.com/vcpgo/vcp/tool"
)

// Observer receives events while Execute runs. Its functions run on the goroutine that called
// Execute, so never concurrently. They may be nil. They may keep and change the JSON of the calls,
// questions and decisions that they receive, except Start.Arguments and the result of Done.
type Observer struct {
	// Commit lets the application record an effect before the effect happens. It is called with the
	// calls that are about to start, or with the question that is about to be asked. Calls that can
	// start together are in one Commit. Before Execute waits, it is also called with no calls and a
	// nil question, so that the application can store what it has recorded. After an error nothing
	// more starts and nobody is asked: calls that have not started are canceled.
	Commit func(starting []Start, asking *Question) error
	// Asked is called before each question to the Approver.
	Asked func(req Request, q Question)
	// Answered is called with the decision about a question, before it has an effect. It is not
	// called if there is no decision, for example after a timeout.
	Answered func(req Request, q Question, d Decision)
	// Started is called before a tool runs, and not for a request that was refused before. The last
	// check comes after Started, so a call that has started may still be refused or canceled.
	Started func(req Request, method *tool.Entry, arguments json.RawMessage)
	// Dispatched is called after Started for a host-run call. From then on the application can call
	// Conversation.Complete.
	Dispatched func(req Request, method *tool.Entry, arguments json.RawMessage)
	// Progress is called with what a running tool reports, at most 64 KiB of each text. Updates are
	// dropped while 1 MiB of updates wait for Progress.
	Progress func(id, text string)
	// Done is called once for each request, when its result is settled. With parallel execution
	// that need not be in request order. The result is the one that Execute returns, and does not
	// change any more.
	Done func(*Result)
}

// Start is a call that is about to start.
type Start struct {
	Request Request
	Method  *tool.Entry
	// Arguments are those that the method runs with. They must not be changed.
	Arguments json.RawMessage
}

// Digest identifies the call.
func (s *Start) Digest() Digest { return digestOf(s.Method.FullName, s.Arguments) }

func (o *Observer) commit(starting []Start, asking *Question) error {
	if o.Commit == nil {
		return nil
	}
	if asking != nil {
		own := *asking
		own.Arguments = bytes.Clone(asking.Arguments)
		asking = &own
	}
	return o.Commit(starting, asking)
}

func (o *Observer) answered(req Request, q Question, d Decision) {
	if o.Answered != nil {
		d.Arguments = bytes.Clone(d.Arguments)
		o.Answered(req, q, d)
	}
}

func (o *Observer) asked(req Request, q Question) {
	if o.Asked != nil {
		q.Arguments = bytes.Clone(q.Arguments)
		o.Asked(req, q)
	}
}

func (o *Observer) started(req Request, method *tool.Entry, arguments json.RawMessage) {
	if o.Started != nil {
		o.Started(req, method, bytes.Clone(arguments))
	}
}

func (o *Observer) dispatched(req Request, method *tool.Entry, arguments json.RawMessage) {
	if o.Dispatched != nil {
		o.Dispatched(req, method, bytes.Clone(arguments))
	}
}

func (o *Observer) progress(id, text string) {
	if o.Progress != nil {
		o.Progress(id, text)
	}
}

func (o *Observer) done(r *Result) {
	if o.Done != nil {
		o.Done(r)
	}
}
