package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/mcpserver"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// notes is a tool with methods that read, write and wait. It keeps the lines that were written.
type notes struct {
	mu      sync.Mutex
	written []string
	begun   chan struct{} // receives a value when "wait" begins
	ended   chan error    // receives the error with which the context of "wait" ended
}

type line struct {
	Line string `json:"line" jsonschema:"the text"`
	Key  string `json:"key,omitempty"`
}

func (n *notes) tool(t *testing.T) tool.Tool {
	t.Helper()
	read, err := tool.New("read", "Reads all notes.", func(context.Context, struct{}) (string, error) {
		n.mu.Lock()
		defer n.mu.Unlock()
		return strings.Join(n.written, "\n"), nil
	}, tool.AgentCallable(), tool.WithRisk(tool.RiskRead))
	require.NoError(t, err)
	write, err := tool.New("write", "Writes a note.", func(ctx context.Context, in line) (string, error) {
		tool.Progress(ctx, "half")
		n.mu.Lock()
		defer n.mu.Unlock()
		n.written = append(n.written, in.Line)
		return "written", nil
	}, tool.AgentCallable(), tool.WithRisk(tool.RiskDangerous), tool.SecretParameters("key"))
	require.NoError(t, err)
	draw, err := tool.New("draw", "Draws.", func(context.Context, struct{}) (tool.Output, error) {
		return tool.Output{Text: "drawn", Details: map[string]any{"private": "details"}, Files: []tool.File{
			{Name: "a.png", MediaType: "image/png", Data: []byte("PNG")},
			{Name: "a b.csv", MediaType: "text/csv", Data: []byte("1,2")},
		}}, nil
	}, tool.AgentCallable(), tool.WithRisk(tool.RiskRead))
	require.NoError(t, err)
	wait, err := tool.New("wait", "Waits.", func(ctx context.Context, _ struct{}) (string, error) {
		n.begun <- struct{}{}
		<-ctx.Done()
		n.ended <- context.Cause(ctx)
		return "", ctx.Err()
	}, tool.AgentCallable(), tool.WithRisk(tool.RiskRead))
	require.NoError(t, err)
	hidden, err := tool.New("hidden", "For the application.", func(context.Context, struct{}) (string, error) { return "", nil })
	require.NoError(t, err)
	return tool.Tool{ID: "notes", Methods: []tool.Method{read, write, draw, wait, hidden}}
}

// world is a server with one tool, and the audit records of its calls.
type world struct {
	*testing.T
	notes    notes
	registry *tool.Registry
	server   *mcpserver.Server
	mu       sync.Mutex
	audit    []executor.AuditRecord
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{T: t, registry: tool.NewRegistry()}
	w.notes.begun, w.notes.ended = make(chan struct{}, 1), make(chan error, 1)
	require.NoError(t, w.registry.Register(w.notes.tool(t)))
	config := engine.DefaultConfig()
	config.ResultTokens = 0
	config.Approve = policy.ApproveWrite
	quiet := slog.New(slog.DiscardHandler)
	e, err := engine.New(engine.Options{
		Registry: w.registry, Protocols: []protocol.Protocol{vcp.Protocol{}}, Config: config, Logger: quiet,
		Approver: mcpserver.Approve, Middlewares: []tool.Middleware{mcpserver.Progress},
		Audit: func(_ context.Context, r executor.AuditRecord) error {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.audit = append(w.audit, r)
			return nil
		},
	})
	require.NoError(t, err)
	w.server, err = mcpserver.New(mcpserver.Options{Engine: e, Registry: w.registry, Logger: quiet})
	require.NoError(t, err)
	t.Cleanup(w.server.Close)
	return w
}

// connect connects a client of the SDK over streams.
func (w *world) connect(o *sdk.ClientOptions) *sdk.ClientSession {
	w.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- w.server.ServeStreams(context.Background(), in, out) }()
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, o).
		Connect(w.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	require.NoError(w, err)
	w.Cleanup(func() {
		_ = c.Close()
		require.NoError(w, <-served)
	})
	return c
}

// call calls a tool and returns its result.
func call(t *testing.T, c *sdk.ClientSession, name string, arguments any) *sdk.CallToolResult {
	t.Helper()
	r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	require.NoError(t, err)
	return r
}

// textOf returns the first content of a result, which must be text.
func textOf(t *testing.T, r *sdk.CallToolResult) string {
	t.Helper()
	text, ok := r.Content[0].(*sdk.TextContent)
	require.True(t, ok)
	return text.Text
}

// answers returns the options of a client that gives the same answer to each elicitation. It adds
// the text of each elicitation to questions.
func answers(action, decision string, questions *[]string) *sdk.ClientOptions {
	return &sdk.ClientOptions{ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		*questions = append(*questions, r.Params.Message)
		result := &sdk.ElicitResult{Action: action}
		if decision != "" {
			result.Content = map[string]any{"decision": decision}
		}
		return result, nil
	}}
}

