package chat

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/tool"
)

// Message is one message of a history: the text for the model and the text for people. All text in
// it is valid UTF-8. Results are kept as data. They become text, in the protocol in use, when the
// history is sent to the model.
type Message struct {
	Role protocol.Role `json:"role"`
	Time time.Time     `json:"time"` // when the message was recorded, in UTC
	// Seq is the number of the message's last entry in the store. Branch, Edit and Regenerate take
	// this number. If a result message follows a reply, the entries of the calls belong to the
	// result message. While a turn runs, the Seq of the newest message may still grow. Without a
	// store, Seq is 0.
	Seq int64 `json:"seq,omitempty"`
	// Imported marks a message that Import has read. Its text is foreign.
	Imported bool `json:"imported,omitempty"`
	// Content is the user's text. In an assistant message it is the model's text with its requests,
	// in the form that later prompts contain; "" means that they contain no text of the reply.
	// In a result message it is the engine's remarks in addition to the results. In a message that
	// is marked FromEngine it is all that the engine wrote.
	Content string `json:"content"`
	// Protocol is the id of the text protocol in which the Content of an assistant message is
	// written. "" means that Content contains no requests.
	Protocol string `json:"protocol,omitempty"`
	// NativeCalls are the calls of an assistant message that the model made with the tool calling
	// of its API. Only calls that are answered or dispatched are included.
	NativeCalls []protocol.ToolCall `json:"nativeCalls,omitempty"`
	// Text is what people see of an assistant message: neither its reasoning nor its requests,
	// except quoted ones.
	Text string `json:"text,omitempty"`
	// Reasoning is the model's reasoning. The model is shown only the reasoning that is in Content.
	Reasoning string `json:"reasoning,omitempty"`
	// Incomplete marks a reply that the model did not finish: it was truncated, or the turn was
	// canceled or failed.
	Incomplete bool `json:"incomplete,omitempty"`
	// ToolCallsRequested are the requests in an assistant message, in the order written.
	ToolCallsRequested []ToolCallRequest `json:"toolCallsRequested,omitempty"`
	// FromEngine marks a message with the role user that the engine wrote and that contains no
	// results.
	FromEngine bool `json:"fromEngine,omitempty"`
	// Examples are requests in a result message. The engine shows them to the model because the
	// model wrote some requests wrongly.
	Examples []protocol.ToolRequest `json:"examples,omitempty"`
	// Outcomes is set only in a result message, which has the role user. There is one for each
	// request of the assistant message before it, in the same order, except unfinished requests.
	Outcomes []Outcome `json:"toolCall,omitempty"`
}

// RequestStatus is the state of a request.
type RequestStatus string

const (
	// RequestAnswered means that the outcome is in the next message.
	RequestAnswered RequestStatus = "answered"
	// RequestDispatched means that the application decides about the request, in mode manual. Its
	// outcome is in the next message, as soon as the application has decided.
	RequestDispatched RequestStatus = "dispatched"
	// RequestUnfinished means that the request has no outcome yet: it runs, waits for approval, or
	// was interrupted with its turn.
	RequestUnfinished RequestStatus = "unfinished"
	// RequestNotRun means that the request never runs. Examples: the reply was truncated, no tools
	// were available, or the request was dispatched before the conversation was imported.
	RequestNotRun RequestStatus = "not_run"
)

// ToolCallRequest is a request as the model wrote it.
type ToolCallRequest struct {
	// RequestID is the engine's own id, unique in the conversation.
	RequestID string `json:"requestId"`
	// ResultID is the id in the result that the model is shown: the model's own label, or the part
	// of RequestID before the hyphen.
	ResultID string `json:"resultId,omitempty"`
	// ToolName and Command are what the model wrote. Method is the full name that they mean, or ""
	// if it is not known.
	ToolName string `json:"toolName"`
	Command  string `json:"command,omitempty"`
	Method   string `json:"method,omitempty"`
	// Arguments is a JSON object of the arguments as written, in order. Plain text is a string,
	// whatever the type of the parameter is. If two arguments have the same name, which is an error
	// of the request, the last one is kept.
	Arguments json.RawMessage `json:"arguments"`
	// JSONArguments name the arguments that the model wrote as JSON values, not as plain text.
	JSONArguments []string      `json:"jsonArguments,omitempty"`
	Status        RequestStatus `json:"status"`
	// Masked says that secrets were masked in the request, because stores keep none. Such a request
	// does not run.
	Masked bool `json:"masked,omitempty"`
	// CallID is the API's id of a native call, or "" for a request in text.
	CallID string `json:"callId,omitempty"`
	// Err says why the request could not be read. nil means that it was read.
	Err *scan.RequestError `json:"error,omitempty"`
}

