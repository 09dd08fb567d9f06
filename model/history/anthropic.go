package history

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/vcpgo/vcp/internal/jsonerror"
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/protocol"
)

// The parts of the messages API.
type (
	anthropicRequest struct {
		System   anthropicContent   `json:"system,omitempty"`
		Messages []anthropicMessage `json:"messages"`
	}
	anthropicMessage struct {
		Role    string           `json:"role"`
		Content anthropicContent `json:"content"`
	}
	anthropicContent []anthropicBlock
	anthropicBlock   struct {
		Type string  `json:"type"`
		Text *string `json:"text,omitempty"`
		// Source is the source of an image.
		Source *anthropicSource `json:"source,omitempty"`
		// ID, Name and Input are those of a tool_use.
		ID    string          `json:"id,omitempty"`
		Name  string          `json:"name,omitempty"`
		Input json.RawMessage `json:"input,omitempty"`
		// ToolUseID, Content and IsError are those of a tool_result.
		ToolUseID string            `json:"tool_use_id,omitempty"`
		Content   *anthropicContent `json:"content,omitempty"`
		IsError   bool              `json:"is_error,omitempty"`
	}
	anthropicSource struct {
		Type      string `json:"type"`
		MediaType string `json:"media_type,omitempty"`
		Data      string `json:"data,omitempty"`
		URL       string `json:"url,omitempty"`
	}
)

func textBlock(text string) anthropicBlock { return anthropicBlock{Type: "text", Text: &text} }

// UnmarshalJSON reads a text or a list of blocks.
func (c *anthropicContent) UnmarshalJSON(raw []byte) (err error) {
	*c, err = readParts(raw, textBlock)
	return err
}

// MarshalJSON writes a single text that is not empty as a string, no block as "", and otherwise a
// list of blocks.
func (c anthropicContent) MarshalJSON() ([]byte, error) {
	switch {
	case len(c) == 0:
		return []byte(`""`), nil
	case len(c) == 1 && c[0].Text != nil && *c[0].Text != "":
		return orderedjson.Encode(c[0].Text)
	}
	return orderedjson.Encode([]anthropicBlock(c))
}

// FromAnthropic reads messages of the messages API: a JSON array, or a request with messages and a
// system prompt. Each block of the system prompt becomes a message. Thinking is ignored. The
// results in a message become messages before its text, and its calls come after all its text.
func FromAnthropic(raw json.RawMessage) ([]protocol.Message, error) {
	list, rawSystem, err := decode[anthropicMessage](raw)
	if err != nil {
		return nil, err
	}
	var system anthropicContent
	if len(rawSystem) > 0 {
		if err := json.Unmarshal(rawSystem, &system); err != nil {
			return nil, &Error{-1, "system cannot be read: " + jsonerror.Explain(err).Error()}
		}
	}
	var messages []protocol.Message
	for _, b := range system {
		if b.Type != "text" {
			return nil, &Error{-1, fmt.Sprintf("system has a block of type %q; allowed is text", b.Type)}
		}
		messages = append(messages, protocol.Message{Role: protocol.RoleSystem, Content: b.text()})
	}
	for i := range list {
		read, wrong := list[i].read()
		if wrong != "" {
			return nil, &Error{i, wrong}
		}
		messages = append(messages, read...)
	}
	for i := range messages {
		messages[i].Origin = protocol.OriginImport
	}
	return messages, nil
}

func (b *anthropicBlock) text() string {
	if b.Text == nil {
		return ""
	}
	return *b.Text
}

// read returns the results of a message and then its other content, or what is wrong with it.
func (m *anthropicMessage) read() (list []protocol.Message, wrong string) {
	other := protocol.Message{Role: protocol.Role(m.Role)} // what is not a result
	if other.Role != protocol.RoleUser && other.Role != protocol.RoleAssistant {
		return nil, fmt.Sprintf("has the role %q; allowed are user and assistant", m.Role)
	}
	var c content
	for i := range m.Content {
		b := &m.Content[i]
		switch {
		case b.Type == "thinking" || b.Type == "redacted_thinking":
		case b.Type == "tool_use" && other.Role == protocol.RoleAssistant:
			var input bytes.Buffer
			if json.Compact(&input, b.Input) != nil { // the input is missing
				input.WriteString("{}")
			}
			call := protocol.ToolCall{ID: b.ID, Name: b.Name, Arguments: input.String()}
			other.ToolCalls = append(other.ToolCalls, call)
		case b.Type == "tool_result" && other.Role == protocol.RoleUser:
			result, wrong := b.result()
			if wrong != "" {
				return nil, wrong
			}
			list = append(list, result)
		default:
			if wrong := c.addBlock(b); wrong != "" {
				return nil, wrong
			}
		}
	}
	if other.Content, other.Images = c.text.String(), c.images; len(list) == 0 || !c.empty() {
		list = append(list, other)
	}
	return list, ""
}

