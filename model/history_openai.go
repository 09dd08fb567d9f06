package model

import (
	"encoding/json"
	"fmt"

	"github.com/vcpgo/vcp/protocol"
)

// The messages of the chat completions API.
type (
	openAIMessage struct {
		Role         string          `json:"role"`
		Content      json.RawMessage `json:"content,omitempty"`
		Refusal      string          `json:"refusal,omitempty"`
		ToolCalls    []openAICall    `json:"tool_calls,omitempty"`
		ToolCallID   string          `json:"tool_call_id,omitempty"`
		FunctionCall json.RawMessage `json:"function_call,omitempty"`
	}
	openAICall struct {
		ID       string         `json:"id"`
		Type     string         `json:"type"`
		Function openAIFunction `json:"function"`
	}
	openAIFunction struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	openAIPart struct {
		Type     string       `json:"type"`
		Text     string       `json:"text,omitempty"`
		Refusal  string       `json:"refusal,omitempty"`
		ImageURL *openAIImage `json:"image_url,omitempty"`
	}
	openAIImage struct {
		URL    string `json:"url"`
		Detail string `json:"detail,omitempty"`
	}
)

// FromOpenAI reads messages in the shape of the chat completions API: a JSON array, or a request
// that holds them. Text, images, calls and results are kept; a developer is a system message, and
// reasoning and speakers' names are left out. Names of methods stay as the API has them. All
// messages have the origin protocol.OriginImport, so that what they say is foreign text. Other
// kinds of content are a *HistoryError.
func FromOpenAI(raw json.RawMessage) ([]protocol.Message, error) {
	var (
		list    []openAIMessage
		request struct {
			Messages *[]openAIMessage `json:"messages"`
		}
	)
	request.Messages = &list
	if err := readMessages(raw, &request, &list); err != nil {
		return nil, err
	}
	messages := make([]protocol.Message, 0, len(list))
	for i := range list {
		m, err := list[i].read()
		if err != "" {
			return nil, &HistoryError{i, err}
		}
		messages = append(messages, m)
	}
	return messages, nil
}

// read returns a message, or what is wrong with it.
func (m *openAIMessage) read() (out protocol.Message, wrong string) {
	out.Origin = protocol.OriginImport
	switch m.Role {
	case "system", "developer":
		out.Role = protocol.RoleSystem
	case "user", "assistant", "tool":
		out.Role = protocol.Role(m.Role)
	default:
		return out, fmt.Sprintf("has the role %q; allowed are system, developer, user, assistant and tool", m.Role)
	}
	if len(m.FunctionCall) > 0 && string(m.FunctionCall) != "null" {
		return out, "has a function_call, which is of an older API; write it as tool_calls"
	}
	text, parts, err := contentParts[openAIPart](m.Content)
	if err != nil {
		return out, "has content that is neither a text nor a list of parts"
	}
	var b body
	for _, p := range parts {
		switch {
		case p.Type == "text":
			b.add(p.Text)
		case p.Type == "refusal":
			b.add(p.Refusal)
		case p.Type == "image_url" && p.ImageURL != nil:
			image, ok := dataImage(p.ImageURL.URL)
			if !ok {
				image.URL = p.ImageURL.URL
			}
			image.Detail = p.ImageURL.Detail
			b.addImage(image)
		default:
			return out, fmt.Sprintf("has a part of type %q; allowed are text, refusal and image_url", p.Type)
		}
	}
	out.Content, out.Images = text+b.text.String(), b.images
	if out.Content == "" {
		out.Content = m.Refusal
	}
	for _, c := range m.ToolCalls {
		if c.Type != "" && c.Type != "function" {
			return out, fmt.Sprintf("has a call of type %q; allowed is function", c.Type)
		}
		out.ToolCalls = append(out.ToolCalls, protocol.ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
	}
	if out.ToolCallID = m.ToolCallID; out.Role == protocol.RoleTool && out.ToolCallID == "" {
		return out, "is the result of a call and does not say of which; it needs tool_call_id"
	}
	return out, ""
}

// ToOpenAI writes messages in the shape of the chat completions API, as a JSON array. It takes back
// what FromOpenAI gave. The API has no mark for a result that tells of a failure, and no images in
// results: such an image goes into a user message behind them. Messages that hold results as data
// are a *HistoryError: engine.Session.Render writes them as text.
func ToOpenAI(messages []protocol.Message) (json.RawMessage, error) {
	if err := refuseData(messages); err != nil {
		return nil, err
	}
	messages = withoutToolImages(messages)
	list := make([]openAIMessage, len(messages))
	for i := range messages {
		var err error
		if list[i], err = writeOpenAI(&messages[i]); err != nil {
			return nil, err
		}
	}
	return encodeJSON(list)
}

func writeOpenAI(m *protocol.Message) (out openAIMessage, err error) {
	out.Role, out.ToolCallID = string(m.Role), m.ToolCallID
	for _, c := range m.ToolCalls {
		out.ToolCalls = append(out.ToolCalls, openAICall{c.ID, "function", openAIFunction{c.Name, c.Arguments}})
	}
	var content any = m.Content
	switch {
	case len(m.Images) > 0:
		var parts []openAIPart
		for p := range m.Pieces() {
			if p.Image != nil {
				parts = append(parts, openAIPart{Type: "image_url", ImageURL: &openAIImage{imageURL(p.Image), p.Image.Detail}})
				continue
			}
			parts = append(parts, openAIPart{Type: "text", Text: p.Text})
		}
		content = parts
	case m.Content == "" && len(m.ToolCalls) > 0:
		content = nil
	}
	out.Content, err = encodeJSON(content)
	return out, err
}
