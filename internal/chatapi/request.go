// Package chatapi is the OpenAI chat completions API as a server sees it: the requests that it
// reads and the replies that it writes. The demo model and the model server for tests share it.
// Package model, the client, does not use it, so that neither side repeats the other's mistakes.
package chatapi

import (
	"encoding/json"
	"errors"
	"strings"
)

// A Request is a chat request. Its reader ignores other members of the JSON, as servers do.
type Request struct {
	Model       string    `json:"model"`
	Messages    []Message `json:"messages"`
	Stream      bool      `json:"stream"`
	Stop        stopTexts `json:"stop"`
	N           *int      `json:"n"`
	Temperature *float64  `json:"temperature"`
	MaxTokens   *int      `json:"max_tokens"`
	// MaxCompletionTokens is the newer name of MaxTokens.
	MaxCompletionTokens *int `json:"max_completion_tokens"`
	// Tools are the definitions of tools, as sent.
	Tools         []json.RawMessage `json:"tools"`
	ToolChoice    any               `json:"tool_choice"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

// stopTexts are the texts that end a reply. In JSON they are one text or a list.
type stopTexts []string

// UnmarshalJSON implements json.Unmarshaler.
func (s *stopTexts) UnmarshalJSON(raw []byte) error {
	one := ""
	if json.Unmarshal(raw, (*[]string)(s)) == nil { // a list, or null
		return nil
	}
	if json.Unmarshal(raw, &one) != nil {
		return errors.New("stop is neither a text nor a list of texts")
	}
	*s = stopTexts{one}
	return nil
}

// A Message is one message of a request.
type Message struct {
	Role       string     `json:"role"`
	Content    string     `json:"content"` // if JSON has a list of parts, their texts joined
	ToolCalls  []ToolCall `json:"tool_calls"`
	ToolCallID string     `json:"tool_call_id"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (m *Message) UnmarshalJSON(raw []byte) error {
	type plain Message
	wire := struct {
		*plain
		Content json.RawMessage `json:"content"`
	}{plain: (*plain)(m)}
	if err := json.Unmarshal(raw, &wire); err != nil {
		return err
	}
	if len(wire.Content) == 0 || json.Unmarshal(wire.Content, &m.Content) == nil { // null is ""
		return nil
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(wire.Content, &parts) != nil {
		return errors.New("content is neither a text nor a list of parts")
	}
	var text strings.Builder
	for _, p := range parts {
		text.WriteString(p.Text)
	}
	m.Content = text.String()
	return nil
}
