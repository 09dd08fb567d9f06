package engine_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol"
)

// TestAnIterationAllocatesLittle checks that an iteration allocates little, even if the
// conversation is long. BenchmarkIteration measures the time; allocations are the same on each
// machine.
func TestAnIterationAllocatesLittle(t *testing.T) {
	line := "An ordinary line of a text that a tool returned, say.\n"
	page := strings.Repeat(line, 40<<10/len(line))
	fromTool := func(text string) protocol.Message {
		return protocol.Message{Role: protocol.RoleUser, Origin: protocol.OriginTool, Results: []protocol.ToolResult{
			{ResultID: "0.1", ToolName: "t_page", Status: protocol.StatusSuccess, Result: text},
		}}
	}
	for _, tt := range []struct {
		name     string
		messages []protocol.Message
		limit    float64 // of the allocations of an iteration; somewhat more than were measured
	}{
		{"a question", conversationOf(1), 65},
		{"a history of 1000 messages", conversationOf(1000), 65},
		{"a result of 40 KB", append([]protocol.Message{fromTool(page)}, conversationOf(1)...), 65},
		{ // the call is compared with the result, because both name the method
			"a result that names the method",
			append([]protocol.Message{fromTool(page + "t_echo")}, conversationOf(1)...), 90,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			few, many := turnFuncAfter(t, tt.messages, 1), turnFuncAfter(t, tt.messages, manyCalls)
			allocations := (testing.AllocsPerRun(100, many) - testing.AllocsPerRun(100, few)) / (manyCalls - 1)
			t.Logf("%.1f allocations", allocations)
			require.LessOrEqual(t, allocations, tt.limit)
		})
	}
}
