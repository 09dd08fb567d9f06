package engine

import (
	"fmt"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/parser"
)

// EntryError is the error for an entry that no journal of this engine contains, by itself or at its
// place.
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
		EntryUser: e.User != nil, EntryReply: e.Reply != nil, EntryApprovalAsked: e.Asked != nil, EntryApprovalAnswered: e.Answered != nil,
		EntryCallStarted: e.Call != nil, EntryResult: e.Result != nil, EntryNote: e.Note != nil, EntryEnd: e.End != nil,
	}
	switch complete, known := has[e.Kind]; {
	case !known:
		return &EntryError{e.Kind, "is not known to this version"}
	case !complete:
		return &EntryError{e.Kind, "lacks its content"}
	}
	return nil
}

// ReadIteration returns the iteration that entries describe: an EntryReply and all entries after
// it, up to the next EntryReply, EntryUser or EntryEnd. The error is an *EntryError.
//
// complete is false if a run was interrupted before each request had its result. Then each missing
// result is replaced by one that says what is known: a call that had started may have had its
// effect or not, and any other call did not run. Requests that the engine does not run, such as
// dispatched ones, lack no result.
//
// The iteration has no Number and no Duration, and its Reply has only Text and Finish. All else is
// as Run reports it. Secrets stay masked.
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
	requests  []requestRecord // as reply.Requests
	note      *RecordedNote
	complete  bool
}

// requestRecord is what the last entry of each kind says about one request; nil means that there is
// no such entry.
type requestRecord struct {
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
	byID := map[string]*requestRecord{}
	for i := range entries {
		e := &entries[i]
		if err := e.Check(); err != nil {
			return nil, err
		}
		record := byID[e.RequestID]
		if record == nil {
			record = &requestRecord{} // entries about a request that the reply does not have are ignored
		}
		switch e.Kind {
		case EntryReply:
			if i > 0 {
				return nil, &EntryError{e.Kind, "is the second of one iteration"}
			}
			r.reply = e.Reply
			r.requests = make([]requestRecord, len(e.Reply.Requests))
			for i := range e.Reply.Requests {
				id := e.Reply.Requests[i].ID
				if byID[id] != nil {
					return nil, &EntryError{e.Kind, "has two requests with one ID"}
				}
				byID[id] = &r.requests[i]
			}
		case EntryApprovalAsked: // an answer before this question does not count
			record.asked, record.answered = e.Asked, nil
		case EntryApprovalAnswered:
			record.answered = e.Answered
		case EntryCallStarted:
			record.call = e.Call
		case EntryResult:
			record.result = e.Result
		case EntryNote:
			r.note = e.Note
		default:
			return nil, &EntryError{e.Kind, "is not a part of an iteration"}
		}
	}
	r.makeIteration()
	r.iteration.Started = entries[0].Time
	return r, nil
}

// makeIteration makes the iteration from what the journal says of the reply.
func (r *recordedIteration) makeIteration() {
	reply := r.reply
	it := &Iteration{
		Raw: reply.Message.Content, Reasoning: reply.Reasoning, Usage: reply.Usage, Continued: reply.Continued, Dispatched: reply.Dispatched,
		Assistant: reply.Message, calls: reply.Message.ToolCalls, requested: reply.Requested,
		runs: len(reply.Requests) > 0 && !reply.Dispatched && !reply.NotRun,
	}
	text := it.Raw
	if reply.Raw != nil {
		it.Raw = *reply.Raw
	}
	if reply.Text != nil {
		text = *reply.Text
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
	case reply.NotRun, reply.Dispatched && !r.settled():
		r.complete = true
	default:
		r.complete = results == len(reply.Requests)
		it.setResults(r.results())
	}
	if r.note != nil {
		it.addNote(r.note.Content, r.note.Examples)
	}
}

// settled reports whether the journal has an entry about any of the requests.
func (r *recordedIteration) settled() bool {
	for _, record := range r.requests {
		if record != (requestRecord{}) {
			return true
		}
	}
	return false
}

// results returns a result for each request. A missing result is replaced by one that says that the
// call was canceled, or that it is unknown whether the call ran.
func (r *recordedIteration) results() []executor.Result {
	list := make([]executor.Result, len(r.requests))
	for i, record := range r.requests {
		switch req := r.iteration.Requests[i]; {
		case record.result != nil:
			list[i] = *record.result
		case record.call != nil:
			list[i] = req.Unknown(record.call.Method, record.call.Arguments, record.call.Digest)
		default:
			list[i] = req.Canceled()
		}
	}
	return list
}

// isFinal reports whether the turn ends with this reply: it has no requests to run, and the engine
// wrote no note about it.
func (r *recordedIteration) isFinal() bool {
	return r.note == nil && (len(r.iteration.Requests) == 0 || r.reply.NotRun)
}

// waits reports whether the application has to settle the requests.
func (r *recordedIteration) waits() bool { return r.iteration.Dispatched && r.iteration.Results == nil }
