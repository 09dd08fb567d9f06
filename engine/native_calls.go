package engine

import (
	"errors"
	"slices"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol/scan"
)

// addNative adds the native calls of a reply to iteration.Requests, after the requests in text. A
// request in text that repeats a native call is removed: a model that writes a call in both forms
// means one call.
func (r *reader) addNative(iteration *Iteration) {
	if len(r.calls) == 0 {
		return
	}
	base := r.base
	var calls []executor.Request
	seen := make(map[string]bool, len(r.calls))
	for i := range r.calls {
		call := &r.calls[i]
		id := r.requestID(callOrdinal(i))
		// Two calls with one id would share a result.
		if call.ID = text.Valid(call.ID); call.ID == "" || seen[call.ID] {
			call.ID = shortID(id)
		}
		for seen[call.ID] { // an earlier call of the reply came with this id
			call.ID += "x"
		}
		seen[call.ID] = true
		req := executor.Request{ID: id, CallID: call.ID, ReadID: shortID(id), ResultID: shortID(id)}
		status := parser.StatusReady
		var err error
		if req.ToolRequest, err = call.Request(); err != nil {
			bad := &scan.RequestError{Code: scan.CodeBadArguments, Message: err.Error()}
			errors.As(err, &bad)
			req.Err = base.settings.inLanguage(bad)
		}
		switch {
		case !r.finish.Complete():
			status, req.Err = parser.StatusIncomplete, errTruncated(base.settings.language())
		case req.Err != nil:
			status = parser.StatusInvalid
		}
		calls = append(calls, req)
		base.emit(Event{Kind: EventRequestDone, RequestID: req.ID, Request: &parser.Request{
			ID: callOrdinal(i), ToolRequest: req.ToolRequest, RawBlock: call.Arguments, Status: status, Err: req.Err,
		}})
	}
	iteration.calls = r.calls
	iteration.Requests = append(base.withoutDuplicates(iteration.Requests, calls), calls...)
}

// withoutDuplicates returns the requests in text that none of calls repeats.
func (r *runBase) withoutDuplicates(inText, calls []executor.Request) []executor.Request {
	if len(inText) == 0 {
		return nil
	}
	called := make(map[executor.Digest]bool, len(calls))
	for _, c := range calls {
		called[r.session.Describe(c).Digest] = true
	}
	return slices.DeleteFunc(inText, func(req executor.Request) bool { return called[r.session.Describe(req).Digest] })
}
