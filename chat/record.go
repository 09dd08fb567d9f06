package chat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// recordTurn returns what a turn adds to a history: up to two messages.
func recordTurn(t *engine.Turn) []Message {
	var list []Message
	if m := recordReply(t); m.Content != "" || m.Text != "" || m.Reasoning != "" || m.ToolCallsRequested != nil {
		list = append(list, m)
	}
	if answered(t) {
		m := recordResults(t)
		m.FromEngine = len(t.Results) == 0
		list = append(list, m)
	}
	return list
}

func recordReply(t *engine.Turn) Message {
	m := Message{
		Role: protocol.RoleAssistant, Time: now(), Content: text.Valid(t.Assistant.Content), Text: text.Valid(t.Reply.Text.String()),
		Reasoning: text.Valid(t.Reasoning), Incomplete: !t.Reply.Finish.Complete(),
	}
	if t.Assistant.Protocol != protocol.NoProtocol {
		m.Protocol = t.Assistant.Protocol
	}
	for _, c := range t.Assistant.ToolCalls {
		m.NativeCalls = append(m.NativeCalls, protocol.ToolCall{ID: text.Valid(c.ID), Name: text.Valid(c.Name), Arguments: text.Valid(c.Arguments)})
	}
	status := RequestNotRun
	switch {
	case t.HandedOut:
		status = RequestHandedOut
	case answered(t):
		status = RequestAnswered
	}
	for i, r := range t.Requests {
		q := ToolCallRequest{
			RequestID: r.ID, ResultID: text.Valid(r.RequestID), CallID: text.Valid(r.CallID), ToolName: text.Valid(r.ToolName), Command: text.Valid(r.Command), Status: status,
		}
		q.Arguments, q.JSONArguments = recordArguments(r.Arguments)
		if i < len(t.Results) {
			q.Method = t.Results[i].Method
		}
		if r.Err != nil {
			q.Err = &protocol.RequestError{Code: r.Err.Code, Message: text.Valid(r.Err.Message)}
		}
		m.ToolCallsRequested = append(m.ToolCallsRequested, q)
	}
	return m
}

// answered reports whether a turn has results for the model.
func answered(t *engine.Turn) bool { return t.ResultMessage != nil || len(t.ToolMessages) > 0 }

// recordResults needs t.Results and t.ResultMessage alone.
func recordResults(t *engine.Turn) Message {
	m := Message{Role: protocol.RoleUser, Time: now()}
	if t.ResultMessage != nil {
		m.Content = text.Valid(t.ResultMessage.Content)
		for _, e := range t.ResultMessage.Examples {
			m.Examples = append(m.Examples, validRequest(e))
		}
	}
	for i := range t.Results {
		r := &t.Results[i]
		m.ToolCall = append(m.ToolCall, ToolCall{
			RequestID: r.ID, ToolName: text.Valid(r.ToolName), Method: text.Valid(r.Method), Arguments: validJSON(r.Arguments),
			Status: r.Status, ErrorType: r.ErrorType, Suggestion: text.Valid(r.Suggestion), Result: text.Valid(r.ToolResult.Result),
			Details: recordDetails(r.Details), Files: recordFiles(r.Files), Started: r.Started.UTC().Round(0),
			DurationMs: r.Duration.Round(time.Millisecond).Milliseconds(),
		})
	}
	return m
}

func validRequest(r protocol.ToolRequest) protocol.ToolRequest {
	v := protocol.ToolRequest{ToolName: text.Valid(r.ToolName), Command: text.Valid(r.Command), Label: text.Valid(r.Label)}
	for _, a := range r.Arguments {
		v.Arguments = append(v.Arguments, protocol.Argument{Name: text.Valid(a.Name), Value: text.Valid(a.Value), Form: a.Form})
	}
	return v
}

// recordArguments writes arguments as an object, and names those that were JSON already.
func recordArguments(list []protocol.Argument) (object json.RawMessage, asJSON []string) {
	last := make(map[string]int, len(list))
	for i, a := range list {
		last[text.Valid(a.Name)] = i
	}
	b := []byte{'{'}
	for i, a := range list {
		name := text.Valid(a.Name)
		if last[name] != i {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(b, quote(name)...), ':')
		if value := validJSON([]byte(a.Value)); a.Form == protocol.FormJSON && value != nil {
			b = append(b, value...)
			asJSON = append(asJSON, name)
			continue
		}
		b = append(b, quote(a.Value)...)
	}
	return append(b, '}'), asJSON
}

// readArguments is the inverse of recordArguments.
func readArguments(object json.RawMessage, asJSON []string) ([]protocol.Argument, error) {
	var list []protocol.Argument
	members, err := orderedjson.Members(object)
	if err != nil {
		return nil, fmt.Errorf("a text of %d bytes is %w", len(object), err)
	}
	written := make(map[string]bool, len(asJSON)) // names of JSON values, and whether there is one
	for _, name := range asJSON {
		written[name] = false
	}
	seen := map[string]bool{}
	for _, m := range members {
		a := protocol.Argument{Name: m.Name}
		if seen[a.Name] {
			return nil, fmt.Errorf("argument %.40q stands twice", a.Name)
		}
		seen[a.Name] = true
		if _, ok := written[a.Name]; ok {
			written[a.Name] = true
			a.Value, a.Form = string(m.Value), protocol.FormJSON
		} else if err := json.Unmarshal(m.Value, &a.Value); err != nil {
			return nil, fmt.Errorf("argument %q is no string; it must be one or be named in jsonArguments", a.Name)
		}
		list = append(list, a)
	}
	if len(written) != len(asJSON) {
		return nil, fmt.Errorf("jsonArguments names an argument twice")
	}
	for name, there := range written {
		if !there {
			return nil, fmt.Errorf("jsonArguments names %.40q, which is no argument", name)
		}
	}
	return list, nil
}

// What a history keeps of one call for people, in bytes.
const (
	maxDetails = 1 << 20
	maxFiles   = 16 << 20
)

// recordDetails encodes what a tool told people. What it gave may have methods of its own, which may do anything.
func recordDetails(details any) (raw json.RawMessage) {
	if details == nil {
		return nil
	}
	defer func() {
		if recover() != nil {
			raw = nil
		}
	}()
	if raw = encode(details); len(raw) > maxDetails {
		return nil
	}
	return raw
}

// recordFiles returns a copy of the files as far as they are kept.
func recordFiles(files []tool.File) []tool.File {
	bytes := 0
	for i, f := range files {
		if bytes += len(f.Name) + len(f.MediaType) + len(f.Data); bytes > maxFiles {
			return cloneFiles(files[:i])
		}
	}
	return cloneFiles(files)
}

// encode returns v as JSON without HTML escapes; nil where it does not encode.
func encode(v any) json.RawMessage {
	b, err := orderedjson.Encode(v)
	if err != nil {
		return nil
	}
	return validJSON(b)
}

func quote(s string) []byte { return encode(text.Valid(s)) }

// validJSON returns a copy of raw in valid UTF-8 and without needless white space; nil where it is not JSON.
func validJSON(raw []byte) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, bytes.ToValidUTF8(raw, []byte("\uFFFD"))) != nil {
		return nil
	}
	return b.Bytes()
}
