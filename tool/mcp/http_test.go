package mcp_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/mcp"
)

// sdkServer is a server of the SDK over HTTP, with a tool that counts its calls.
type sdkServer struct {
	*httptest.Server
	calls atomic.Int32
	// during is called during each call, unless it is nil.
	during atomic.Pointer[func()]
}

// startSDKServer starts a server. versions are the protocol versions that it accepts; nil means
// all. wrap gets the server's handler and returns the handler to use.
func startSDKServer(
	t *testing.T, o *sdk.StreamableHTTPOptions, versions []string, wrap func(http.Handler) http.Handler,
) *sdkServer {
	t.Helper()
	s := &sdkServer{}
	server := sdk.NewServer(&sdk.Implementation{Name: "sdk", Version: "1"},
		&sdk.ServerOptions{SupportedProtocolVersions: versions})
	schema := json.RawMessage(`{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"string"}}}`)
	server.AddTool(&sdk.Tool{Name: "count", InputSchema: schema},
		func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			s.calls.Add(1)
			if during := s.during.Load(); during != nil {
				(*during)()
			}
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "counted"}}}, nil
		})
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, o)
	s.Server = httptest.NewServer(wrap(handler))
	t.Cleanup(func() {
		for session := range server.Sessions() {
			_ = session.Close()
		}
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// unwrapped is a wrap for startSDKServer that returns the handler unchanged.
func unwrapped(h http.Handler) http.Handler { return h }

func TestHeadersAreSentAndStaySecret(t *testing.T) {
	s := startSDKServer(t, nil, nil, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer "+secret {
				http.Error(w, "who is "+r.Header.Get("Authorization")+"?", http.StatusUnauthorized)
				return
			}
			h.ServeHTTP(w, r)
		})
	})
	c := mcp.Config{Name: "s", URL: s.URL + "?key=" + secret, Headers: map[string]string{"authorization": "Bearer " + secret}}
	connected := start(t, c)
	require.Equal(t, "counted", connected.says("s/count"))
	require.Contains(t, connected.registry.Secrets(), secret, "so that no stored conversation contains it")

	c.Headers["authorization"] = "Bearer wrong-" + secret
	w := start(t, c)
	require.Equal(t, tool.HealthDown, w.state().Health)
	require.Contains(t, w.state().Reason, "401 Unauthorized; configure the headers that it needs")
	require.NotContains(t, w.state().Reason, secret)
}

// The server repeats its address in the error of each call.
func TestTokensInAddressesStaySecret(t *testing.T) {
	const token = "tok-9f8e7d6c5b4a39281706xyz"
	s := startSDKServer(t, nil, nil, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			var request struct {
				ID     json.RawMessage `json:"id"`
				Method string          `json:"method"`
			}
			if json.Unmarshal(body, &request) == nil && request.Method == "tools/call" {
				user, password, _ := r.BasicAuth()
				message, _ := json.Marshal(strings.Join([]string{r.URL.String(), user, password, r.Header.Get("Authorization")}, " "))
				w.Header().Set("Content-Type", "application/json")
				_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":%s}}`, request.ID, message)
				return
			}
			h.ServeHTTP(w, r)
		})
	})
	host := strings.TrimPrefix(s.URL, "http://")
	for name, url := range map[string]string{
		"the user":             "http://" + token + "@" + host + "/mcp",
		"before a password":    "http://" + token + ":x-oauth-basic@" + host + "/mcp",
		"the password":         "http://ann:" + token + "@" + host + "/mcp",
		"a parameter":          "http://" + host + "/mcp?x=" + token,
		"a part of the path":   "http://" + host + "/s/" + token + "/mcp",
		"parameters without &": "http://" + host + "/mcp?v=2;x=" + token,
	} {
		t.Run(name, func(t *testing.T) {
			w := start(t, mcp.Config{Name: "s", URL: url})
			require.Contains(t, w.registry.Secrets(), token, "so that no stored conversation contains it")
			result := w.call("s/count").ToolResult.Result
			require.Contains(t, result, "[secret]")
			require.NotContains(t, result, token)
			require.NotContains(t, result, base64.StdEncoding.EncodeToString([]byte(token)))
		})
	}
}