func TestClientsSeeWhatModelsMayCall(t *testing.T) {
	w := newWorld(t)
	c := w.connect(nil)
	tools, err := c.ListTools(t.Context(), nil)
	require.NoError(t, err)
	hints := map[string]*sdk.ToolAnnotations{}
	for _, d := range tools.Tools {
		hints[d.Name] = d.Annotations
	}
	require.Len(t, hints, 4)
	require.True(t, hints["notes_read"].ReadOnlyHint)
	require.False(t, hints["notes_write"].ReadOnlyHint)
	require.True(t, *hints["notes_write"].DestructiveHint)
	_, err = c.CallTool(t.Context(), &sdk.CallToolParams{Name: "notes_hidden"})
	require.Error(t, err)
}

func TestArgumentsAreCheckedByTheSchemaOfTheMethod(t *testing.T) {
	w := newWorld(t)
	var questions []string
	c := w.connect(answers("accept", "allow", &questions))
	for _, arguments := range []string{`{}`, `{"line":{"a":1}}`, `{"line":"a","unknown":["x"],"key":[]}`} {
		r := call(t, c, "notes_write", json.RawMessage(arguments))
		require.True(t, r.IsError, arguments)
		require.Contains(t, textOf(t, r), executor.ErrorInvalidArguments)
	}
	require.Empty(t, questions)
	require.Empty(t, w.notes.written)
}

func TestThePersonAtTheClientDecides(t *testing.T) {
	for _, tt := range []struct {
		name, action, decision string
		written, questions     int
		reason                 string
	}{
		{"allowed once", "accept", "allow", 2, 2, ""},
		{"allowed for the session, but dangerous calls only with the same arguments", "accept", "allow for this session", 2, 1, ""},
		{"denied in the form", "accept", "deny", 0, 2, "did not allow"},
		{"declined", "decline", "", 0, 2, "did not allow"},
		{"dismissed", "cancel", "", 0, 2, "dismissed"},
		{"a decision that the form does not offer", "accept", "whatever", 0, 2, "unavailable"},
		{"a form without a decision", "accept", "", 0, 2, "did not allow"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			var questions []string
			c := w.connect(answers(tt.action, tt.decision, &questions))
			for range 2 {
				r := call(t, c, "notes_write", map[string]any{"line": "tea\u202e", "key": "very-secret-key"})
				require.Equal(t, tt.written == 0, r.IsError)
				if tt.written == 0 {
					require.Contains(t, textOf(t, r), executor.ErrorPermissionDenied)
					require.Contains(t, textOf(t, r), tt.reason)
				}
			}
			require.Len(t, w.notes.written, tt.written)
			require.Len(t, questions, tt.questions)
			require.Contains(t, questions[0], "notes_write (risk: dangerous)")
			require.Contains(t, questions[0], `"tea\u202e"`, "invisible characters are shown as escapes")
			require.NotContains(t, questions[0], "very-secret-key")
			require.Len(t, w.audit, 2)
			require.Equal(t, "mcp-1", w.audit[0].Session)
			require.NotContains(t, string(w.audit[0].Arguments), "very-secret-key")
			if tt.written > 0 {
				require.Equal(t, policy.Allow, w.audit[0].Decision)
			} else {
				require.Equal(t, policy.Deny, w.audit[0].Decision)
			}
		})
	}
}

func TestWithoutElicitationCallsAreDeniedWithTheReason(t *testing.T) {
	w := newWorld(t)
	r := call(t, w.connect(nil), "notes_write", map[string]any{"line": "tea"})
	require.True(t, r.IsError)
	require.Contains(t, textOf(t, r), "this MCP client does not support elicitation")
	require.Empty(t, w.notes.written)
	require.Equal(t, policy.Deny, w.audit[0].Decision)
}

func TestACallThatIsTooLongToShowIsDenied(t *testing.T) {
	w := newWorld(t)
	var questions []string
	r := call(t, w.connect(answers("accept", "allow", &questions)), "notes_write", map[string]any{"line": strings.Repeat("x", 40<<10)})
	require.True(t, r.IsError)
	require.Empty(t, questions)
	require.Empty(t, w.notes.written)
}

func TestClientsGetFilesAndNoDetails(t *testing.T) {
	w := newWorld(t)
	r := call(t, w.connect(nil), "notes_draw", nil)
	require.Len(t, r.Content, 3)
	image := r.Content[1].(*sdk.ImageContent)
	require.Equal(t, "PNG", string(image.Data))
	require.Equal(t, []sdk.Role{"user"}, image.Annotations.Audience)
	require.Equal(t, &sdk.ResourceContents{URI: "file:///a%20b.csv", MIMEType: "text/csv", Text: "1,2"},
		r.Content[2].(*sdk.EmbeddedResource).Resource)
	whole, err := json.Marshal(r)
	require.NoError(t, err)
	require.NotContains(t, string(whole), "private")
}

