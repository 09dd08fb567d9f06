package sqlitestore_test

import (
	"context"
	"encoding/json"
	"iter"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/sqlitestore"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// open opens a store, and closes it at the end of the test.
func open(tb testing.TB, path string, o sqlitestore.Options) *sqlitestore.Store {
	tb.Helper()
	s, err := sqlitestore.Open(tb.Context(), path, o)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, s.Close()) })
	return s
}

// rangeOver ranges over a turn to its end, and returns how the turn ended.
func rangeOver(events iter.Seq2[engine.Event, error]) (stop engine.StopReason, err error) {
	for ev, failure := range events {
		stop, err = ev.Stop, failure
	}
	return stop, err
}

// A writer is a model. The function returns its reply to the messages.
type writer func([]protocol.Message) string

func (w writer) Stream(_ context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		yield(engine.Delta{Text: w(req.Messages), Finished: true, Finish: protocol.FinishStop}, nil)
	}
}

// inTurn returns a writer that writes one reply after the other.
func inTurn(replies ...string) writer {
	return func(list []protocol.Message) string {
		n := 0
		for _, m := range list {
			if m.Role == protocol.RoleAssistant {
				n++
			}
		}
		return replies[n]
	}
}

// call returns a request without arguments.
func call(name string) string { return callWith(name) }

// callWith returns a request with the arguments.
func callWith(name string, arguments ...protocol.Argument) string {
	text, err := vcp.Protocol{}.FormatToolRequests([]protocol.ToolRequest{{ToolName: name, Arguments: arguments}})
	if err != nil {
		panic(err)
	}
	return text
}

// method returns a method that accepts any arguments.
func method(tb testing.TB, name string, h tool.Handler) tool.Method {
	tb.Helper()
	m, err := tool.Raw(name, "does "+name, json.RawMessage(`{"type":"object"}`), h, tool.AgentCallable())
	require.NoError(tb, err)
	return m
}

// newEngine returns an engine. If there are methods, they are those of its tool "shop". change may
// be nil.
func newEngine(tb testing.TB, m engine.Model, change func(*engine.Options), methods ...tool.Method) *engine.Engine {
	tb.Helper()
	registry := tool.NewRegistry()
	if len(methods) > 0 {
		require.NoError(tb, registry.Register(tool.Tool{ID: "shop", Methods: methods}))
	}
	o := engine.Options{
		Registry: registry, Protocols: []protocol.Protocol{vcp.Protocol{}}, Model: m, Config: engine.DefaultConfig(),
		Logger: slog.New(slog.DiscardHandler),
	}
	if change != nil {
		change(&o)
	}
	e, err := engine.New(o)
	require.NoError(tb, err)
	return e
}

// start is when leases begin and entries are appended.
var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// begin creates a conversation and leases it.
func begin(t *testing.T, s chat.Store, id string) chat.Lease {
	t.Helper()
	require.NoError(t, s.Create(t.Context(), chat.Metadata{ID: id, Created: start}))
	return acquire(t, s, id)
}

// acquire leases a conversation for a minute from start.
func acquire(t *testing.T, s chat.Store, id string) chat.Lease {
	t.Helper()
	l, err := s.Acquire(t.Context(), id, chat.LeaseRequest{Holder: "test", From: start, Until: start.Add(time.Minute)})
	require.NoError(t, err)
	return l
}

func entry(text string) chat.Entry {
	data, _ := json.Marshal(text) // a string encodes
	return chat.Entry{Kind: "user", Time: start, Data: data, Text: text}
}

// problem returns the problem of a *chat.StoreError.
func problem(t *testing.T, err error) chat.StoreProblem {
	t.Helper()
	var failed *chat.StoreError
	require.ErrorAs(t, err, &failed)
	assert.NotEmpty(t, failed.Name)
	return failed.Problem
}