func TestAnUnreachableServerIsDownWithTheReason(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	pages := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<html>hello</html>"))
	}))
	defer pages.Close()
	endless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for r.Context().Err() == nil {
			if _, err := w.Write([]byte(strings.Repeat(" ", 1<<20))); err != nil {
				return
			}
		}
	}))
	defer endless.Close()
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // net/http notices a closed connection only after the body was read
		<-r.Context().Done()
	}))
	defer silent.Close()
	other := startSDKServer(t, nil, nil, unwrapped)
	moved := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	defer moved.Close()
	for name, tt := range map[string]struct{ url, want string }{
		"nobody listens":               {closed.URL, "refused"},
		"a web page":                   {pages.URL, "text/html"},
		"an endless response":          {endless.URL, "more than 16 MiB"},
		"no response":                  {silent.URL, "did not answer the handshake within"},
		"a redirect to another origin": {moved.URL, "another origin, " + other.URL},
	} {
		t.Run(name, func(t *testing.T) {
			c := mcp.Config{Name: "s", URL: tt.url, ConnectTimeout: 5 * time.Second}
			if name == "no response" {
				c.ConnectTimeout = 300 * time.Millisecond
			}
			w := start(t, c)
			require.Equal(t, tool.HealthDown, w.state().Health)
			require.Contains(t, w.state().Reason, tt.want)
		})
	}
	require.Zero(t, other.calls.Load())
}

func TestRedirectsWithinTheOriginAreFollowed(t *testing.T) {
	s := startSDKServer(t, nil, nil, func(h http.Handler) http.Handler {
		mux := http.NewServeMux()
		mux.Handle("/mcp/", h)
		mux.Handle("/mcp", http.RedirectHandler("/mcp/", http.StatusTemporaryRedirect))
		return mux
	})
	require.Equal(t, "counted", start(t, mcp.Config{Name: "s", URL: s.URL + "/mcp"}).says("s/count"))
}

// TestEachVersionOfTheProtocolWorks connects to servers that support only one version of the
// protocol, or only one form of the transport.
func TestEachVersionOfTheProtocolWorks(t *testing.T) {
	for name, tt := range map[string]struct {
		options  *sdk.StreamableHTTPOptions
		versions []string
	}{
		"oldest version":                  {nil, []string{"2024-11-05"}},
		"newest version with a handshake": {nil, []string{"2025-11-25"}},
		"version without a handshake":     {&sdk.StreamableHTTPOptions{Stateless: true}, []string{"2026-07-28"}},
		"responses without event streams": {&sdk.StreamableHTTPOptions{JSONResponse: true}, nil},
		"no sessions":                     {&sdk.StreamableHTTPOptions{Stateless: true}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := startSDKServer(t, tt.options, tt.versions, unwrapped)
			w := start(t, mcp.Config{Name: "s", URL: s.URL})
			require.Equal(t, tool.HealthUp, w.state().Health, w.state().Reason)
			require.Equal(t, []string{"z", "a"}, parameters(w.entry("s/count")), "the order is the server's")
			require.Equal(t, "counted", w.says("s/count"))
			require.EqualValues(t, 1, s.calls.Load())
		})
	}
}

func TestACallOverHTTPIsNotSentAgain(t *testing.T) {
	s := startSDKServer(t, nil, nil, unwrapped)
	w := start(t, mcp.Config{Name: "s", URL: s.URL})
	closeConnections := s.CloseClientConnections
	s.during.Store(&closeConnections)
	r := w.call("s/count")
	require.Equal(t, executor.ErrorExecutionFailed, r.ErrorType)
	require.EqualValues(t, 1, s.calls.Load())
	s.during.Store(nil)
	w.eventually("the connection is back", func() bool { return w.call("s/count").ErrorType == "" })
}

// TestARefusedSessionIsReplaced calls a server that refuses the session, as after a restart.
func TestARefusedSessionIsReplaced(t *testing.T) {
	var forget atomic.Bool
	s := startSDKServer(t, nil, nil, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if forget.Load() && r.Header.Get("Mcp-Session-Id") != "" {
				http.Error(w, "session not found", http.StatusNotFound)
				return
			}
			h.ServeHTTP(w, r)
		})
	})
	w := start(t, mcp.Config{Name: "s", URL: s.URL})
	forget.Store(true)
	r := w.call("s/count")
	require.Equal(t, executor.ErrorExecutionFailed, r.ErrorType)
	require.Contains(t, r.ToolResult.Result, "did not take the call, so nothing was done")
	require.Zero(t, s.calls.Load())
	forget.Store(false)
	w.eventually("the next call works", func() bool { return w.call("s/count").ErrorType == "" })
	require.EqualValues(t, 1, s.calls.Load())
}
