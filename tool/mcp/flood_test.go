package mcp_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool/mcp"
)

// pingingServer starts a server over HTTP that sends pings during a call, and never takes a
// response to them.
func pingingServer(t *testing.T) *httptest.Server {
	t.Helper()
	closed := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ ProtocolVersion string }
		}
		_ = json.Unmarshal(body, &m)
		answer := func(result string) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
		}
		switch {
		case m.Method == "initialize":
			answer(fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}`,
				m.Params.ProtocolVersion))
		case m.Method == "tools/list":
			answer(`{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}`)
		case m.Method == "tools/call":
			w.Header().Set("Content-Type", "text/event-stream")
			for i := 0; r.Context().Err() == nil; i++ {
				fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"ping\"}\n\n", i)
			}
		case m.Method == "" && len(body) > 0: // a response
			select {
			case <-closed:
			case <-r.Context().Done():
			}
		case len(m.ID) == 0:
			w.WriteHeader(http.StatusAccepted)
		default:
			w.WriteHeader(http.StatusMethodNotAllowed)
		}
	}))
	t.Cleanup(func() {
		close(closed)
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// A server may send requests and not read the responses, whose backlog is limited. Its source can
// still be closed: start closes the source at the end of the test.
func TestAFloodOfPingsEndsTheConnection(t *testing.T) {
	for name, config := range map[string]mcp.Config{
		"stdio": testServerConfig(t, "pings"),
		"HTTP":  {Name: "s", URL: pingingServer(t).URL},
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, config).call("s/echo")
			require.Contains(t, r.ToolResult.Result, "the server sends requests and does not read the responses")
		})
	}
}

func TestASourceIsClosedWhileAResponseIsWritten(t *testing.T) {
	c := testServerConfig(t, "few long pings")
	c.Timeout = 200 * time.Millisecond
	require.Equal(t, "timeout", start(t, c).call("s/echo").ErrorType)
}
