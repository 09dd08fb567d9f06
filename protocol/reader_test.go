package protocol_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/memorytest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/qwencoder"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// If the rest of the text were copied for each example, the memory would grow 64 times.
func TestReadingManyExamplesTakesLinearMemory(t *testing.T) {
	definition := protocol.ToolDefinition{ToolName: "a_b", Examples: []protocol.ToolRequest{{
		ToolName: "a_b", Arguments: []protocol.Argument{{Name: "x", Value: "y"}},
	}}}
	for _, p := range []interface {
		protocol.Protocol
		protocol.Reader
	}{vcp.Protocol{}, hermes.Protocol{}, qwencoder.Protocol{}} {
		t.Run(p.ID(), func(t *testing.T) {
			memory := func(definitions int) int {
				text := p.GenerateToolDefinitions(
					slices.Repeat([]protocol.ToolDefinition{definition}, definitions), protocol.PromptOptions{},
				)
				return memorytest.Allocated(func() {
					got, err := p.ParseToolDefinitions(text)
					require.NoError(t, err)
					require.Len(t, got, definitions)
					require.Len(t, got[definitions-1].Examples, 1)
				})
			}
			if few, many := memory(200), memory(1600); many > 16*few { // 8 times the definitions
				t.Errorf("200 definitions take %d bytes, and 1600 take %d", few, many)
			}
		})
	}
}
