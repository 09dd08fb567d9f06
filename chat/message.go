package chat

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// Message is one entry of a history: what the model is shown of it, and what people are. All text
// in it is valid UTF-8. Results are data: they are written as text, for the protocol that is in use
// then, when the model is shown them.
type Message struct {
	Role protocol.Role `json:"role"`
	Time time.Time     `json:"time"` // of recording, in UTC
	// Content is what the user wrote; of an assistant message, what the model wrote as it is shown
	// again, requests included; of a result message, what the engine tells the model besides the
	// results. A reply that the model is not shown again has no Content.
	Content string `json:"content"`
	// Protocol is, of an assistant message, the id of the text protocol of the requests in Content;
	// "" if nothing in it is a request.
	Protocol string `json:"protocol,omitempty"`
	// NativeCalls are, of an assistant message, the calls that the model made by its API and that
	// are answered or dispatched.
	NativeCalls []protocol.ToolCall `json:"nativeCalls,omitempty"`
	// Text is, of an assistant message, what people see: Content without its requests.
	Text string `json:"text,omitempty"`
	// Reasoning is the model's reasoning, which it is not shown again unless it stands in Content.
	Reasoning string `json:"reasoning,omitempty"`
	// Incomplete marks a reply that ended before the model did: canceled, cut off, or stopped at a token limit.
	Incomplete bool `json:"incomplete,omitempty"`
	// ToolCallsRequested are, of an assistant message, the requests in it, in the order written.
	ToolCallsRequested []ToolCallRequest `json:"toolCallsRequested,omitempty"`
	// FromEngine marks a message of the role user in which the engine tells the model something other than results. No person wrote it.
	FromEngine bool `json:"fromEngine,omitempty"`
	// Examples are, of a result message, requests that the engine shows the model because it wrote
	// some in a wrong way.
	Examples []protocol.ToolRequest `json:"examples,omitempty"`
	// ToolCall marks a result message, which has the role user: one outcome for each request of the assistant message before it,
	// in the same order.
	ToolCall []ToolCall `json:"toolCall,omitempty"`
}

// RequestStatus says what became of a request.
type RequestStatus string

const (
	// RequestAnswered is a request whose outcome is in the message that follows.
	RequestAnswered RequestStatus = "answered"
	// RequestHandedOut is a request that mode manual left to the application. Its outcome is in the message that follows, once there
	// is one.
	RequestHandedOut RequestStatus = "handed_out"
	// RequestNotRun is a request in a reply that was cut short or had to do without tools. The model is not shown it again.
	RequestNotRun RequestStatus = "not_run"
)

// ToolCallRequest is a request as the model wrote it.
type ToolCallRequest struct {
	// RequestID is the engine's own id, unique in the conversation.
	RequestID string `json:"requestId"`
	// ResultID is what the result calls the request towards the model: the model's own label, or RequestID.
	ResultID string `json:"resultId,omitempty"`
	// ToolName and Command are what the model wrote; Method is the full name that they stand for, "" where that is not known.
	ToolName string `json:"toolName"`
	Command  string `json:"command,omitempty"`
	Method   string `json:"method,omitempty"`
	// Arguments is a JSON object of what the model wrote, in its order. Plain text is a string, whatever type the method takes;
	// of two arguments with one name, which is an error of the request, the last stands.
	Arguments json.RawMessage `json:"arguments"`
	// JSONArguments name the arguments that the model wrote as JSON values rather than as plain text.
	JSONArguments []string      `json:"jsonArguments,omitempty"`
	Status        RequestStatus `json:"status"`
	// CallID is the API's id of a native call; "" for a request in text.
	CallID string `json:"callId,omitempty"`
	// Err says why the request could not be read; nil where it could.
	Err *protocol.RequestError `json:"error,omitempty"`
}

// ToolCall is the outcome of one request.
type ToolCall struct {
	// RequestID is the engine's own id, as in ToolCallRequest.
	RequestID string `json:"requestId"`
	// ToolName is Method or, where no method was found, what the model wrote.
	ToolName string `json:"toolName"`
	Method   string `json:"method,omitempty"`
	// Arguments are the typed arguments that the method got; nil where the request did not get so far.
	Arguments json.RawMessage       `json:"arguments,omitempty"`
	Status    protocol.ResultStatus `json:"status"`
	// ErrorType is one of the executor's, such as "timeout", and Suggestion is what the model is
	// advised to do; "" if Status is success.
	ErrorType  string `json:"errorType,omitempty"`
	Suggestion string `json:"suggestion,omitempty"`
	// Result is the text that the model was given, or the error's message.
	Result string `json:"result,omitempty"`
	// Details are for people: what the tool told besides, as JSON; nil where it told nothing, what does not encode, or more than 1 MiB.
	Details json.RawMessage `json:"details,omitempty"`
	// Files are for people too: the first ones, as far as they are not more than 16 MiB together. The event of the call has all of them.
	Files []tool.File `json:"files,omitempty"`
	// Started is when the tool began to run or, where it did not run, when the request was taken up; in UTC.
	Started time.Time `json:"started"`
	// DurationMs is how long the tool ran, in whole milliseconds; 0 where it did not run.
	DurationMs int64 `json:"durationMs"`
}

// clone returns a copy that shares nothing with m.
func (m Message) clone() Message {
	m.NativeCalls, m.Examples = slices.Clone(m.NativeCalls), slices.Clone(m.Examples)
	for i := range m.Examples {
		m.Examples[i].Arguments = slices.Clone(m.Examples[i].Arguments)
	}
	m.ToolCallsRequested = slices.Clone(m.ToolCallsRequested)
	for i := range m.ToolCallsRequested {
		q := &m.ToolCallsRequested[i]
		q.Arguments, q.JSONArguments = slices.Clone(q.Arguments), slices.Clone(q.JSONArguments)
		if q.Err != nil {
			e := *q.Err
			q.Err = &e
		}
	}
	m.ToolCall = slices.Clone(m.ToolCall)
	for i := range m.ToolCall {
		r := &m.ToolCall[i]
		r.Arguments, r.Details = slices.Clone(r.Arguments), slices.Clone(r.Details)
		r.Files = cloneFiles(r.Files)
	}
	return m
}

// cloneFiles returns a copy that shares nothing with files, in valid UTF-8.
func cloneFiles(files []tool.File) []tool.File {
	list := slices.Clone(files)
	for i := range list {
		f := &list[i]
		f.Name, f.MediaType, f.Data = text.Valid(f.Name), text.Valid(f.MediaType), bytes.Clone(f.Data)
	}
	return list
}

func cloneMessages(list []Message) []Message {
	out := make([]Message, len(list))
	for i, m := range list {
		out[i] = m.clone()
	}
	return out
}

// handedOut returns the requests at the end of a history that wait for their answers.
func handedOut(history []Message) []ToolCallRequest {
	if len(history) == 0 {
		return nil
	}
	list := history[len(history)-1].ToolCallsRequested
	if len(list) == 0 || list[0].Status != RequestHandedOut {
		return nil
	}
	return list
}

// now is the time of a record, without what JSON does not keep.
func now() time.Time { return time.Now().UTC().Round(0) }
