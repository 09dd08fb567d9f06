package engine

import (
	"errors"
	"slices"
	"strconv"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// askModel finds out what is particular about the model of a run: its profile, and how it calls
// tools, and so how it is shown the conversation.
func (r *run) askModel(msgs []protocol.Message) (err error) {
	set, err := r.session.engine.settingsFor(r.ctx)
	if err != nil {
		return err
	}
	r.settings = set
	if model, ok := r.session.engine.options.Model.(NativeModel); ok && r.settings.config.Enabled {
		if r.native, err = model.Native(r.ctx); err != nil {
			return err
		}
	}
	r.session.Remember(msgs...)
	r.conversation.start(r.session.engine, r.settings.gate(r.native), msgs, r.settings.config.HistoryTokens)
	return nil
}

// native takes the native calls of a delta.
func (d *reader) native(delta *Delta) {
	if part := delta.CallPart; part != nil && d.size.part(part) {
		id := d.requestID(callOrdinal(part.Index))
		if part.Name != "" {
			d.run.emit(Event{Kind: EventRequestStarted, RequestID: id, Name: part.Name})
		}
		if part.Arguments != "" {
			d.run.emit(Event{Kind: EventArgumentDelta, RequestID: id, Text: part.Arguments})
		}
	}
	if delta.Call != nil && d.size.call(delta.Call) {
		d.calls = append(d.calls, *delta.Call)
	}
}

// callOrdinal returns the counterpart of the ordinal that the parser gives to a request in text.
func callOrdinal(index int) string { return "c" + strconv.Itoa(index+1) }

// withNative adds the native calls of a reply to its requests in text, and returns the calls too. A
// request in text that repeats a native call is omitted: models that write a call in both forms
// mean it once.
func (r *run) withNative(d *reader, inText []executor.Request) ([]executor.Request, []protocol.ToolCall) {
	if len(d.calls) == 0 {
		return inText, nil
	}
	var calls []executor.Request
	seen := make(map[string]bool, len(d.calls))
	for i := range d.calls {
		call := &d.calls[i]
		// Two calls with one id would share a result.
		if call.ID = text.Valid(call.ID); call.ID == "" || seen[call.ID] {
			call.ID = shortID(r.session.requestID(d.number, callOrdinal(i)))
		}
		seen[call.ID] = true
		req := executor.Request{ID: r.session.requestID(d.number, callOrdinal(i)), CallID: call.ID}
		req.ReadID = shortID(req.ID)
		req.RequestID = req.ReadID
		status := parser.StatusReady
		var err error
		if req.ToolRequest, err = call.Request(); err != nil {
			bad := &scan.RequestError{Code: scan.CodeBadArguments, Message: err.Error()}
			errors.As(err, &bad)
			req.Err = r.settings.inLanguage(bad)
		}
		switch {
		case !d.finish.Complete():
			status, req.Err = parser.StatusIncomplete, errTruncated(r.settings.language())
		case req.Err != nil:
			status = parser.StatusInvalid
		}
		calls = append(calls, req)
		r.emit(Event{Kind: EventRequestDone, RequestID: req.ID, Request: &parser.Request{
			ID: callOrdinal(i), ToolRequest: req.ToolRequest, RawBlock: call.Arguments, Status: status, Err: req.Err,
		}})
	}
	return append(r.withoutDuplicates(inText, calls), calls...), d.calls
}

// withoutDuplicates returns the requests in text that no native call repeats.
func (r *run) withoutDuplicates(inText, calls []executor.Request) []executor.Request {
	if len(inText) == 0 {
		return nil
	}
	called := make(map[executor.Digest]bool, len(calls))
	describe := func(req executor.Request) executor.PendingCall {
		return r.settings.executor.Pending(&r.session.conversation, req)
	}
	for _, c := range calls {
		called[describe(c).Digest] = true
	}
	return slices.DeleteFunc(inText, func(req executor.Request) bool { return called[describe(req).Digest] })
}
