package model

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

// The messages of the messages API.
type (
	anthropicRequest struct {
		System   json.RawMessage    `json:"system,omitempty"`
		Messages []anthropicMessage `json:"messages"`
	}
	anthropicMessage struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	anthropicBlock struct {
		Type string `json:"type"`
		Text string `json:"text,omitempty"`

		Source *anthropicSource `json:"source,omitempty"` // of an image

		ID    string          `json:"id,omitempty"` // of a tool_use
		Name  string          `json:"name,omitempty"`
		Input json.RawMessage `json:"input,omitempty"`

		ToolUseID string          `json:"tool_use_id,omitempty"` // of a tool_result
		Content   json.RawMessage `json:"content,omitempty"`
		IsError   bool            `json:"is_error,omitempty"`
	}
	anthropicSource struct {
		Type      string `json:"type"`
		MediaType string `json:"media_type,omitempty"`
		Data      string `json:"data,omitempty"`
		URL       string `json:"url,omitempty"`
	}
)

// FromAnthropic reads messages in the shape of the messages API: a JSON array, or a request that
// holds them and a system prompt. Text, images, calls and results are kept, each block of the
// system prompt as a message of its own; thinking is left out. In a user's message results come
// before what the user says, and in an assistant's message calls come last. All messages have the
// origin protocol.OriginImport, so that what they say is foreign text. Other kinds of content are a
// *HistoryError.
func FromAnthropic(raw json.RawMessage) ([]protocol.Message, error) {
	var request anthropicRequest
	if err := readMessages(raw, &request, &request.Messages); err != nil {
		return nil, err
	}
	messages, err := readSystem(request.System)
	if err != nil {
		return nil, err
	}
	for i := range request.Messages {
		list, wrong := request.Messages[i].read()
		if wrong != "" {
			return nil, &HistoryError{i, wrong}
		}
		messages = append(messages, list...)
	}
	for i := range messages {
		messages[i].Origin = protocol.OriginImport
	}
	return messages, nil
}

func readSystem(raw json.RawMessage) ([]protocol.Message, error) {
	text, blocks, err := contentParts[anthropicBlock](raw)
	if err != nil {
		return nil, &HistoryError{-1, "system is neither a text nor a list of blocks"}
	}
	if text != "" {
		return []protocol.Message{{Role: protocol.RoleSystem, Content: text}}, nil
	}
	var list []protocol.Message
	for _, b := range blocks {
		if b.Type != "text" {
			return nil, &HistoryError{-1, fmt.Sprintf("system has a block of type %q; allowed is text", b.Type)}
		}
		list = append(list, protocol.Message{Role: protocol.RoleSystem, Content: b.Text})
	}
	return list, nil
}

// read returns what a message holds: results, and then what its role says; or what is wrong with it.
func (m *anthropicMessage) read() (list []protocol.Message, wrong string) {
	if m.Role != "user" && m.Role != "assistant" {
		return nil, fmt.Sprintf("has the role %q; allowed are user and assistant", m.Role)
	}
	said := protocol.Message{Role: protocol.Role(m.Role)}
	text, blocks, err := contentParts[anthropicBlock](m.Content)
	if err != nil {
		return nil, "has content that is neither a text nor a list of blocks"
	}
	var b body
	for i := range blocks {
		block := &blocks[i]
		switch {
		case block.Type == "thinking" || block.Type == "redacted_thinking":
		case block.Type == "tool_use" && said.Role == protocol.RoleAssistant:
			var input bytes.Buffer
			if json.Compact(&input, block.Input) != nil {
				input.WriteString("{}")
			}
			said.ToolCalls = append(said.ToolCalls, protocol.ToolCall{ID: block.ID, Name: block.Name, Arguments: input.String()})
		case block.Type == "tool_result" && said.Role == protocol.RoleUser:
			result, wrong := block.result()
			if wrong != "" {
				return nil, wrong
			}
			list = append(list, result)
		default:
			if wrong := b.block(block); wrong != "" {
				return nil, wrong
			}
		}
	}
	if said.Content, said.Images = text+b.text.String(), b.images; len(list) == 0 || !b.empty() {
		list = append(list, said)
	}
	return list, ""
}

// result reads a tool_result.
func (r *anthropicBlock) result() (m protocol.Message, wrong string) {
	if r.ToolUseID == "" {
		return m, "has a tool_result that does not say of which call it is; it needs tool_use_id"
	}
	text, blocks, err := contentParts[anthropicBlock](r.Content)
	if err != nil {
		return m, "has a tool_result whose content is neither a text nor a list of blocks"
	}
	var b body
	for i := range blocks {
		if wrong := b.block(&blocks[i]); wrong != "" {
			return m, wrong
		}
	}
	return protocol.Message{
		Role: protocol.RoleTool, ToolCallID: r.ToolUseID, Failed: r.IsError, Content: text + b.text.String(), Images: b.images,
	}, ""
}

