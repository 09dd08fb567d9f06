package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"sync"
	"syscall"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema/export"
)

// firstWithoutHandshake is the first protocol version without a handshake. This version and later
// ones are not supported, because there a server cannot ask a client for approval while a call
// runs.
const firstWithoutHandshake = "2026-07-28"

// maxRequest limits one message of a client, in bytes.
const maxRequest = 4 << 20

// Options set up a Server. Engine and Registry are required.
type Options struct {
	// Engine runs the calls. For approvals its Options.Approver must be Approve, and for progress
	// its Options.Middlewares must contain Progress. Its Config.ResultTokens should be 0, because
	// clients have their own limits.
	Engine *engine.Engine
	// Registry is the registry of the engine. When it changes, clients are notified.
	Registry *tool.Registry
	// Version is the version of the application that clients see; "" means "0".
	Version string
	// Instructions tell a model how to use the tools. They may be empty.
	Instructions string
	// Logger logs methods that cannot be offered; nil means slog.Default. It never receives
	// arguments or results.
	Logger *slog.Logger
}

// Server offers the methods of an engine to MCP clients. Use New to create one. It is safe for
// concurrent use.
type Server struct {
	options     Options
	sdk         *sdk.Server
	unsubscribe func()             // ends the notifications of the registry
	life        context.Context    // ends with Close
	end         context.CancelFunc // ends life
	clients     clients

	mu      sync.Mutex
	current *export.Tools    // the definitions that clients see now; translates their names
	offered map[string]offer // by the name that clients see
}

// offer is a method that clients see.
type offer struct {
	entry      *tool.Entry
	definition string // as JSON
}

// New returns a server. The caller must close it.
func New(o Options) (*Server, error) {
	if o.Engine == nil || o.Registry == nil {
		return nil, errors.New("mcpserver: Options.Engine and Options.Registry are required")
	}
	o.Version, o.Logger = cmp.Or(o.Version, "0"), cmp.Or(o.Logger, slog.Default())
	s := &Server{options: o, offered: map[string]offer{}}
	s.life, s.end = context.WithCancel(context.Background())
	versions := slices.DeleteFunc(sdk.SupportedProtocolVersions(), func(version string) bool {
		return version >= firstWithoutHandshake
	})
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: "vcp", Version: o.Version}, &sdk.ServerOptions{
		Instructions:              o.Instructions,
		Logger:                    slog.New(slog.DiscardHandler), // the SDK would log names that clients send
		SupportedProtocolVersions: versions,
		Capabilities:              &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{ListChanged: true}},
	})
	s.unsubscribe = o.Registry.OnChange(s.refresh)
	s.refresh()
	return s, nil
}

// Close ends all connections and the calls on them.
func (s *Server) Close() {
	s.unsubscribe()
	s.end()
	for session := range s.sdk.Sessions() {
		_ = session.Close()
	}
}

// ServeStreams serves one client on two streams, with one message per line. It returns nil when the
// client closes a stream, ctx ends or the server is closed. Nothing else may write to out.
func (s *Server) ServeStreams(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	err := s.sdk.Run(ctx, &sdk.IOTransport{Reader: in, Writer: out, MaxLineLength: maxRequest})
	for _, closed := range []error{io.EOF, io.ErrClosedPipe, os.ErrClosed, syscall.EPIPE} {
		if errors.Is(err, closed) {
			return nil
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// refresh updates the offered methods to those that models may call now.
func (s *Server) refresh() {
	s.mu.Lock()
	defer s.mu.Unlock()
	methods := s.options.Engine.NewSession("").Methods()
	definitions := make([]export.Definition, len(methods))
	for i, m := range methods {
		definitions[i] = m.NativeDefinition("en")
	}
	tools, err := export.NewTools(export.MCP, definitions)
	if err != nil { // cannot happen: full names are unique in a registry
		s.options.Logger.Error("the tools cannot be offered to MCP clients", "error", err)
		return
	}
	nextOffered := map[string]offer{}
	for i, definition := range splitDefinitions(tools) {
		name := tools.Name(methods[i].FullName)
		nextOffered[name] = offer{methods[i], string(definition)}
		if old, ok := s.offered[name]; ok && old == nextOffered[name] {
			continue
		}
		if err := s.add(methods[i], definition); err != nil {
			s.options.Logger.Warn("a method cannot be offered to MCP clients",
				"method", methods[i].FullName, "error", err)
			delete(nextOffered, name)
		}
	}
	var gone []string
	for name := range s.offered {
		if _, ok := nextOffered[name]; !ok {
			gone = append(gone, name)
		}
	}
	if len(gone) > 0 {
		s.sdk.RemoveTools(gone...)
	}
	s.current, s.offered = tools, nextOffered
}

// splitDefinitions returns the JSON of each definition.
func splitDefinitions(t *export.Tools) (list []json.RawMessage) {
	if err := json.Unmarshal(t.JSON(), &list); err != nil {
		panic(err) // cannot happen: this process wrote the JSON
	}
	return list
}

// add offers one method, replacing an older definition. The SDK panics if it does not accept a
// schema; add returns this as an error, because schemas may come from foreign servers.
func (s *Server) add(m *tool.Entry, definition json.RawMessage) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	var d struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"inputSchema"`
	}
	if err := json.Unmarshal(definition, &d); err != nil {
		return err
	}
	dangerous := m.Risk() == tool.RiskDangerous
	t := &sdk.Tool{
		Name: d.Name, Title: m.Method.Title, Description: d.Description, InputSchema: d.InputSchema,
		Annotations: &sdk.ToolAnnotations{
			ReadOnlyHint: m.Risk() == tool.RiskRead, DestructiveHint: &dangerous, IdempotentHint: m.Method.Idempotent,
		},
	}
	s.sdk.AddTool(t, s.call)
	return nil
}

// call runs a client's call as the engine runs a call of a model.
func (s *Server) call(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	c := s.clients.of(r.Session, s.options.Engine)
	request := executor.Request{ID: "mcp-" + strconv.FormatUint(c.calls.Add(1), 10)}
	name, arguments, err := s.tools().Call(r.Params.Name, string(r.Params.Arguments))
	if err != nil {
		return failure(err.Error()), nil
	}
	request.ToolRequest = protocol.ToolRequest{ToolName: name}
	for _, a := range arguments {
		request.Arguments = append(request.Arguments,
			protocol.Argument{Name: a.Name, Value: a.Value, Form: protocol.FormJSON})
	}
	ctx = withCall(ctx, &call{client: c, token: r.Params.GetProgressToken()})
	result := c.engineSession.Execute(ctx, []executor.Request{request})[0]
	if result.DecidedBy == executor.ByNoApprover && !c.canAsk() {
		result.ToolResult.Result += " This MCP client does not support elicitation. " +
			"The configuration of the server can allow the call by a rule (approveRules)."
	}
	return clientResult(&result), nil
}

// tools returns the definitions that clients see now.
func (s *Server) tools() *export.Tools {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}
