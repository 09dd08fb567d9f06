package engine

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// chooseCalls settles for a run how the model calls tools. A model that calls in text is shown native calls of the past in text too.
func (r *run) chooseCalls() (err error) {
	if model, ok := r.session.engine.options.Model.(NativeModel); ok && r.settings.config.Enabled {
		if r.native, err = model.Native(r.ctx); err != nil {
			return err
		}
	}
	if !r.native {
		r.conversation.messages = inText(r.settings.protocol, r.conversation.messages)
	}
	return nil
}

// native takes what a delta tells of native calls.
func (d *reader) native(delta *Delta) {
	if part := delta.CallPart; part != nil {
		id := d.requestID(callOrdinal(part.Index))
		if part.Name != "" {
			d.run.emit(Event{Kind: EventRequestStarted, RequestID: id, Name: part.Name})
		}
		if part.Arguments != "" {
			d.run.emit(Event{Kind: EventArgumentDelta, RequestID: id, Text: part.Arguments})
		}
	}
	if delta.Call != nil && !d.finished {
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
	for i, call := range d.calls {
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
	return append(r.withoutTwins(text, calls), calls...), d.calls
}

// withoutTwins returns the requests in text that no native call asks for as well.
func (r *run) withoutTwins(text, calls []executor.Request) []executor.Request {
	if len(text) == 0 {
		return nil
	}
	asked := make(map[executor.Digest]bool, len(calls))
	digest := func(req executor.Request) (executor.Digest, bool) {
		return r.settings.executor.Digest(scope{r.session}, req)
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

// resultMessages tells the model of results: of each native call by itself, of all requests in text together.
func resultMessages(p protocol.Protocol, results []executor.Result) (native []protocol.Message, text *protocol.Message) {
	others := make([]protocol.ToolResult, 0, len(results))
	for i := range results {
		if results[i].CallID == "" {
			others = append(others, results[i].ToolResult)
			continue
		}
		native = append(native, protocol.Message{
			Role: protocol.RoleTool, ToolCallID: results[i].CallID, Content: nativeResult(p, &results[i].ToolResult),
			Failed: results[i].Status == protocol.StatusError,
		})
	}
	if len(others) > 0 {
		text = &protocol.Message{Role: protocol.RoleUser, Content: p.FormatToolResults(others)}
	}
	return native, text
}

// nativeResult is what a model is told of one native call. It may repeat foreign text in its reply, so that must hold no request.
func nativeResult(p protocol.Protocol, r *protocol.ToolResult) string {
	neutraliser, ok := p.(protocol.Neutraliser)
	if !ok {
		return p.FormatToolResults([]protocol.ToolResult{*r})
	}
	text := r.Result
	if r.Status == protocol.StatusError {
		text = joinLines("Error ("+r.ErrorType+"): "+r.Result, r.Suggestion)
	}
	return neutraliser.Neutralise(text)
}

// inText returns messages with native calls and their results as the protocol writes them. Adjacent results become one message.
func inText(p protocol.Protocol, messages []protocol.Message) []protocol.Message {
	native := func(m protocol.Message) bool { return m.Role == protocol.RoleTool || len(m.ToolCalls) > 0 }
	if !slices.ContainsFunc(messages, native) {
		return messages
	}
	var list []protocol.Message
	names := map[string]string{} // of methods, by the ids of calls
	for i := 0; i < len(messages); i++ {
		m := messages[i]
		if m.Role != protocol.RoleTool {
			for _, c := range m.ToolCalls {
				names[c.ID] = c.Name
				m.Content = joinParagraphs(m.Content, callInText(p, c))
			}
			m.ToolCalls = nil
			list = append(list, m)
			continue
		}
		var results []protocol.ToolResult
		outcome := protocol.Message{Role: protocol.RoleUser}
		for ; i < len(messages) && messages[i].Role == protocol.RoleTool; i++ {
			results = append(results, resultInText(&messages[i], names))
			for _, image := range messages[i].Images {
				image.At = 0
				outcome.Images = append(outcome.Images, image)
			}
		}
		i--
		outcome.Content = p.FormatToolResults(results)
		list = append(list, outcome)
	}
	return list
}

// callInText writes a native call as a request. What no request can hold is written as what it is.
func callInText(p protocol.Protocol, c protocol.ToolCall) string {
	req, err := c.Request()
	if err == nil {
		req.Label = c.ID
		for i := range req.Arguments {
			// In text a string is written as it is.
			if a := &req.Arguments[i]; json.Unmarshal([]byte(a.Value), &a.Value) == nil {
				a.Form = protocol.FormPlain
			}
		}
		var text string
		if text, err = p.FormatToolRequests([]protocol.ToolRequest{req}); err == nil {
			return text
		}
	}
	return "[" + c.Name + " " + c.Arguments + "]"
}

func resultInText(m *protocol.Message, names map[string]string) protocol.ToolResult {
	r := protocol.ToolResult{RequestID: m.ToolCallID, ToolName: names[m.ToolCallID], Status: protocol.StatusSuccess, Result: m.Content}
	if m.Failed {
		r.Status, r.ErrorType = protocol.StatusError, executor.ErrorExecutionFailed
	}
	return r
}
