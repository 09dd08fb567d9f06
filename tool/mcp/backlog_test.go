package mcp

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/stretchr/testify/require"
)

func TestABacklogIsLimited(t *testing.T) {
	id, err := jsonrpc.MakeID("1")
	require.NoError(t, err)
	request := &jsonrpc.Request{ID: id, Method: "ping"}
	notification := &jsonrpc.Request{Method: "notifications/progress", Params: json.RawMessage(`{}`)}
	for _, c := range []struct {
		name    string
		message jsonrpc.Message
		size    int
		want    int // how many messages fit after one request
	}{
		{"requests", request, 50, maxUnanswered - 1},
		{"long requests", request, 1 << 20, 31},
		{"notifications", notification, 50, 31000},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &backlog{}
			for range 100_000 { // nothing waits, so nothing is counted
				require.NoError(t, b.received(notification, 1000))
			}
			require.NoError(t, b.received(request, 50))
			fits := 0
			for b.received(c.message, c.size) == nil {
				fits++
			}
			require.InDelta(t, c.want, fits, float64(c.want)/20)
			for range maxUnanswered + 10 {
				b.answered()
			}
			require.NoError(t, b.received(request, 50), "after all responses")
		})
	}
}
