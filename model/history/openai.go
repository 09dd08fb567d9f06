package history

import (
	"encoding/json"
	"fmt"

	openai "github.com/sashabaranov/go-openai"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/protocol"
)

// openAIMessage is a message of the chat completions API. go-openai's own type omits empty content
// and empty arguments, which a history must keep.
type openAIMessage struct {
	Role         string        `json:"role"`
	Content      openAIContent `json:"content"`
	Refusal      string        `json:"refusal,omitempty"`
	ToolCalls    []openAICall  `json:"tool_calls,omitempty"`
	ToolCallID   string        `json:"tool_call_id,omitempty"`
	FunctionCall any           `json:"function_call,omitempty"`
}

type openAIContent []openAIPart

type openAICall struct {
	ID       string          `json:"id"`
	Type     openai.ToolType `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type openAIPart struct {
	openai.ChatMessagePart
	Refusal string `json:"refusal,omitempty"`
}

// UnmarshalJSON reads a text or a list of parts.
func (c *openAIContent) UnmarshalJSON(raw []byte) (err error) {
	*c, err = readParts(raw, func(text string) (p openAIPart) {
		p.Type, p.Text = openai.ChatMessagePartTypeText, text
		return p
	})
	return err
}

// MarshalJSON writes a single text as a string, nil as null, no part as "", and otherwise a list of
// parts.
func (c openAIContent) MarshalJSON() ([]byte, error) {
	switch {
	case c == nil:
		return []byte("null"), nil
	case len(c) == 0:
		return []byte(`""`), nil
	case len(c) == 1 && c[0].Type == openai.ChatMessagePartTypeText:
		return orderedjson.Encode(c[0].Text)
	}
	return orderedjson.Encode([]openAIPart(c))
}

// FromOpenAI reads messages of the chat completions API: a JSON array, or a request that contains
// them. A developer message becomes a system message. Reasoning and the names of speakers are
// ignored. Names of methods stay in the form of the API.
func FromOpenAI(raw json.RawMessage) ([]protocol.Message, error) {
	list, _, err := decode[openAIMessage](raw)
	if err != nil {
		return nil, err
	}
	messages := make([]protocol.Message, len(list))
	for i := range list {
		if wrong := list[i].read(&messages[i]); wrong != "" {
			return nil, &Error{i, wrong}
		}
	}
	return messages, nil
}

// read fills in a message, and returns what is wrong with m, or "".
func (m *openAIMessage) read(out *protocol.Message) (wrong string) {
	out.Role, out.Origin, out.ToolCallID = protocol.Role(m.Role), protocol.OriginImport, m.ToolCallID
	switch m.Role {
	case "user", "assistant", "tool", "system":
	case "developer":
		out.Role = protocol.RoleSystem
	default:
		return fmt.Sprintf("has the role %q; allowed are system, developer, user, assistant and tool", m.Role)
	}
	if m.FunctionCall != nil {
		return "has a function_call, which belongs to an older API; write it as tool_calls"
	}
	if out.Role == protocol.RoleTool && out.ToolCallID == "" {
		return "is a result that does not name its call; it needs tool_call_id"
	}
	var c content
	for _, p := range m.Content {
		switch {
		case p.Type == openai.ChatMessagePartTypeText:
			c.addText(p.Text)
		case p.Type == "refusal":
			c.addText(p.Refusal)
		case p.Type == openai.ChatMessagePartTypeImageURL && p.ImageURL != nil:
			image := readImage(p.ImageURL.URL)
			image.Detail = string(p.ImageURL.Detail)
			c.addImage(image)
		default:
			return fmt.Sprintf("has a part of type %q; allowed are text, refusal and image_url", p.Type)
		}
	}
	if out.Content, out.Images = c.text.String(), c.images; out.Content == "" {
		out.Content = m.Refusal
	}
	for _, call := range m.ToolCalls {
		if call.Type != "" && call.Type != openai.ToolTypeFunction {
			return fmt.Sprintf("has a call of type %q; allowed is function", call.Type)
		}
		out.ToolCalls = append(out.ToolCalls, protocol.ToolCall{
			ID: call.ID, Name: call.Function.Name, Arguments: call.Function.Arguments,
		})
	}
	return ""
}

// ToOpenAI writes messages as a JSON array of the chat completions API. FromOpenAI reads back the
// same text, images, calls and results, with two exceptions. Failed results are not marked, and
// images of results move into a user message after them. Messages that contain results as data are
// an error; engine.Session.Render writes them as text.
func ToOpenAI(messages []protocol.Message) (json.RawMessage, error) {
	if err := checkText(messages); err != nil {
		return nil, err
	}
	messages = MoveToolImages(messages)
	list := make([]openAIMessage, len(messages))
	for i := range messages {
		list[i] = writeOpenAI(&messages[i])
	}
	return orderedjson.Encode(list)
}

func writeOpenAI(m *protocol.Message) openAIMessage {
	out := openAIMessage{Role: string(m.Role), ToolCallID: m.ToolCallID}
	for _, p := range OpenAIParts(m) {
		out.Content = append(out.Content, openAIPart{ChatMessagePart: p})
	}
	for _, c := range m.ToolCalls {
		call := openAICall{ID: c.ID, Type: openai.ToolTypeFunction}
		call.Function.Name, call.Function.Arguments = c.Name, c.Arguments
		out.ToolCalls = append(out.ToolCalls, call)
	}
	if len(out.Content)+len(out.ToolCalls) == 0 {
		out.Content = openAIContent{}
	}
	return out
}

// OpenAIParts returns the text and the images of a message as parts of the chat completions API.
func OpenAIParts(m *protocol.Message) []openai.ChatMessagePart {
	var parts []openai.ChatMessagePart
	for p := range m.Pieces() {
		part := openai.ChatMessagePart{Type: openai.ChatMessagePartTypeText, Text: p.Text}
		if p.Image != nil {
			url := openai.ChatMessageImageURL{URL: imageURL(p.Image), Detail: openai.ImageURLDetail(p.Image.Detail)}
			part = openai.ChatMessagePart{Type: openai.ChatMessagePartTypeImageURL, ImageURL: &url}
		}
		parts = append(parts, part)
	}
	return parts
}
