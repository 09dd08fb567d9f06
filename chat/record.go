package chat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
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
		Role: protocol.RoleAssistant, Time: now(), Content: valid(t.Assistant.Content), Text: valid(t.Reply.Text.String()),
		Reasoning: valid(t.Reasoning), Incomplete: !t.Reply.Finish.Complete(),
	}
	if calls := t.Assistant.ToolCalls; len(calls) > 0 {
		shown := protocol.Message{Role: protocol.RoleAssistant, Content: m.Content}
		for _, c := range calls {
			shown.ToolCalls = append(shown.ToolCalls, protocol.ToolCall{ID: valid(c.ID), Name: valid(c.Name), Arguments: valid(c.Arguments)})
		}
		m.Native = []protocol.Message{shown}
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
			RequestID: r.ID, ResultID: valid(r.RequestID), CallID: valid(r.CallID), ToolName: valid(r.ToolName), Command: valid(r.Command), Status: status,
		}
		q.Arguments, q.JSONArguments = recordArguments(r.Arguments)
		if i < len(t.Results) {
			q.Method = t.Results[i].Method
		}
		if r.Err != nil {
			q.Err = &protocol.RequestError{Code: r.Err.Code, Message: valid(r.Err.Message)}
		}
		m.ToolCallsRequested = append(m.ToolCallsRequested, q)
	}
	return m
}

// answered reports whether a turn has results for the model.
func answered(t *engine.Turn) bool { return t.ResultMessage != nil || len(t.ToolMessages) > 0 }

// recordResults needs t.Results, t.ToolMessages and t.ResultMessage alone.
func recordResults(t *engine.Turn) Message {
	m := Message{Role: protocol.RoleUser, Time: now()}
	for _, native := range t.ToolMessages {
		native.ToolCallID, native.Content = valid(native.ToolCallID), valid(native.Content)
		m.Native = append(m.Native, native)
	}
	if t.ResultMessage != nil {
		m.Content = valid(t.ResultMessage.Content)
		if m.Native != nil {
			m.Native = append(m.Native, protocol.Message{Role: protocol.RoleUser, Content: m.Content})
		}
	}
	for i := range t.Results {
		r := &t.Results[i]
		m.ToolCall = append(m.ToolCall, ToolCall{
			RequestID: r.ID, ToolName: valid(r.ToolName), Method: r.Method, Arguments: validJSON(r.Arguments),
			Status: r.Status, ErrorType: r.ErrorType, Result: valid(r.ToolResult.Result), Details: recordDetails(r.Details), Files: cloneFiles(r.Files),
			Started: r.Started.UTC().Round(0), DurationMs: r.Duration.Round(time.Millisecond).Milliseconds(),
		})
	}
	return m
}

// recordArguments writes arguments as an object, and names those that were JSON already.
func recordArguments(list []protocol.Argument) (object json.RawMessage, asJSON []string) {
	last := make(map[string]int, len(list))
	for i, a := range list {
		last[valid(a.Name)] = i
	}
	b := []byte{'{'}
	for i, a := range list {
		name := valid(a.Name)
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
	if !json.Valid(object) {
		return nil, fmt.Errorf("%.40q is not JSON", object)
	}
	d := json.NewDecoder(bytes.NewReader(object))
	if brace, err := d.Token(); err != nil || brace != json.Delim('{') {
		return nil, fmt.Errorf("%.40q is not a JSON object", object)
	}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		a := protocol.Argument{Name: token.(string)} // in an object each second token is a name
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		if slices.Contains(asJSON, a.Name) {
			a.Value, a.Form = string(value), protocol.FormJSON
		} else if err := json.Unmarshal(value, &a.Value); err != nil {
			return nil, fmt.Errorf("argument %q is %.40q; it must be a string or be named in jsonArguments", a.Name, value)
		}
		list = append(list, a)
	}
	_, err := d.Token()
	return list, err
}

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
	return encode(details)
}

// encode returns v as JSON without HTML escapes; nil where it does not encode.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil
	}
	return validJSON(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

func quote(s string) []byte { return encode(valid(s)) }

// validJSON returns a copy of raw in valid UTF-8 and without needless white space; nil where it is not JSON.
func validJSON(raw []byte) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, bytes.ToValidUTF8(raw, []byte("\uFFFD"))) != nil {
		return nil
	}
	return b.Bytes()
}

func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
