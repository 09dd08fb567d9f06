package mcp_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/process/processtest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/mcp"
)

func TestMain(m *testing.M) {
	if behavior := os.Getenv(serverEnv); behavior != "" {
		runTestServer(behavior)
		return
	}
	goleak.VerifyTestMain(m)
}

// npmServer returns the command that runs a file of an npm package with Node. It calls
// processtest.Missing if the package is not installed.
func npmServer(t testing.TB, file string) []string {
	t.Helper()
	processtest.Needs(t, "node")
	path, err := filepath.Abs(filepath.Join("testdata", "npm", "node_modules", file))
	require.NoError(t, err)
	if _, err := os.Stat(path); err != nil {
		processtest.Missing(t, "%s is not installed; run npm ci in tool/mcp/testdata/npm", file)
	}
	return []string{"node", path}
}

// world is a registry with one running source, and an executor that calls its methods.
type world struct {
	*testing.T
	registry *tool.Registry
	sources  *tool.Sources
	executor *executor.Executor
	policy   policy.Policy
	language string // of the conversation; "" is English
	// asked are the methods that a person was asked about. The person approves each call.
	asked []string
}

// start runs the source of a server until the test ends. It returns after the first attempt to
// connect.
func start(t *testing.T, c mcp.Config) *world {
	t.Helper()
	allow := policy.Policy{Rules: []policy.Rule{{Tool: c.Name, Decision: policy.Allow}}}
	w := &world{T: t, registry: tool.NewRegistry(), policy: allow}
	w.sources = tool.NewSources(w.registry)
	t.Cleanup(w.sources.Close)
	s, err := mcp.New(c)
	require.NoError(t, err)
	require.NoError(t, w.sources.Add(s))
	w.executor = executor.New(w.registry, executor.Options{
		Logger: slog.New(slog.DiscardHandler), Timeout: time.Minute,
		Approver: func(_ context.Context, q executor.Question) (executor.Answer, error) {
			w.asked = append(w.asked, q.Method.FullName)
			return q.Allow(), nil
		},
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	require.NoError(t, w.sources.Wait(ctx))
	return w
}

// state returns the state of the source's only provider.
func (w *world) state() tool.ProviderState {
	w.Helper()
	states := w.sources.Providers()
	require.Len(w, states, 1)
	return states[0]
}

// eventually waits until a condition holds. what names the condition.
func (w *world) eventually(what string, holds func() bool) {
	w.Helper()
	require.Eventually(w, holds, 30*time.Second, 10*time.Millisecond, what)
}

func (w *world) names() []string {
	var names []string
	for _, e := range w.registry.Entries() {
		names = append(names, e.FullName)
	}
	return names
}

func (w *world) entry(name string) *tool.Entry {
	w.Helper()
	e, ok := w.registry.Lookup(name)
	require.True(w, ok, "%s is not among %q", name, w.names())
	return e
}

// call runs a method. Names and JSON values alternate in arguments.
func (w *world) call(name string, arguments ...string) executor.Result {
	w.Helper()
	return w.callIn(w.Context(), executor.Observer{}, name, arguments...)
}

// callIn is call with a context and an observer.
func (w *world) callIn(ctx context.Context, obs executor.Observer, name string, arguments ...string) executor.Result {
	w.Helper()
	r := executor.Request{ID: "1", ToolRequest: protocol.ToolRequest{ToolName: name}}
	for pair := range slices.Chunk(arguments, 2) {
		require.True(w, json.Valid([]byte(pair[1])), pair[1])
		r.Arguments = append(r.Arguments, protocol.Argument{Name: pair[0], Value: pair[1], Form: protocol.FormJSON})
	}
	conversation := &executor.Conversation{
		Visible: func(*tool.Entry) bool { return true }, Policy: func() policy.Policy { return w.policy },
		Language: func() string { return w.language },
	}
	return w.executor.Execute(ctx, conversation, obs, []executor.Request{r})[0]
}

// says runs a method and returns the text of its result.
func (w *world) says(name string, arguments ...string) string {
	w.Helper()
	r := w.call(name, arguments...)
	require.Empty(w, r.ErrorType, r.ToolResult.Result)
	return r.ToolResult.Result
}
