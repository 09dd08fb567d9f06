package mcpserver_test

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/mcpserver"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// notes is a tool with methods that read, write, draw and wait.
type notes struct {
	mu      sync.Mutex
	written []string      // the lines that "write" wrote
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
		tool.Progress(ctx, strings.Repeat("x", 100<<10))
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
	hidden, err := tool.New("hidden", "For the application.", func(context.Context, struct{}) (string, error) {
		return "", nil
	})
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
	answer := func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		*questions = append(*questions, r.Params.Message)
		result := &sdk.ElicitResult{Action: action}
		if decision != "" {
			result.Content = map[string]any{"decision": decision}
		}
		return result, nil
	}
	return &sdk.ClientOptions{ElicitationHandler: answer}
}