// block adds a block of text or an image, or returns what is wrong with it.
func (b *body) block(block *anthropicBlock) (wrong string) {
	switch {
	case block.Type == "text":
		b.add(block.Text)
		return ""
	case block.Type == "image" && block.Source != nil:
		switch s := block.Source; s.Type {
		case "url":
			b.addImage(protocol.Image{URL: s.URL})
			return ""
		case "base64":
			data, err := base64.StdEncoding.DecodeString(s.Data)
			if err != nil {
				return "has an image whose data are not base64"
			}
			b.addImage(protocol.Image{MediaType: s.MediaType, Data: data})
			return ""
		default:
			return fmt.Sprintf("has an image of the source %q; allowed are base64 and url", s.Type)
		}
	}
	return fmt.Sprintf("has a block of type %q, which has no place there", block.Type)
}

// ToAnthropic writes messages in the shape of the messages API: an object with "messages" and,
// where there is one, "system". It takes back what FromAnthropic gave. Results and what the user
// says next become one message. A system message in the middle of a conversation becomes the
// user's, since the API has none there. Arguments that are not a JSON object are a *HistoryError,
// and so are messages that hold results as data: engine.Session.Render writes them as text. Details
// of images are left out.
func ToAnthropic(messages []protocol.Message) (json.RawMessage, error) {
	if err := refuseData(messages); err != nil {
		return nil, err
	}
	var request anthropicRequest
	request.Messages = []anthropicMessage{}
	first := 0
	for first < len(messages) && messages[first].Role == protocol.RoleSystem {
		first++
	}
	var err error
	if request.System, err = writeSystem(messages[:first]); err != nil {
		return nil, err
	}
	var results []anthropicBlock // that wait for what the user says next
	flush := func() error {
		if len(results) == 0 {
			return nil
		}
		content, err := encodeJSON(results)
		request.Messages, results = append(request.Messages, anthropicMessage{"user", content}), nil
		return err
	}
	for i := first; i < len(messages); i++ {
		m := &messages[i]
		if m.Role == protocol.RoleTool {
			block, err := writeResult(m)
			if err != nil {
				return nil, err
			}
			results = append(results, block)
			continue
		}
		blocks, err := writeBlocks(m, i)
		if err != nil {
			return nil, err
		}
		role := "user"
		if m.Role == protocol.RoleAssistant {
			role = "assistant"
		}
		if role == "user" && len(blocks) > 0 && len(results) > 0 {
			results = append(results, blocks...)
			if err := flush(); err != nil {
				return nil, err
			}
			continue
		}
		if err := flush(); err != nil {
			return nil, err
		}
		content, err := writeContent(m, blocks)
		if err != nil {
			return nil, err
		}
		request.Messages = append(request.Messages, anthropicMessage{role, content})
	}
	if err := flush(); err != nil {
		return nil, err
	}
	return encodeJSON(request)
}

func writeSystem(list []protocol.Message) (json.RawMessage, error) {
	switch len(list) {
	case 0:
		return nil, nil
	case 1:
		if list[0].Content != "" {
			return encodeJSON(list[0].Content)
		}
	}
	var blocks []anthropicText
	for _, m := range list {
		blocks = append(blocks, anthropicText{"text", m.Content})
	}
	return encodeJSON(blocks)
}

// anthropicText is a block of text that may be empty.
type anthropicText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// writeContent is text alone where a message holds no more.
func writeContent(m *protocol.Message, blocks []anthropicBlock) (json.RawMessage, error) {
	if len(m.Images) == 0 && len(m.ToolCalls) == 0 {
		return encodeJSON(m.Content)
	}
	return encodeJSON(blocks)
}

// writeBlocks are the text, the images and the calls of the message with that index.
func writeBlocks(m *protocol.Message, index int) ([]anthropicBlock, error) {
	var blocks []anthropicBlock
	for p := range m.Pieces() {
		if p.Image == nil {
			blocks = append(blocks, anthropicBlock{Type: "text", Text: p.Text})
			continue
		}
		blocks = append(blocks, anthropicBlock{Type: "image", Source: writeSource(p.Image)})
	}
	for _, c := range m.ToolCalls {
		if _, err := c.Request(); err != nil {
			return nil, &HistoryError{index, fmt.Sprintf("calls %q with arguments that are not a JSON object, which the API does not take", c.Name)}
		}
		input := json.RawMessage(c.Arguments)
		if strings.TrimSpace(c.Arguments) == "" {
			input = json.RawMessage("{}")
		}
		blocks = append(blocks, anthropicBlock{Type: "tool_use", ID: c.ID, Name: c.Name, Input: input})
	}
	return blocks, nil
}

// writeSource is an image as the API has it. A data URL that holds one is not taken as a URL.
func writeSource(i *protocol.Image) *anthropicSource {
	if data, ok := dataImage(i.URL); ok {
		i = &data
	}
	if i.URL != "" {
		return &anthropicSource{Type: "url", URL: i.URL}
	}
	return &anthropicSource{Type: "base64", MediaType: i.MediaType, Data: base64.StdEncoding.EncodeToString(i.Data)}
}

// writeResult is a message of the role tool as a block.
func writeResult(m *protocol.Message) (anthropicBlock, error) {
	var blocks []anthropicBlock
	for p := range m.Pieces() {
		if p.Image == nil {
			blocks = append(blocks, anthropicBlock{Type: "text", Text: p.Text})
			continue
		}
		blocks = append(blocks, anthropicBlock{Type: "image", Source: writeSource(p.Image)})
	}
	content, err := writeContent(m, blocks)
	return anthropicBlock{Type: "tool_result", ToolUseID: m.ToolCallID, Content: content, IsError: m.Failed}, err
}
