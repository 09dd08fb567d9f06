package chat

import (
	"encoding/json"
	"time"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/tool"
)

// messagesOfIteration returns the messages that an iteration adds to a history: at most a reply and
// its results.
func messagesOfIteration(it *engine.Iteration) []Message {
	var list []Message
	if m := replyMessage(it); m.Content != "" || m.Text != "" || m.Reasoning != "" || m.ToolCallsRequested != nil {
		list = append(list, m)
	}
	if it.ResultMessage != nil || len(it.ToolMessages) > 0 { // there are results or remarks for the model
		m := resultMessage(it)
		m.FromEngine = len(it.Results) == 0
		list = append(list, m)
	}
	return list
}

// replyMessage returns the assistant message of an iteration.
func replyMessage(it *engine.Iteration) Message {
	m := Message{
		Role: protocol.RoleAssistant, Time: now(), Incomplete: !it.Reply.Finish.Complete(),
		Content: text.Valid(it.Assistant.Content), Text: text.Valid(it.Reply.Text.String()),
		Reasoning: text.Valid(it.Reasoning),
	}
	if it.Assistant.Protocol != protocol.NoProtocol {
		m.Protocol = it.Assistant.Protocol
	}
	for _, c := range it.Assistant.ToolCalls {
		m.NativeCalls = append(m.NativeCalls, protocol.ToolCall{
			ID: text.Valid(c.ID), Name: text.Valid(c.Name), Arguments: text.Valid(c.Arguments),
		})
	}
	status := RequestNotRun
	switch {
	case it.Dispatched:
		status = RequestDispatched
	case len(it.Results) > 0:
		status = RequestAnswered
	}
	for i, r := range it.Requests {
		q := ToolCallRequest{
			RequestID: r.ID, ResultID: text.Valid(r.ResultID), CallID: text.Valid(r.CallID),
			ToolName: text.Valid(r.ToolName), Command: text.Valid(r.Command), Status: status, Masked: r.Masked,
		}
		q.Arguments, q.JSONArguments = argumentsObject(r.Arguments)
		if i < len(it.Results) {
			q.Method = it.Results[i].Method
		}
		if r.Err != nil {
			q.Err = &scan.RequestError{Code: r.Err.Code, Message: text.Valid(r.Err.Message)}
		}
		m.ToolCallsRequested = append(m.ToolCallsRequested, q)
	}
	return m
}

// resultMessage returns the result message of an iteration. It uses only the fields Results and
// ResultMessage.
func resultMessage(it *engine.Iteration) Message {
	m := Message{Role: protocol.RoleUser, Time: now()}
	if it.ResultMessage != nil {
		m.Content = text.Valid(it.ResultMessage.Content)
		for _, e := range it.ResultMessage.Examples {
			m.Examples = append(m.Examples, validRequest(e))
		}
	}
	about := executor.DistinguishingArguments(it.Results)
	for i := range it.Results {
		r := &it.Results[i]
		m.Outcomes = append(m.Outcomes, Outcome{
			RequestID: r.ID, ToolName: text.Valid(r.ToolName), Method: text.Valid(r.Method),
			Arguments: validJSON(r.Arguments), About: about[i], Note: text.Valid(r.Note),
			Status: r.Status, ErrorType: r.ErrorType, Suggestion: text.Valid(r.Suggestion),
			Result: text.Valid(r.ToolResult.Result), Details: encodeDetails(r.Details), Files: firstFiles(r.Files),
			Started: r.Started.UTC().Round(0), DurationMs: r.Duration.Round(time.Millisecond).Milliseconds(),
		})
	}
	return m
}

// validRequest returns a copy of a request in valid UTF-8.
func validRequest(r protocol.ToolRequest) protocol.ToolRequest {
	return protocol.ToolRequest{
		ToolName: text.Valid(r.ToolName), Command: text.Valid(r.Command), Label: text.Valid(r.Label),
		Arguments: edited(r.Arguments, func(a *protocol.Argument) {
			a.Name, a.Value = text.Valid(a.Name), text.Valid(a.Value)
		}),
	}
}

// Limits of the Details and Files that a history keeps for one call, in bytes.
const (
	maxDetails = 1 << 20
	maxFiles   = 16 << 20
)

// encodeDetails returns what a tool returned for people, as JSON. It returns nil if details is nil,
// does not encode, panics while it is encoded, or is longer than maxDetails.
func encodeDetails(details any) (raw json.RawMessage) {
	if details == nil {
		return nil
	}
	defer func() {
		if recover() != nil {
			raw = nil
		}
	}()
	raw, err := encode(details)
	if err != nil || len(raw) > maxDetails {
		return nil
	}
	return raw
}

// firstFiles returns copies of the first files, up to maxFiles bytes together.
func firstFiles(files []tool.File) []tool.File {
	bytes := 0
	for i, f := range files {
		if bytes += len(f.Name) + len(f.MediaType) + len(f.Data); bytes > maxFiles {
			return cloneFiles(files[:i])
		}
	}
	return cloneFiles(files)
}

// now returns the current time in UTC, without the monotonic clock reading, so that the time stays
// equal when it is encoded as JSON and decoded.
func now() time.Time { return time.Now().UTC().Round(0) }
