package mcpserver_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/loopback"
	"github.com/vcpgo/vcp/mcpserver"
)

// post sends a request to the server over HTTP and returns the status. change may change the
// request before it is sent.
func post(t *testing.T, url, body string, change func(*http.Request)) (status int) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	change(r)
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	_, _ = io.Copy(io.Discard, resp.Body)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode
}

// TestStreamsOfNotificationsKeepNoRequestsOut opens as many sessions as the server allows, each
// with a stream of notifications that stays open. The clients can still send requests.
func TestStreamsOfNotificationsKeepNoRequestsOut(t *testing.T) {
	w := newWorld(t)
	s, err := loopback.Start(loopback.Options{
		Handler: w.server.Handler(), Connections: mcpserver.MaxConnections,
		Refuse: func(w http.ResponseWriter, code, _ string) { http.Error(w, code, http.StatusForbidden) },
	})
	require.NoError(t, err)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: mcpserver.MaxConnections}}
	t.Cleanup(func() {
		w.server.Close()
		client.CloseIdleConnections()
		require.NoError(t, s.Close(context.Background()))
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	// send returns the status, the session and the body of the response. It does not read the body
	// of a stream that was accepted; the stream stays open until the test ends.
	send := func(method, session, body string) (status int, sessionID, text string) {
		r, err := http.NewRequestWithContext(ctx, method, "http://"+s.Addr(), strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Mcp-Session-Id", session)
		resp, err := client.Do(r)
		require.NoError(t, err)
		t.Cleanup(func() { _ = resp.Body.Close() })
		if method != http.MethodGet || resp.StatusCode != http.StatusOK {
			whole, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			text = string(whole)
		}
		return resp.StatusCode, resp.Header.Get("Mcp-Session-Id"), text
	}

	var sessions []string
	for {
		status, session, _ := send(http.MethodPost, "", initialize)
		if status != http.StatusOK {
			break
		}
		send(http.MethodPost, session, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		status, _, _ = send(http.MethodGet, session, "")
		require.Equal(t, http.StatusOK, status)
		status, _, _ = send(http.MethodGet, session, "")
		require.NotEqual(t, http.StatusOK, status, "a session has one stream")
		sessions = append(sessions, session)
	}
	require.Len(t, sessions, mcpserver.MaxConnections/2)
	for _, session := range []string{sessions[0], sessions[len(sessions)-1]} {
		_, _, text := send(http.MethodPost, session, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
		require.Contains(t, text, "notes_write")
	}
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
	`"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

// serve serves the handler of a world until the test ends, and returns its URL.
func serve(t *testing.T) (url string) {
	t.Helper()
	w := newWorld(t)
	s := httptest.NewServer(w.server.Handler())
	t.Cleanup(s.Close)
	t.Cleanup(w.server.Close) // ends the streams of events, for which s.Close waits
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	return s.URL
}

func unchanged(*http.Request) {}

func TestTheHandlerServesProgramsOnly(t *testing.T) {
	url := serve(t)
	t.Run("a client of the SDK calls a tool after approval", func(t *testing.T) {
		var questions []string
		client := &http.Client{Transport: &http.Transport{}}
		defer client.CloseIdleConnections()
		transport := &sdk.StreamableClientTransport{Endpoint: url, HTTPClient: client}
		c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"},
			answers("accept", "allow", &questions)).Connect(t.Context(), transport, nil)
		require.NoError(t, err)
		require.Equal(t, "written", textOf(t, call(t, c, "notes_write", map[string]any{"line": "over HTTP"})))
		require.Len(t, questions, 1)
		require.NoError(t, c.Close())
	})
	for _, tt := range []struct {
		name   string
		change func(*http.Request)
		want   int // the status
	}{
		{"programs are served", unchanged, http.StatusOK},
		{"pages of other origins are refused", func(r *http.Request) {
			r.Header.Set("Origin", "https://evil.example")
		}, http.StatusForbidden},
		{"other sites are refused", func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
		}, http.StatusForbidden},
		{"other names of this machine are refused", func(r *http.Request) {
			r.Host = "evil.example"
		}, http.StatusForbidden},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, post(t, url, initialize, tt.change))
		})
	}
}

func TestALargeRequestIsRefused(t *testing.T) {
	body := strings.Repeat(" ", 4<<20+1) // one byte over the limit
	require.Equal(t, http.StatusRequestEntityTooLarge, post(t, serve(t), body, unchanged))
}

func TestAnUnknownSessionIsRefused(t *testing.T) {
	require.Equal(t, http.StatusNotFound, post(t, serve(t), initialize, func(r *http.Request) {
		r.Header.Set("Mcp-Session-Id", "x")
	}))
}

func TestSessionsAreLimited(t *testing.T) {
	url, status := serve(t), http.StatusOK
	for n := 0; status == http.StatusOK && n < 100; n++ {
		status = post(t, url, initialize, unchanged)
	}
	require.Equal(t, http.StatusBadRequest, status, "the SDK responds so if there is no room for a session")
}