func TestProgressReachesTheClient(t *testing.T) {
	w := newWorld(t)
	var questions []string
	o := answers("accept", "allow", &questions)
	updates := make(chan *sdk.ProgressNotificationParams, 10)
	o.ProgressNotificationHandler = func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { updates <- r.Params }
	c := w.connect(o)
	params := &sdk.CallToolParams{Name: "notes_write", Arguments: map[string]any{"line": "x"}}
	params.SetProgressToken("token")
	_, err := c.CallTool(t.Context(), params)
	require.NoError(t, err)
	got := <-updates
	require.Equal(t, []any{"token", 1.0, "half"}, []any{got.ProgressToken, got.Progress, got.Message})
}

func TestCanceledCallsEnd(t *testing.T) {
	w := newWorld(t)
	c := w.connect(nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-w.notes.begun
		cancel()
	}()
	_, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "notes_wait"})
	require.ErrorIs(t, err, context.Canceled)
	require.Error(t, <-w.notes.ended)
}

func TestCloseEndsCalls(t *testing.T) {
	w := newWorld(t)
	c := w.connect(nil)
	go func() {
		<-w.notes.begun
		w.server.Close()
	}()
	_, _ = c.CallTool(t.Context(), &sdk.CallToolParams{Name: "notes_wait"}) // the call may end with a result or with an error
	require.Error(t, <-w.notes.ended)
}

func TestClientsAreNotifiedOfChanges(t *testing.T) {
	w := newWorld(t)
	changed := make(chan struct{}, 10)
	c := w.connect(&sdk.ClientOptions{ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { changed <- struct{}{} }})
	m, err := tool.Raw("ping", "Pings.", json.RawMessage(`{"$ref":"#/$defs/a","$defs":{"a":{"type":"object"}}}`),
		func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{Text: "pong"}, nil },
		tool.AgentCallable(), tool.WithRisk(tool.RiskRead), tool.FullName("server/ping"))
	require.NoError(t, err)
	require.NoError(t, w.registry.Register(tool.Tool{ID: "server", Methods: []tool.Method{m}}))
	<-changed
	require.Equal(t, "pong", textOf(t, call(t, c, "server_ping", nil)))
	require.True(t, w.registry.Unregister("server"))
	<-changed
	_, err = c.CallTool(t.Context(), &sdk.CallToolParams{Name: "server_ping"})
	require.Error(t, err)
}

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

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
	`"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

func TestTheHandlerServesProgramsOnly(t *testing.T) {
	w := newWorld(t)
	s := httptest.NewServer(w.server.Handler())
	t.Cleanup(s.Close)
	t.Cleanup(w.server.Close) // ends the streams of events, for which s.Close waits
	t.Cleanup(http.DefaultClient.CloseIdleConnections)

	t.Run("a client of the SDK calls a tool after approval", func(t *testing.T) {
		var questions []string
		client := &http.Client{Transport: &http.Transport{}}
		defer client.CloseIdleConnections()
		c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, answers("accept", "allow", &questions)).
			Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: s.URL, HTTPClient: client}, nil)
		require.NoError(t, err)
		require.Equal(t, "written", textOf(t, call(t, c, "notes_write", map[string]any{"line": "over HTTP"})))
		require.Len(t, questions, 1)
		require.NoError(t, c.Close())
	})
	for name, tt := range map[string]struct {
		change func(*http.Request)
		body   string
		want   int
	}{
		"programs are served":                     {func(*http.Request) {}, initialize, http.StatusOK},
		"pages of other origins are refused":      {func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, initialize, http.StatusForbidden},
		"other sites are refused":                 {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, initialize, http.StatusForbidden},
		"other names of this machine are refused": {func(r *http.Request) { r.Host = "evil.example" }, initialize, http.StatusForbidden},
		"large requests are refused":              {func(*http.Request) {}, strings.Repeat(" ", 5<<20), http.StatusRequestEntityTooLarge},
		"unknown sessions are refused":            {func(r *http.Request) { r.Header.Set("Mcp-Session-Id", "x") }, initialize, http.StatusNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, tt.want, post(t, s.URL, tt.body, tt.change))
		})
	}
	t.Run("sessions are limited", func(t *testing.T) {
		last := http.StatusOK
		for n := 0; last == http.StatusOK && n < 100; n++ {
			last = post(t, s.URL, initialize, func(*http.Request) {})
		}
		require.Equal(t, http.StatusBadRequest, last)
	})
}

func TestInvalidMessagesEndTheConnection(t *testing.T) {
	w := newWorld(t)
	for name, in := range map[string]string{"text": "hello\n", "a large message": `{"a":"` + strings.Repeat("x", 5<<20), "nothing": ""} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			_ = w.server.ServeStreams(ctx, io.NopCloser(strings.NewReader(in)), nopCloser{&bytes.Buffer{}})
			require.NoError(t, ctx.Err())
		})
	}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
