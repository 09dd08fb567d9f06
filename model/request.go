package model

import (
	"math"
	"slices"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/model/history"
	"github.com/vcpgo/vcp/protocol"
)

// maxStop is how many stop sequences servers take; OpenAI refuses a request with more.
const maxStop = 4

// request is what is sent to a model of that preset, with what is offered to it.
func (c *Client) request(name string, p *Preset, o *offer, req engine.ModelRequest) openai.ChatCompletionRequest {
	messages := p.arrange(req.Messages)
	out := openai.ChatCompletionRequest{
		Model:         name,
		Messages:      make([]openai.ChatCompletionMessage, len(messages)),
		StreamOptions: &openai.StreamOptions{IncludeUsage: true},
	}
	if p.Stop {
		out.Stop = req.Stop[:min(len(req.Stop), maxStop)]
	}
	for i := range messages {
		out.Messages[i] = wireMessage(o, &messages[i])
	}
	addTools(&out, o, req.NoCalls)
	if c.temperature != nil {
		// The library leaves out 0; the next number above means the same to every server.
		out.Temperature = max(*c.temperature, math.SmallestNonzeroFloat32)
	}
	return out
}

// arrange returns messages as the family's template takes them. What it is given stays as it is.
func (p *Preset) arrange(messages []protocol.Message) []protocol.Message {
	if !p.SystemRole {
		messages = withoutSystem(messages)
	}
	messages = history.MoveToolImages(messages)
	if p.MergeAdjacent {
		messages = merged(messages)
	}
	return messages
}

// withoutSystem puts what system messages say before the first words of the user.
func withoutSystem(messages []protocol.Message) []protocol.Message {
	var said []string
	others := make([]protocol.Message, 0, len(messages)+1)
	for _, m := range messages {
		if m.Role != protocol.RoleSystem {
			others = append(others, m)
		} else if m.Content != "" {
			said = append(said, m.Content)
		}
	}
	if len(said) == 0 {
		return others
	}
	opening := protocol.Message{Role: protocol.RoleUser, Content: strings.Join(said, "\n\n")}
	if len(others) > 0 && others[0].Role == protocol.RoleUser {
		others[0] = joined(&opening, &others[0])
		return others
	}
	return slices.Insert(others, 0, opening)
}

// merged joins messages of one role that follow each other. Outcomes of calls and their calls stay apart.
func merged(messages []protocol.Message) []protocol.Message {
	var list []protocol.Message
	for i := range messages {
		m := &messages[i]
		if n := len(list); n > 0 && list[n-1].Role == m.Role && m.Role != protocol.RoleTool && len(list[n-1].ToolCalls) == 0 {
			list[n-1] = joined(&list[n-1], m)
			continue
		}
		list = append(list, *m)
	}
	return list
}

// joined is two messages as one, with a paragraph's end between their texts.
func joined(a, b *protocol.Message) protocol.Message {
	m := *a
	m.ToolCalls = b.ToolCalls
	if m.Content != "" && b.Content != "" {
		m.Content += "\n\n"
	}
	m.Images = slices.Clip(m.Images)
	for _, image := range b.Images {
		image.At += len(m.Content)
		m.Images = append(m.Images, image)
	}
	m.Content += b.Content
	return m
}

// wireMessage is a message as the client library has it.
func wireMessage(o *offer, m *protocol.Message) openai.ChatCompletionMessage {
	out := openai.ChatCompletionMessage{
		Role: string(m.Role), Content: m.Content, ToolCalls: o.wireCalls(m.ToolCalls), ToolCallID: m.ToolCallID,
	}
	if len(m.Images) > 0 {
		out.Content, out.MultiContent = "", history.OpenAIParts(m)
	}
	if m.Content == "" && len(m.Images) == 0 && len(m.ToolCalls) == 0 {
		// The library leaves out empty content, and servers refuse a message without any.
		out.Content = " "
	}
	return out
}