// Outcome is how one request ended: the call that it became and the result.
type Outcome struct {
	// RequestID is the engine's own id, as in ToolCallRequest.
	RequestID string `json:"requestId"`
	// ToolName is Method or, if no method was found, what the model wrote.
	ToolName string `json:"toolName"`
	Method   string `json:"method,omitempty"`
	// Arguments are the typed arguments of the method, or nil if they were not read.
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// About and Note are shown to the model in addition to Result. About contains the arguments
	// that distinguish the call from other calls of the same method, and Note is a remark.
	About  string                `json:"about,omitempty"`
	Note   string                `json:"note,omitempty"`
	Status protocol.ResultStatus `json:"status"`
	// ErrorType is an error type of package executor, such as "timeout". Suggestion is advice for
	// the model. Both are "" if Status is success.
	ErrorType  string `json:"errorType,omitempty"`
	Suggestion string `json:"suggestion,omitempty"`
	// Result is the text that the model is shown, or the message of the error.
	Result string `json:"result,omitempty"`
	// Details are what the tool returned for people, as JSON, or the executor.ArgumentsDetails of
	// wrong arguments. They are nil if there are none, if they cannot be encoded, or if they take
	// more than 1 MiB.
	Details json.RawMessage `json:"details,omitempty"`
	// Files are for people, too. They are the first files of the result, up to 16 MiB together. The
	// event of the call has all files.
	Files []tool.File `json:"files,omitempty"`
	// Started is when the tool began to run or, if it did not run, when the executor took the
	// request. The time is in UTC.
	Started time.Time `json:"started"`
	// DurationMs is how long the tool ran, in whole milliseconds, or 0 if it did not run.
	DurationMs int64 `json:"durationMs"`
}

// clone returns a copy that shares nothing with m.
func (m Message) clone() Message {
	m.NativeCalls = slices.Clone(m.NativeCalls)
	m.Examples = edited(m.Examples, func(e *protocol.ToolRequest) { e.Arguments = slices.Clone(e.Arguments) })
	m.ToolCallsRequested = edited(m.ToolCallsRequested, func(q *ToolCallRequest) {
		q.Arguments, q.JSONArguments = slices.Clone(q.Arguments), slices.Clone(q.JSONArguments)
		if q.Err != nil {
			q.Err = new(*q.Err)
		}
	})
	m.Outcomes = edited(m.Outcomes, func(r *Outcome) {
		r.Arguments, r.Details = slices.Clone(r.Arguments), slices.Clone(r.Details)
		r.Files = cloneFiles(r.Files)
	})
	return m
}

// IsFromPerson reports whether a person wrote the message. The engine writes results and remarks
// with the role user, too.
func (m *Message) IsFromPerson() bool {
	return m.Role == protocol.RoleUser && len(m.Outcomes) == 0 && !m.FromEngine
}

// origin returns protocol.OriginImport for an imported message, and own for any other.
func (m *Message) origin(own protocol.Origin) protocol.Origin {
	if m.Imported {
		return protocol.OriginImport
	}
	return own
}

// cloneFiles returns a copy that shares nothing with files, in valid UTF-8.
func cloneFiles(files []tool.File) []tool.File {
	return edited(files, func(f *tool.File) {
		f.Name, f.MediaType, f.Data = text.Valid(f.Name), text.Valid(f.MediaType), bytes.Clone(f.Data)
	})
}

// dispatched returns the requests at the end of a history that wait for decisions.
func dispatched(history []Message) []ToolCallRequest {
	if len(history) == 0 {
		return nil
	}
	list := history[len(history)-1].ToolCallsRequested
	if len(list) == 0 || list[0].Status != RequestDispatched { // mode manual dispatches all requests of a reply
		return nil
	}
	return list
}
