package chat_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/requesttest"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// script is a model that writes one reply after the other and keeps the requests that it gets.
type script struct {
	mu          sync.Mutex
	replies     []reply
	requests    []engine.ModelRequest
	beforeDelta func(i int) // called before delta i of each reply, counted from 0
}

// reply is a list of deltas and the error after them.
type reply struct {
	deltas []engine.Delta
	err    error
}

func (m *script) Stream(ctx context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		m.mu.Lock()
		n := len(m.requests)
		m.requests = append(m.requests, req)
		m.mu.Unlock()
		if n >= len(m.replies) {
			yield(engine.Delta{}, fmt.Errorf("the script has no reply %d", n+1))
			return
		}
		for i, d := range m.replies[n].deltas {
			if m.beforeDelta != nil {
				m.beforeDelta(i)
			}
			if ctx.Err() != nil {
				yield(engine.Delta{}, ctx.Err())
				return
			}
			if !yield(d, nil) {
				return
			}
		}
		if err := m.replies[n].err; err != nil {
			yield(engine.Delta{}, err)
		}
	}
}

// ends returns a reply that ends for the given reason; FinishUnknown means that it is truncated.
func ends(finish protocol.FinishReason, texts ...string) (r reply) {
	for _, text := range texts {
		r.deltas = append(r.deltas, engine.Delta{Text: text})
	}
	if finish != protocol.FinishUnknown {
		r.deltas = append(r.deltas, engine.Delta{Finished: true, Finish: finish})
	}
	return r
}

// says returns a complete reply.
func says(texts ...string) reply { return ends(protocol.FinishStop, texts...) }

// block returns a request in the VCP dialect. pairs are as in requesttest.Text.
func block(t testing.TB, name string, pairs ...string) string {
	t.Helper()
	return requesttest.Text(t, vcp.Protocol{}, name, pairs...)
}

// malformed is a block without the name of a tool.
const malformed = "<<<[TOOL_REQUEST]>>>\ntext:「始」x「末」\n<<<[END_TOOL_REQUEST]>>>"

// in contains the parameters of the methods that fn returns.
type in struct {
	Text  string `json:"text,omitempty"`
	Count int    `json:"count,omitempty"`
}

// fn returns a method that agents may call, whose handler is f.
func fn(t testing.TB, name string, f func(context.Context, in) (string, error), opts ...tool.Option) tool.Method {
	t.Helper()
	m, err := tool.New(name, "does "+name, f, append([]tool.Option{tool.AgentCallable()}, opts...)...)
	require.NoError(t, err)
	return m
}

// engineOf returns an engine with the given model. Its tool "t" has the methods echo and fail, and
// the given ones. change may be nil.
func engineOf(t testing.TB, model engine.Model, change func(*engine.Config), methods ...tool.Method) *engine.Engine {
	t.Helper()
	methods = append(methods,
		fn(t, "echo", func(_ context.Context, in in) (string, error) { return in.Text, nil }),
		fn(t, "fail", func(context.Context, in) (string, error) { return "", errors.New("the disk is full") }))
	reg := tool.NewRegistry()
	require.NoError(t, reg.Register(tool.Tool{ID: "t", Methods: methods}))
	return engineOn(t, reg, model, func(o *engine.Options) {
		if change != nil {
			change(&o.Config)
		}
	})
}

// engineWith is like engineOf, but change can change all options, and "t" has no method fail.
func engineWith(t testing.TB, model engine.Model, change func(*engine.Options), methods ...tool.Method) *engine.Engine {
	t.Helper()
	methods = append(methods, fn(t, "echo", func(_ context.Context, in in) (string, error) { return in.Text, nil }))
	reg := tool.NewRegistry()
	require.NoError(t, reg.Register(tool.Tool{ID: "t", Methods: methods}))
	return engineOn(t, reg, model, change)
}

// engineOn returns an engine with the tools of reg. change can change all options.
func engineOn(t testing.TB, reg *tool.Registry, model engine.Model, change func(*engine.Options)) *engine.Engine {
	t.Helper()
	o := engine.Options{
		Registry: reg, Protocols: []protocol.Protocol{vcp.Protocol{}}, Model: model, Config: engine.DefaultConfig(),
		Logger: slog.New(slog.DiscardHandler),
	}
	change(&o)
	e, err := engine.New(o)
	require.NoError(t, err)
	return e
}

// conversation returns a new conversation with an engine of engineOf.
func conversation(
	t testing.TB, model engine.Model, change func(*engine.Config), methods ...tool.Method,
) *chat.Conversation {
	t.Helper()
	return conversationIn(t, testStore(), model, change, methods...)
}

