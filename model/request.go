package model

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/model/history"
	"github.com/vcpgo/vcp/protocol"
)

// maxStop is how many stop sequences servers accept; OpenAI refuses a request with more.
const maxStop = 4

// A chatRequest is a request for a reply.
type chatRequest struct {
	openai.ChatCompletionRequest
	Tools json.RawMessage `json:"tools,omitempty"` // go-openai would change the order of the members
}

// newRequest returns the request for a reply of the named model, or an error if the model cannot
// accept it. A nil temperature is not sent.
func newRequest(
	model string, p *Preset, temperature *float32, tools *toolDefinitions, req engine.ModelRequest,
) (*chatRequest, error) {
	messages := p.arrange(req.Messages)
	out := &chatRequest{ChatCompletionRequest: openai.ChatCompletionRequest{
		Model:         model,
		Messages:      make([]openai.ChatCompletionMessage, len(messages)),
		Stream:        true,
		StreamOptions: &openai.StreamOptions{IncludeUsage: true},
	}}
	for i := range messages {
		out.Messages[i] = newMessage(tools, &messages[i])
	}
	if p.Stop {
		out.Stop = req.Stop[:min(len(req.Stop), maxStop)]
	}
	if tools != nil {
		if out.Tools = tools.json; req.NoCalls {
			out.ToolChoice = "none"
		}
	}
	if temperature != nil {
		// go-openai omits 0; the smallest positive number means the same to every server.
		out.Temperature = cmp.Or(*temperature, math.SmallestNonzeroFloat32)
	}
	if err := openai.NewReasoningValidator().Validate(out.ChatCompletionRequest); err != nil {
		return nil, requestFault(err)
	}
	return out, nil
}

func newMessage(tools *toolDefinitions, m *protocol.Message) openai.ChatCompletionMessage {
	out := openai.ChatCompletionMessage{
		Role: string(m.Role), Content: m.Content, ToolCalls: tools.calls(m.ToolCalls), ToolCallID: m.ToolCallID,
	}
	switch {
	case len(m.Images) > 0:
		out.Content, out.MultiContent = "", history.OpenAIParts(m)
	case m.Content == "" && len(m.ToolCalls) == 0:
		out.Content = " " // go-openai omits empty content, and servers refuse a message without any
	}
	return out
}

// arrange returns messages as the family's template accepts them. It does not change its argument.
func (p *Preset) arrange(messages []protocol.Message) []protocol.Message {
	if !p.SystemRole {
		messages = moveSystem(messages)
	}
	messages = history.MoveToolImages(messages)
	if p.MergeAdjacent {
		messages = mergeAdjacent(messages)
	}
	return messages
}

// moveSystem moves the text of all system messages to the beginning. The text goes into the first
// message if that is the user's, else into a user message before it.
func moveSystem(messages []protocol.Message) []protocol.Message {
	var system []string
	others := make([]protocol.Message, 0, len(messages)+1)
	for _, m := range messages {
		if m.Role != protocol.RoleSystem {
			others = append(others, m)
		} else if m.Content != "" {
			system = append(system, m.Content)
		}
	}
	if len(system) == 0 {
		return others
	}
	first := protocol.Message{Role: protocol.RoleUser, Content: strings.Join(system, "\n\n")}
	if len(others) > 0 && others[0].Role == protocol.RoleUser {
		others[0] = merge(first, others[0])
		return others
	}
	return slices.Insert(others, 0, first)
}

// mergeAdjacent merges adjacent messages of one role, except results and messages after calls.
func mergeAdjacent(messages []protocol.Message) []protocol.Message {
	var list []protocol.Message
	for len(messages) > 0 {
		n := 1
		for n < len(messages) && mergeable(&messages[n-1], &messages[n]) {
			n++
		}
		list = append(list, merge(messages[:n]...))
		messages = messages[n:]
	}
	return list
}

// mergeable reports whether two adjacent messages may become one.
func mergeable(a, b *protocol.Message) bool {
	return a.Role == b.Role && b.Role != protocol.RoleTool && len(a.ToolCalls) == 0
}

// merge returns messages as one, with a blank line between their texts. Only the last may have
// calls.
func merge(messages ...protocol.Message) protocol.Message {
	if len(messages) == 1 {
		return messages[0]
	}
	var text strings.Builder
	var images []protocol.Image
	for _, m := range messages {
		if text.Len() > 0 && m.Content != "" {
			text.WriteString("\n\n")
		}
		for _, image := range m.Images {
			image.At += text.Len()
			images = append(images, image)
		}
		text.WriteString(m.Content)
	}
	merged := messages[0]
	merged.Content, merged.Images, merged.ToolCalls = text.String(), images, messages[len(messages)-1].ToolCalls
	return merged
}
