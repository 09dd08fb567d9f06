package executor_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// allVisible returns a conversation in which every method is visible.
func allVisible() *executor.Conversation { return allVisibleExcept() }

// allVisibleExcept returns a conversation in which every method is visible except those with the
// full names in hidden.
func allVisibleExcept(hidden ...string) *executor.Conversation {
	return &executor.Conversation{Visible: func(e *tool.Entry) bool { return !slices.Contains(hidden, e.FullName) }}
}

var quiet = slog.New(slog.DiscardHandler)

// method returns an agent-callable method with an optional parameter "text".
func method(t testing.TB, name string, h tool.Handler, opts ...tool.Option) tool.Method {
	t.Helper()
	schema := json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`)
	m, err := tool.Raw(name, "does "+name, schema, h, append([]tool.Option{tool.AgentCallable()}, opts...)...)
	require.NoError(t, err)
	return m
}

// says returns a handler that returns a text.
func says(text string) tool.Handler {
	return func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{Text: text}, nil }
}

// registry returns a registry with one tool, "t".
func registry(t testing.TB, methods ...tool.Method) *tool.Registry {
	t.Helper()
	reg := tool.NewRegistry()
	require.NoError(t, reg.Register(tool.Tool{ID: "t", Methods: methods}))
	return reg
}

// request returns a request for the named method. args are a name and a value for each argument.
func request(id, name string, args ...string) executor.Request {
	r := executor.Request{ID: id, ToolRequest: protocol.ToolRequest{ToolName: name}}
	for i := 0; i < len(args); i += 2 {
		r.Arguments = append(r.Arguments, protocol.Argument{Name: args[i], Value: args[i+1]})
	}
	return r
}

// outcome contains the fields of a result that most tests check.
type outcome struct{ ID, Method, Status, ErrorType, Text string }

func outcomes(results []executor.Result) (list []outcome) {
	for _, r := range results {
		list = append(list, outcome{r.ID, r.Method, string(r.Status), r.ErrorType, r.ToolResult.Result})
	}
	return list
}

// execute runs one request in a conversation in which every method is visible.
func execute(t testing.TB, x *executor.Executor, req executor.Request) executor.Result {
	t.Helper()
	return executeIn(t, x, allVisible(), req)
}

// executeAll runs requests in a conversation in which every method is visible.
func executeAll(t testing.TB, x *executor.Executor, reqs ...executor.Request) []executor.Result {
	t.Helper()
	return x.Execute(t.Context(), allVisible(), executor.Observer{}, reqs)
}

// executeIn runs one request in a conversation.
func executeIn(
	t testing.TB, x *executor.Executor, conversation *executor.Conversation, req executor.Request,
) executor.Result {
	t.Helper()
	return x.Execute(t.Context(), conversation, executor.Observer{}, []executor.Request{req})[0]
}

// askOptions returns options under which each call needs approval.
func askOptions(a executor.Approver) executor.Options {
	return executor.Options{Policy: policy.Policy{Approve: policy.ApproveAsk}, Approver: a, Logger: quiet}
}

func allows(_ context.Context, q executor.Question) (executor.Answer, error) { return q.Allow(), nil }

// runs records the id and the arguments of each run of a method.
type runs struct{ list []string }

func (r *runs) handle(_ context.Context, c *tool.Call) (tool.Output, error) {
	r.list = append(r.list, c.ID+" "+string(c.Arguments))
	return tool.Output{Text: "ran"}, nil
}

// workFor returns a handler that works for d and obeys its context.
func workFor(d time.Duration) tool.Handler {
	return func(ctx context.Context, c *tool.Call) (tool.Output, error) {
		select {
		case <-time.After(d):
			return tool.Output{Text: "worked " + d.String()}, nil
		case <-ctx.Done():
			return tool.Output{}, fmt.Errorf("gave up: %w", ctx.Err())
		}
	}
}

// ignoreContextFor returns a handler that works for d, even if its context is canceled.
func ignoreContextFor(d time.Duration) tool.Handler {
	return func(context.Context, *tool.Call) (tool.Output, error) {
		time.Sleep(d)
		return tool.Output{Text: "too late"}, nil
	}
}

// numbered returns n numbered lines of 32 bytes. The default estimate of a line is 9.2 tokens.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %05d %s\n", i+1, strings.Repeat("x", 20))
	}
	return b.String()
}

// requests returns n requests for one method, with the ids "NAME 0", "NAME 1" and so on.
func requests(n int, name string, args ...string) (list []executor.Request) {
	for i := range n {
		list = append(list, request(fmt.Sprint(name, " ", i), name, args...))
	}
	return list
}

func nop(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, nil }

func errorTypes(results []executor.Result) (types []string) {
	for _, r := range results {
		types = append(types, r.ErrorType)
	}
	return types
}

// abandonedCalls returns the method and the ID of each abandoned call, such as "t_tool 1".
func abandonedCalls(x *executor.Executor) (ids []string) {
	for _, a := range x.Abandoned() {
		ids = append(ids, a.Method+" "+a.ID)
	}
	return ids
}

// logBuffer is a log that can be read while other goroutines write to it.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

var errRetryable = tool.Retryable(errors.New("once more"))
