package terminal

import (
	"encoding/json"
	"time"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// The functions in this file return events.

func textEvent(s string) engine.Event { return engine.Event{Kind: engine.EventText, Text: s} }

func started(id, name, arguments string) engine.Event {
	method := &tool.Entry{FullName: name, Method: &tool.Method{SecretParameters: []string{"token"}}}
	return engine.Event{
		Kind: engine.EventToolStarted, RequestID: id, Name: name, Method: method, Arguments: json.RawMessage(arguments),
	}
}

func done(id, name, result string) engine.Event {
	r := executor.Result{ID: id, Duration: 1500 * time.Microsecond}
	r.ToolName, r.Status, r.ToolResult.Result = name, protocol.StatusSuccess, result
	return engine.Event{Kind: engine.EventToolDone, RequestID: id, Name: name, Result: &r}
}

func progress(id, text string) engine.Event {
	return engine.Event{Kind: engine.EventToolProgress, RequestID: id, Text: text}
}

// doneWith returns the end of a call with details and files.
func doneWith(details any, files ...tool.File) engine.Event {
	e := done("1", "a", "A")
	e.Result.Details, e.Result.Files = details, files
	return e
}

// requested returns the event for a request with the argument "to".
func requested(id, name, to string) engine.Event {
	r := &parser.Request{ToolRequest: protocol.ToolRequest{
		ToolName: name, Arguments: []protocol.Argument{{Name: "to", Value: to}},
	}}
	return engine.Event{Kind: engine.EventRequestDone, RequestID: id, Request: r}
}

// endOfReply is the event after a reply and the results of its requests.
var endOfReply = engine.Event{Kind: engine.EventIterationDone}

func noticed(text string) engine.Event {
	return engine.Event{Kind: engine.EventNotice, Notice: &parser.Notice{Message: text}}
}

// unread returns the notice that a request could not be read.
func unread(text string) engine.Event {
	notice := &parser.Notice{Code: parser.NoticeMalformedRequest, Message: text}
	return engine.Event{Kind: engine.EventNotice, Notice: notice}
}

// excerpted returns the end of a call with a long result. The model reads an excerpt of the result.
func excerpted() engine.Event {
	e := done("1", "a", "one\n[Omitted here: 9 lines.]\nten")
	e.Result.RawBytes, e.Result.Excerpted = 32_000, true
	return e
}

// summarized returns the end of a call with a long result. The model reads a summary of the result.
func summarized() engine.Event {
	e := excerpted()
	e.Result.Excerpted, e.Result.Summarized = false, true
	return e
}

func failed(id, name, kind, message string) engine.Event {
	e := done(id, name, message)
	e.Result.Status, e.Result.ErrorType, e.Result.Duration = protocol.StatusError, kind, 0
	return e
}
