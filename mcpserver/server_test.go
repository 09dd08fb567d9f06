package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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
		written, questions     int    // how many there are after two equal calls
		reason                 string // a part of the result if the call is denied
	}{
		{"allowed once", "accept", "allow", 2, 2, ""},
		{"allowed for the session", "accept", "allow for this session", 2, 1, ""},
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
	require.Contains(t, textOf(t, r), "This MCP client does not support elicitation")
	require.NotContains(t, textOf(t, r), "The user did not allow")
	require.Empty(t, w.notes.written)
	require.Equal(t, policy.Deny, w.audit[0].Decision)
	require.Equal(t, executor.ByNoApprover, w.audit[0].DecidedBy)
}

func TestACallThatIsTooLongToShowIsDenied(t *testing.T) {
	w := newWorld(t)
	var questions []string
	line := strings.Repeat("x", 40<<10) // a question may have 32 KiB
	r := call(t, w.connect(answers("accept", "allow", &questions)), "notes_write", map[string]any{"line": line})
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
	o.ProgressNotificationHandler = func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
		updates <- r.Params
	}
	c := w.connect(o)
	params := &sdk.CallToolParams{Name: "notes_write", Arguments: map[string]any{"line": "x"}}
	params.SetProgressToken("token")
	_, err := c.CallTool(t.Context(), params)
	require.NoError(t, err)
	got := <-updates
	require.Equal(t, []any{"token", 1.0, "half"}, []any{got.ProgressToken, got.Progress, got.Message})
	require.Len(t, (<-updates).Message, 64<<10+len("…"), "a long update is shortened")
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
	// The call may end with a result or with an error.
	_, _ = c.CallTool(t.Context(), &sdk.CallToolParams{Name: "notes_wait"})
	require.Error(t, <-w.notes.ended)
}

func TestClientsAreNotifiedOfChanges(t *testing.T) {
	w := newWorld(t)
	changed := make(chan struct{}, 10)
	c := w.connect(&sdk.ClientOptions{ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) {
		changed <- struct{}{}
	}})
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

func TestInvalidMessagesEndTheConnection(t *testing.T) {
	w := newWorld(t)
	for name, in := range map[string]string{
		"no JSON": "hello\n", "a message over 4 MiB": `{"a":"` + strings.Repeat("x", 5<<20), "no message": "",
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			_ = w.server.ServeStreams(ctx, io.NopCloser(strings.NewReader(in)), nopCloser{&bytes.Buffer{}})
			require.NoError(t, ctx.Err(), "ServeStreams has returned before the timeout")
		})
	}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
