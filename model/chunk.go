package model

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/work"
)

// The shapes of this file are those of a reply as servers really send it. The types of go-openai
// would refuse a whole reply for one field in another spelling.

// A chunk is one value of a response: a piece of a streamed reply, or a whole reply.
type chunk struct {
	Error   json.RawMessage `json:"error"`
	Usage   json.RawMessage `json:"usage"`
	Choices choices         `json:"choices"`
}

// choices are at most maxChoices; one was requested.
type choices []choice

const maxChoices = 16

// UnmarshalJSON implements json.Unmarshaler.
func (c *choices) UnmarshalJSON(raw []byte) error { return readArray((*[]choice)(c), raw, maxChoices) }

type choice struct {
	Index        int           `json:"index"`
	Delta        content       `json:"delta"`
	Message      content       `json:"message"`
	FinishReason finishReasons `json:"finish_reason"`
}

// finishReasons are those of one choice: as many as it has members of that name.
type finishReasons []string

// UnmarshalJSON adds one more.
func (r *finishReasons) UnmarshalJSON(raw []byte) error {
	var reason string
	err := json.Unmarshal(raw, &reason)
	*r = append(*r, reason)
	return err
}

type content struct {
	Content          text             `json:"content"`
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
		Name      string    `json:"name"`
		Arguments arguments `json:"arguments"`
	} `json:"function"`
}

// arguments are a piece of JSON text.
type arguments string

// UnmarshalJSON reads a string or, from some servers, the whole object itself.
func (a *arguments) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, (*string)(a)) != nil { // null is ""
		*a = arguments(raw)
	}
	return nil
}

// text is what a model writes. Some servers send a list of parts, of which the texts count.
type text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(raw []byte) error {
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
	*t = text(whole.String())
	return nil
}

// readUsage reads what a reply cost. What cannot be read is nil, and the reply stays as it is.
func readUsage(raw json.RawMessage) *engine.Usage {
	var shape struct {
		Prompt     json.RawMessage `json:"prompt_tokens"`
		Completion json.RawMessage `json:"completion_tokens"`
	}
	if json.Unmarshal(raw, &shape) != nil {
		return nil
	}
	prompt, ok := wholeNumber(shape.Prompt)
	completion, also := wholeNumber(shape.Completion)
	if !ok && !also {
		return nil
	}
	return &engine.Usage{PromptTokens: prompt, CompletionTokens: completion}
}

// readField returns what each choice of a value says in the given member, which must be text.
func readField(value []byte, field string) []string {
	work.Add(len(value))
	var v struct {
		Choices array[struct {
			Delta   map[string]json.RawMessage `json:"delta"`
			Message map[string]json.RawMessage `json:"message"`
		}] `json:"choices"`
	}
	if json.Unmarshal(value, &v) != nil {
		return nil
	}
	texts := make([]string, len(v.Choices))
	for i, c := range v.Choices {
		var delta, message string
		_ = json.Unmarshal(c.Delta[field], &delta)
		_ = json.Unmarshal(c.Message[field], &message)
		texts[i] = delta + message
	}
	return texts
}
