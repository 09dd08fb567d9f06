package demomodel_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/demomodel"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin"
	"github.com/vcpgo/vcp/tool/schema"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// startServer starts a server that ends with the test.
func startServer(t *testing.T, o demomodel.Options) *demomodel.Server {
	t.Helper()
	if o.Protocol == nil {
		o.Protocol = vcp.Protocol{}
	}
	s, err := demomodel.Start(o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close(context.Background())) })
	return s
}

// world is a model on a real server, and tools that really run.
type world struct {
	client   *model.Client
	registry *tool.Registry
	messages []protocol.Message
}

func newWorld(t *testing.T, language string, tools ...tool.Tool) *world {
	t.Helper()
	w := &world{registry: tool.NewRegistry()}
	require.NoError(t, w.registry.Register(tools...))
	s := startServer(t, demomodel.Options{})
	client, err := model.New(model.Options{BaseURL: s.URL()})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	w.client = client
	w.messages = []protocol.Message{promptOf(w.registry, language)}
	return w
}

// forget begins a new conversation.
func (w *world) forget() { w.messages = w.messages[:1] }

func builtinTools(t *testing.T, dir string) []tool.Tool {
	t.Helper()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { _ = root.Close() })
	tools, err := builtin.Tools(root)
	require.NoError(t, err)
	return tools
}

// say sends a message and returns the model's reply, parsed.
func (w *world) say(t *testing.T, text string) parser.Reply {
	t.Helper()
	w.messages = append(w.messages, protocol.Message{Role: protocol.RoleUser, Content: text})
	whole, finish := "", protocol.FinishUnknown
	for d, err := range w.client.Stream(t.Context(), engine.ModelRequest{Messages: w.messages}) {
		require.NoError(t, err)
		whole += d.Text
		if d.Finished {
			finish = d.Finish
		}
	}
	require.Equal(t, protocol.FinishStop, finish)
	w.messages = append(w.messages, protocol.Message{Role: protocol.RoleAssistant, Content: whole})
	reply, err := parser.ParseToolRequests(vcp.Protocol{}, whole, parser.Options{Finish: finish, Tolerance: scan.Strict})
	require.NoError(t, err)
	for _, q := range reply.Requests {
		require.Equal(t, parser.StatusReady, q.Status, whole)
	}
	return reply
}

// asksFor returns the requests in the model's first reply to a question.
func (w *world) asksFor(t *testing.T, question string) (calls []string) {
	t.Helper()
	for _, q := range w.say(t, question).Requests {
		calls = append(calls, show(q.ToolRequest))
	}
	return calls
}

// run executes requests and returns the results as a message.
func (w *world) run(t *testing.T, requests []parser.Request) string {
	t.Helper()
	var results []protocol.ToolResult
	for i, q := range requests {
		r := protocol.ToolResult{ResultID: fmt.Sprint(i + 1), ToolName: q.ToolName, Status: protocol.StatusSuccess}
		out, err := w.call(t, q.ToolRequest)
		if err != nil {
			r.Status, r.ErrorType, r.Result = protocol.StatusError, "execution_failed", err.Error()
		} else {
			r.Result = out
		}
		results = append(results, r)
	}
	return vcp.Protocol{}.FormatToolResults(results)
}

func (w *world) call(t *testing.T, q protocol.ToolRequest) (string, error) {
	t.Helper()
	found, err := w.registry.Resolve(q.ToolName, q.Command, nil)
	require.NoError(t, err)
	var args []schema.Text
	for _, a := range q.Arguments {
		args = append(args, schema.Text{Name: a.Name, Value: a.Value, JSON: a.Form == protocol.FormJSON})
	}
	object, _, err := found.Entry.Method.Parameters.Object(args)
	if err != nil {
		return "", err
	}
	call := &tool.Call{Method: found.Entry, Arguments: object, Progress: func(string) {}}
	out, err := found.Entry.Method.Handler(t.Context(), call)
	return out.Text, err
}

// ask sends a question, and sends back results until a reply contains no request. It returns the
// text of the last reply, and all requests as "name argument=value …".
func (w *world) ask(t *testing.T, question string) (answer string, calls []string) {
	t.Helper()
	reply := w.say(t, question)
	for replies := 0; len(reply.Requests) > 0; replies++ {
		require.Less(t, replies, 3, "the planner does not stop")
		for _, q := range reply.Requests {
			calls = append(calls, show(q.ToolRequest))
		}
		reply = w.say(t, w.run(t, reply.Requests))
	}
	return reply.Text.String(), calls
}

func show(q protocol.ToolRequest) string {
	parts := []string{q.ToolName}
	for _, a := range q.Arguments {
		parts = append(parts, a.Name+"="+a.Value)
	}
	return strings.Join(parts, " ")
}

func newPlanner(t *testing.T) *demomodel.Planner {
	t.Helper()
	p, err := demomodel.NewPlanner(vcp.Protocol{})
	require.NoError(t, err)
	return p
}

// promptOf returns the system message that defines the tools of a registry. The text around the
// definitions is in the given language.
func promptOf(registry *tool.Registry, language string) protocol.Message {
	var definitions []protocol.ToolDefinition
	for _, e := range registry.Entries() {
		definitions = append(definitions, e.Definition("en"))
	}
	prompt := vcp.Protocol{}.GenerateToolDefinitions(definitions, protocol.PromptOptions{Language: language})
	return protocol.Message{Role: protocol.RoleSystem, Content: "You are helpful.\n\n" + prompt}
}