// result reads a tool_result.
func (b *anthropicBlock) result() (m protocol.Message, wrong string) {
	if b.ToolUseID == "" {
		return m, "has a tool_result that does not name its call; it needs tool_use_id"
	}
	var c content
	if b.Content != nil {
		for i := range *b.Content {
			if wrong := c.addBlock(&(*b.Content)[i]); wrong != "" {
				return m, wrong
			}
		}
	}
	return protocol.Message{
		Role: protocol.RoleTool, ToolCallID: b.ToolUseID, Failed: b.IsError, Content: c.text.String(), Images: c.images,
	}, ""
}

// addBlock adds a text or an image, or returns what is wrong with the block.
func (c *content) addBlock(b *anthropicBlock) (wrong string) {
	switch {
	case b.Type == "text":
		c.addText(b.text())
		return ""
	case b.Type != "image" || b.Source == nil:
		return fmt.Sprintf("has a block of type %q, which is not allowed there", b.Type)
	}
	switch s := b.Source; s.Type {
	case "url":
		c.addImage(protocol.Image{URL: s.URL})
	case "base64":
		data, err := base64.StdEncoding.DecodeString(s.Data)
		if err != nil {
			return "has an image whose data are not base64"
		}
		c.addImage(protocol.Image{MediaType: s.MediaType, Data: data})
	default:
		return fmt.Sprintf("has an image of the source %q; allowed are base64 and url", s.Type)
	}
	return ""
}

// ToAnthropic writes messages for the messages API: an object with "messages" and, if the history
// begins with system messages, "system". FromAnthropic reads back the same text, images, calls and
// results, with two exceptions. A later system message becomes the user's, and the Detail of an
// image is omitted. Results and the user's next text become one message. Arguments that are not a
// JSON object are an error. So are messages with results as data, which engine.Session.Render
// writes as text.
func ToAnthropic(messages []protocol.Message) (json.RawMessage, error) {
	if err := checkText(messages); err != nil {
		return nil, err
	}
	request := anthropicRequest{Messages: []anthropicMessage{}}
	first := 0
	for ; first < len(messages) && messages[first].Role == protocol.RoleSystem; first++ {
		request.System = append(request.System, textBlock(messages[first].Content))
	}
	onlyResults := false // true if the last message of the request has only results
	for i := first; i < len(messages); i++ {
		m := &messages[i]
		blocks, err := anthropicBlocks(m, i)
		if err != nil {
			return nil, err
		}
		role := "user"
		if m.Role == protocol.RoleAssistant {
			role = "assistant"
		}
		if onlyResults && role == "user" && len(blocks) > 0 {
			last := &request.Messages[len(request.Messages)-1]
			last.Content = append(last.Content, blocks...)
		} else {
			request.Messages = append(request.Messages, anthropicMessage{role, blocks})
		}
		onlyResults = m.Role == protocol.RoleTool
	}
	raw, err := orderedjson.Encode(request)
	if err != nil { // the arguments of a call are nested as deep as JSON may be, and the request is deeper
		return nil, &Error{-1, err.Error()}
	}
	return raw, nil
}

// anthropicBlocks returns the content of a message. The content of a message of the role tool is
// one tool_result. Errors name the message by its index.
func anthropicBlocks(m *protocol.Message, index int) (anthropicContent, error) {
	var blocks anthropicContent
	for p := range m.Pieces() {
		if p.Image != nil {
			blocks = append(blocks, anthropicBlock{Type: "image", Source: anthropicImage(p.Image)})
			continue
		}
		blocks = append(blocks, textBlock(p.Text))
	}
	if m.Role == protocol.RoleTool {
		return anthropicContent{{
			Type: "tool_result", ToolUseID: m.ToolCallID, Content: &blocks,
			IsError: m.Failed,
		}}, nil
	}
	for _, c := range m.ToolCalls {
		if _, err := c.Request(); err != nil {
			return nil, &Error{
				index,
				fmt.Sprintf("calls %q with arguments that are not a JSON object, which the API does not take", c.Name),
			}
		}
		input := json.RawMessage(c.Arguments)
		if len(bytes.TrimSpace(input)) == 0 {
			input = json.RawMessage("{}")
		}
		blocks = append(blocks, anthropicBlock{Type: "tool_use", ID: c.ID, Name: c.Name, Input: input})
	}
	return blocks, nil
}

// anthropicImage returns the source of an image. A data URL becomes data, because the API does not
// accept it as a URL.
func anthropicImage(i *protocol.Image) *anthropicSource {
	if i.URL != "" {
		image := readImage(i.URL)
		if i = &image; i.URL != "" {
			return &anthropicSource{Type: "url", URL: i.URL}
		}
	}
	return &anthropicSource{Type: "base64", MediaType: i.MediaType, Data: base64.StdEncoding.EncodeToString(i.Data)}
}
