package engine

import (
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

// tokenCounter estimates how many tokens texts cost.
type tokenCounter struct{ estimate protocol.TokenEstimator } // nil means protocol.EstimateTokens

// text returns the estimated tokens of a text.
func (c tokenCounter) text(s string) int {
	if c.estimate != nil {
		return c.estimate(text.Valid(s))
	}
	return protocol.EstimateTokens(s)
}

// message returns the estimated tokens of a message.
func (c tokenCounter) message(m *protocol.Message) int {
	n := c.text(m.Content) + len(m.Images)*imageTokens
	for i := range m.ToolCalls {
		n += c.text(m.ToolCalls[i].Name) + c.text(m.ToolCalls[i].Arguments)
	}
	return n
}

// imageTokens is roughly the cost of a picture of common size; models differ widely.
const imageTokens = 800