// conversationIn is like conversation, with the given store, which may be nil.
func conversationIn(
	t testing.TB, store chat.Store, model engine.Model, change func(*engine.Config), methods ...tool.Method,
) *chat.Conversation {
	t.Helper()
	e := engineOf(t, model, change, methods...)
	c, err := chat.New(e, chat.Options{ID: "test", System: "Be brief.", Store: store})
	require.NoError(t, err)
	return c
}

func manual(c *engine.Config) { c.Mode = engine.ModeManual }

// outcome contains what a turn yielded.
type outcome struct {
	kinds []string
	done  []string // for each EventToolDone: ID, status and text
	stop  engine.StopReason
	err   error
}

// collect ranges over a turn to its end and returns what it yielded.
func collect(t testing.TB, turn iter.Seq2[engine.Event, error]) (o outcome) {
	t.Helper()
	for ev, err := range turn {
		require.NoError(t, o.err, "an item after an error")
		o.kinds = append(o.kinds, ev.Kind.String())
		if ev.Kind == engine.EventToolDone {
			o.done = append(o.done, fmt.Sprintf("%s %s %s", shortID(ev.RequestID),
				statusText(ev.Result.Status, ev.Result.ErrorType), ev.Result.ToolResult.Result))
		}
		o.stop, o.err = ev.Stop, err
	}
	return o
}

// shortID returns the ID of a request without its suffix, which differs in each session.
func shortID(id string) string {
	short, _, _ := strings.Cut(id, "-")
	return short
}

// pendingCall returns the call in list with the given short ID. If no call has that ID, it returns
// a PendingCall that contains nothing but the ID.
func pendingCall(list []executor.PendingCall, id string) executor.PendingCall {
	for _, p := range list {
		if shortID(p.RequestID) == id {
			return p
		}
	}
	return executor.PendingCall{RequestID: id}
}

// approve, supply and deny return a decision on the pending call with the given short ID.
func approve(c *chat.Conversation, id string) chat.Decision {
	p := pendingCall(c.Pending(), id)
	return chat.Approve(p.RequestID, p.Digest)
}

func supply(c *chat.Conversation, id, text string) chat.Decision {
	p := pendingCall(c.Pending(), id)
	return chat.Supply(p.RequestID, p.Digest, text)
}

func deny(c *chat.Conversation, id, reason string) chat.Decision {
	p := pendingCall(c.Pending(), id)
	return chat.Deny(p.RequestID, p.Digest, reason)
}

// brief writes each message of a history as one short line.
func brief(history []chat.Message) (lines []string) {
	for _, m := range history {
		line := string(m.Role)
		if m.Incomplete {
			line += ", incomplete"
		}
		switch {
		case m.Role == protocol.RoleAssistant:
			line += ": " + m.Text
		case m.Outcomes == nil:
			line += ": " + m.Content
		}
		for _, q := range m.ToolCallsRequested {
			line += fmt.Sprintf(" [%s %s %s]", shortID(q.RequestID), q.ToolName, q.Status)
		}
		for _, r := range m.Outcomes {
			line += fmt.Sprintf(" [%s %s]", shortID(r.RequestID), statusText(r.Status, r.ErrorType))
		}
		lines = append(lines, line)
	}
	return lines
}

// statusText returns a status, followed by the type of the error if that is not "".
func statusText(status protocol.ResultStatus, errorType string) string {
	return strings.TrimRight(string(status)+" "+errorType, " ")
}

// requirePaired checks that a model never sees a request without its result: after a message with
// requests comes a message with one result for each. Quoted requests and those in reasoning need no
// result. It returns the number of requests that have results.
func requirePaired(t testing.TB, shown engine.ModelRequest) (requests int) {
	t.Helper()
	for i, m := range shown.Messages {
		if m.Role != protocol.RoleAssistant {
			continue
		}
		read, err := parser.ParseToolRequests(vcp.Protocol{}, m.Content, parser.Options{Finish: protocol.FinishStop})
		require.NoError(t, err)
		n := 0
		for _, q := range read.Requests {
			if q.Status != parser.StatusQuoted && q.Status != parser.StatusReasoning {
				n++
			}
		}
		if n == 0 {
			continue
		}
		requests += n
		require.Less(t, i+1, len(shown.Messages), "a request at the very end: %q", m.Content)
		results, err := vcp.Protocol{}.ParseToolResults(shown.Messages[i+1].Content)
		require.NoError(t, err)
		require.Len(t, results, n, "results of %q", m.Content)
	}
	return requests
}

// equalJSON compares raw JSON by its meaning.
var equalJSON = cmp.Comparer(func(a, b json.RawMessage) bool {
	var x, y any
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && cmp.Equal(x, y)
})
