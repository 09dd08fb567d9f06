package engine

import (
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

// tokens estimates the tokens of a text.
func (e *Engine) tokens(s string) int {
	if estimate := e.options.EstimateTokens; estimate != nil {
		return estimate(text.Valid(s))
	}
	return protocol.EstimateTokens(s)
}

// messageTokens estimates the cost of a message.
func (e *Engine) messageTokens(m *protocol.Message) int {
	n := e.tokens(m.Content) + len(m.Images)*imageTokens
	for i := range m.ToolCalls {
		n += e.tokens(m.ToolCalls[i].Name) + e.tokens(m.ToolCalls[i].Arguments)
	}
	return n
}

// imageTokens is roughly the cost of a picture of common size; models differ widely.
const imageTokens = 800
