package protocol_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol"
)

func TestToolResultsOfEarlierVersionsAreRead(t *testing.T) {
	want := protocol.ToolResult{ResultID: "7", ToolName: "clock_now", Status: protocol.StatusSuccess, Result: "noon"}
	current, err := json.Marshal(want)
	require.NoError(t, err)
	for name, data := range map[string]string{
		"this version":       string(current),
		"an earlier version": `{"requestId":"7","toolName":"clock_now","status":"success","result":"noon"}`,
	} {
		t.Run(name, func(t *testing.T) {
			var got protocol.ToolResult
			require.NoError(t, json.Unmarshal([]byte(data), &got))
			require.Empty(t, cmp.Diff(want, got))
		})
	}
}
