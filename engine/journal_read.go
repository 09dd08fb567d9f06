package engine

import (
	"fmt"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/parser"
)

// EntryError reports a journal entry that is invalid or in a wrong place.
type EntryError struct {
	Kind   EntryKind
	Reason string
}

// Error names the kind of the entry.
func (e *EntryError) Error() string {
	return fmt.Sprintf("engine: a journal entry of kind %q %s", string(e.Kind), e.Reason)
}

// Check returns an *EntryError if the entry lacks what its Kind requires.
func (e *Entry) Check() error {
	has := map[EntryKind]bool{
		EntryUser: e.User != nil, EntryReply: e.Reply != nil,
		EntryApprovalAsked: e.Asked != nil, EntryApprovalAnswered: e.Answered != nil,
		EntryCallStarted: e.Call != nil, EntryResult: e.Result != nil,
		EntryNote: e.Note != nil, EntryEnd: e.End != nil,
	}
	switch complete, known := has[e.Kind]; {
	case !known:
		return &EntryError{e.Kind, "is not known to this version"}
	case !complete:
		return &EntryError{e.Kind, "lacks its content"}
	}
	return nil
}

// ReadIteration returns the iteration that entries record: an EntryReply, and the entries about its
// requests that follow in the journal, up to the next EntryReply, EntryUser or EntryEnd. The error
// is an *EntryError.
//
// complete is false if the run was interrupted before it had the results of all requests. Then the
// iteration has a substitute for each missing result. It says that the call did not run or, if the
// call had started, that it may have happened. An iteration is complete without the results of two
// kinds of requests: those that do not run (RecordedReply.NotRun), and dispatched ones as long as
// the application has supplied no result or decision.
//
// The iteration lacks Number and Duration, and its Reply has only Text and Finish. Started is when
// the reply was recorded. Requests and Results are as they were recorded, with secrets masked. All
// other fields are as Run reports them.
func ReadIteration(entries []Entry) (iteration *Iteration, complete bool, err error) {
	r, err := readIteration(entries)
	if err != nil {
		return nil, false, err
	}
	return r.iteration, r.complete, nil
}

// recordedIteration is an iteration as the journal contains it.
type recordedIteration struct {
	iteration *Iteration
	reply     *RecordedReply
	requests  []recordedSteps // for each request of the reply
	note      *RecordedNote
	nested    int // number of calls that the requests made with CallWithin
	complete  bool
}

// recordedSteps contains, for one request, the content of the last entry of each kind; nil if the
// journal has none. If asked is set, answered is the answer to that question, or nil.
type recordedSteps struct {
	asked    *executor.PendingCall
	answered *RecordedAnswer
	call     *RecordedCall
	result   *executor.Result
}

func readIteration(entries []Entry) (*recordedIteration, error) {
	if len(entries) == 0 || entries[0].Kind != EntryReply {
		return nil, &EntryError{EntryReply, "is missing: an iteration begins with it"}
	}
	r := &recordedIteration{}
	byID := map[string]*recordedSteps{}
	nested := map[string]bool{"": true} // IDs of calls of the requests, and "" of entries without an ID
	for i := range entries {
		e := &entries[i]
		if err := e.Check(); err != nil {
			return nil, err
		}
		steps := byID[e.RequestID]
		if steps == nil {
			steps = &recordedSteps{} // ignored: the reply has no request with this ID
			nested[e.RequestID] = true
		}
		switch e.Kind {
		case EntryReply:
			if i > 0 {
				return nil, &EntryError{e.Kind, "is the second of one iteration"}
			}
			r.reply = e.Reply
			r.requests = make([]recordedSteps, len(e.Reply.Requests))
			for i := range e.Reply.Requests {
				id := e.Reply.Requests[i].ID
				if byID[id] != nil {
					return nil, &EntryError{e.Kind, "has two requests with one ID"}
				}
				byID[id] = &r.requests[i]
			}
		case EntryApprovalAsked: // an earlier answer does not count for a new question
			steps.asked, steps.answered = e.Asked, nil
		case EntryApprovalAnswered:
			steps.answered = e.Answered
		case EntryCallStarted:
			steps.call = e.Call
		case EntryResult:
			steps.result = e.Result
		case EntryNote:
			r.note = e.Note
		default:
			return nil, &EntryError{e.Kind, "is not a part of an iteration"}
		}
	}
	r.nested = len(nested) - 1 // without ""
	r.makeIteration()
	r.iteration.Started = entries[0].Time
	return r, nil
}

// makeIteration sets r.iteration and r.complete from the recorded reply and steps.
func (r *recordedIteration) makeIteration() {
	reply := r.reply
	raw, text := reply.texts()
	it := &Iteration{
		Raw: raw, Reasoning: reply.Reasoning, Usage: reply.Usage, Continued: reply.Continued,
		Dispatched: reply.Dispatched, Assistant: reply.Message,
		calls: reply.Message.ToolCalls, requested: reply.Requested,
		runs: len(reply.Requests) > 0 && !reply.Dispatched && !reply.NotRun,
	}
	it.Reply.Finish = reply.Finish
	if text != "" {
		it.Reply.Text = parser.Text{text}
	}
	results := 0
	for i := range reply.Requests {
		req := reply.Requests[i].Request
		req.ReadID = shortID(req.ID)
		it.Requests = append(it.Requests, req)
		if r.requests[i].result != nil {
			results++
		}
	}
	r.iteration = it
	switch {
	case reply.NotRun, reply.Dispatched && !r.hasSteps():
		r.complete = true
	default:
		r.complete = results == len(reply.Requests)
		it.setResults(r.results())
	}
	if r.note != nil {
		it.addNote(r.note.Content, r.note.Examples)
	}
}

// hasSteps reports whether the journal has an entry about one of the requests.
func (r *recordedIteration) hasSteps() bool {
	for _, s := range r.requests {
		if s != (recordedSteps{}) {
			return true
		}
	}
	return false
}

// results returns a result for each request. If the journal has none, the result says that the call
// did not run, or that it is unknown whether it happened.
func (r *recordedIteration) results() []executor.Result {
	list := make([]executor.Result, len(r.requests))
	for i, s := range r.requests {
		switch req := r.iteration.Requests[i]; {
		case s.result != nil:
			list[i] = *s.result
		case s.call != nil:
			list[i] = req.Unknown(s.call.Method, s.call.Arguments, s.call.Digest)
		default:
			list[i] = req.Canceled()
		}
	}
	return list
}

// isFinal reports whether the run ends with this reply: no results and no note go back to the
// model.
func (r *recordedIteration) isFinal() bool {
	return r.note == nil && (len(r.iteration.Requests) == 0 || r.reply.NotRun)
}

// waits reports whether the requests were dispatched and the application has not supplied results.
func (r *recordedIteration) waits() bool { return r.iteration.Dispatched && r.iteration.Results == nil }
