package engine

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// chooseCalls settles for a run how the model calls tools, and so how the conversation is shown to
// it.
func (r *run) chooseCalls(msgs []protocol.Message) (err error) {
	if model, ok := r.session.engine.options.Model.(NativeModel); ok && r.settings.config.Enabled {
		if r.native, err = model.Native(r.ctx); err != nil {
			return err
		}
	}
	r.conversation.start(r.settings.gate(r.native), msgs, r.settings.config.HistoryTokens > 0)
	return nil
}

// native takes what a delta tells of native calls.
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

// callOrdinal is what stands for the ordinal that the parser gives to a request in text.
func callOrdinal(index int) string { return "c" + strconv.Itoa(index+1) }

// withNative adds the native calls of a reply to its requests in text, and returns the calls too. A request in text for what is called
// natively as well is left out: models that repeat a call in the other form mean it once.
func (r *run) withNative(d *reader, text []executor.Request) ([]executor.Request, []protocol.ToolCall) {
	if len(d.calls) == 0 {
		return text, nil
	}
	var calls []executor.Request
	seen := make(map[string]bool, len(d.calls))
	for i := range d.calls {
		call := &d.calls[i]
		if call.ID = strings.ToValidUTF8(call.ID, "\uFFFD"); call.ID == "" || seen[call.ID] { // its result could not be told from that of another
			call.ID = requestID(d.number, callOrdinal(i))
		}
		seen[call.ID] = true
		req := executor.Request{ID: requestID(d.number, callOrdinal(i)), CallID: call.ID}
		req.RequestID = req.ID
		status := protocol.StatusReady
		var err error
		if req.ToolRequest, err = call.Request(); err != nil && !errors.As(err, &req.Err) {
			req.Err = &protocol.RequestError{Code: protocol.CodeBadArguments, Message: err.Error()}
		}
		switch {
		case !d.finish.Complete():
			status, req.Err = protocol.StatusIncomplete, errTruncated()
		case req.Err != nil:
			status = protocol.StatusInvalid
		}
		calls = append(calls, req)
		r.emit(Event{Kind: EventRequestDone, RequestID: req.ID, Request: &parser.Request{
			ID: callOrdinal(i), ToolRequest: req.ToolRequest, RawBlock: call.Arguments, Status: status, Err: req.Err,
		}})
	}
	return append(r.withoutDuplicates(text, calls), calls...), d.calls
}

// withoutDuplicates returns the requests in text that no native call asks for as well.
func (r *run) withoutDuplicates(text, calls []executor.Request) []executor.Request {
	if len(text) == 0 {
		return nil
	}
	asked := make(map[executor.Digest]bool, len(calls))
	digest := func(req executor.Request) (executor.Digest, bool) {
		return r.settings.executor.Digest(&r.session.conversation, req)
	}
	for _, c := range calls {
		if d, ok := digest(c); ok {
			asked[d] = true
		}
	}
	return slices.DeleteFunc(text, func(req executor.Request) bool {
		d, ok := digest(req)
		return ok && asked[d]
	})
}

// resultMessages tells the model of results, as data: of each native call by itself, of all
// requests in text together.
func resultMessages(results []executor.Result) (native []protocol.Message, text *protocol.Message) {
	others := make([]protocol.ToolResult, 0, len(results))
	for i := range results {
		if results[i].CallID == "" {
			others = append(others, results[i].ToolResult)
			continue
		}
		native = append(native, protocol.Message{
			Role: protocol.RoleTool, Origin: protocol.OriginTool, ToolCallID: results[i].CallID, Content: nativeResult(&results[i].ToolResult),
			Failed: results[i].Status == protocol.StatusError,
		})
	}
	if len(others) > 0 {
		text = &protocol.Message{Role: protocol.RoleUser, Origin: protocol.OriginTool, Results: others}
	}
	return native, text
}

// nativeResult is what a model is told of one native call.
func nativeResult(r *protocol.ToolResult) string {
	if r.Status != protocol.StatusError {
		return r.Result
	}
	return joinLines("Error ("+r.ErrorType+"): "+r.Result, r.Suggestion)
}
