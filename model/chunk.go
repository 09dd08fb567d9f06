package model

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/vcpgo/vcp/engine"
)

// The types in this file have the shape of replies as servers really send them. The types of
// go-openai would refuse a whole reply for one field in another spelling.

// A chunk is one value of a response: a piece of a streamed reply, or a whole reply.
type chunk struct {
	Error   json.RawMessage `json:"error"`
	Usage   json.RawMessage `json:"usage"`
	Choices array[choice]   `json:"choices"` // one choice was requested
}

// A choice has a Delta in a stream, and otherwise a Message. Both are a content.
type choice struct {
	Index        int             `json:"index"`
	Delta        json.RawMessage `json:"delta"`
	Message      json.RawMessage `json:"message"`
	FinishReason finishReasons   `json:"finish_reason"`
}

// finishReasons are the finish reasons of one choice. Some servers write the member several times.
type finishReasons []string

// UnmarshalJSON adds a finish reason.
func (r *finishReasons) UnmarshalJSON(raw []byte) error {
	var reason string
	err := json.Unmarshal(raw, &reason)
	*r = append(*r, reason)
	return err
}

// content is what the model writes, or a piece of it.
type content struct {
	Content          contentText      `json:"content"`
	ReasoningContent string           `json:"reasoning_content"`
	Reasoning        string           `json:"reasoning"` // the spelling of some servers
	Refusal          string           `json:"refusal"`
	ToolCalls        array[callPiece] `json:"tool_calls"`
}

// A callPiece is a piece of a native call.
type callPiece struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string        `json:"name"`
		Arguments callArguments `json:"arguments"`
	} `json:"function"`
}

// callArguments are a piece of JSON text.
type callArguments string

// UnmarshalJSON reads a string or, from some servers, the whole object itself.
func (a *callArguments) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, (*string)(a)) != nil { // null is ""
		*a = callArguments(raw)
	}
	return nil
}

// contentText is a text or, from some servers, a list of parts. Only text and refusals count.
type contentText string

// UnmarshalJSON implements json.Unmarshaler.
func (t *contentText) UnmarshalJSON(raw []byte) error {
	if !bytes.HasPrefix(raw, []byte("[")) {
		return json.Unmarshal(raw, (*string)(t))
	}
	var parts array[struct{ Type, Text, Refusal string }]
	if err := json.Unmarshal(raw, &parts); err != nil {
		return err
	}
	var whole strings.Builder
	for _, p := range parts {
		switch p.Type {
		case "text", "":
			whole.WriteString(p.Text)
		case "refusal":
			whole.WriteString(p.Refusal)
		}
	}
	*t = contentText(whole.String())
	return nil
}

// readUsage reads the usage of a reply. It returns nil for a usage that cannot be read, because the
// reply is usable without it.
func readUsage(raw json.RawMessage) *engine.Usage {
	var shape struct {
		Prompt     json.RawMessage `json:"prompt_tokens"`
		Completion json.RawMessage `json:"completion_tokens"`
	}
	if json.Unmarshal(raw, &shape) != nil {
		return nil
	}
	prompt, hasPrompt := wholeNumber(shape.Prompt)
	completion, hasCompletion := wholeNumber(shape.Completion)
	if !hasPrompt && !hasCompletion {
		return nil
	}
	return &engine.Usage{PromptTokens: prompt, CompletionTokens: completion}
}
