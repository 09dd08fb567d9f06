package sqlitestore_test

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/sqlitestore"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// calling is a model that makes that many calls after each message of the user, one in a reply.
type calling int

func (m calling) Stream(_ context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	done := 0
	for i := len(req.Messages) - 1; i >= 0 && req.Messages[i].Content != "Go."; i-- {
		if req.Messages[i].Role == protocol.RoleAssistant {
			done++
		}
	}
	text := "All done."
	if done < int(m) {
		text = "Let me see. " + call("shop_look")
	}
	return func(yield func(engine.Delta, error) bool) {
		yield(engine.Delta{Text: text, Finished: true, Finish: protocol.FinishStop}, nil)
	}
}

// countingStore counts appends.
type countingStore struct {
	chat.Store
	appends *atomic.Int64
}

func (s countingStore) Append(ctx context.Context, l chat.Lease, parent int64, entries ...chat.Entry) (int64, error) {
	s.appends.Add(1)
	return s.Store.Append(ctx, l, parent, entries...)
}

// looking returns a function that runs a whole conversation with that many calls. Its store is that
// of newStore; nil means none.
func looking(tb testing.TB, calls int, store chat.Store) func() {
	tb.Helper()
	var seen atomic.Int64 // results differ, so that it is not a loop
	look, err := tool.New("look", "Looks.", func(context.Context, struct{}) (string, error) {
		return fmt.Sprint("apples and pears: ", seen.Add(1)), nil
	}, tool.AgentCallable())
	require.NoError(tb, err)
	registry := tool.NewRegistry()
	require.NoError(tb, registry.Register(tool.Tool{ID: "shop", Methods: []tool.Method{look}}))
	config := engine.DefaultConfig()
	config.MaxIterations = calls + 1
	e, err := engine.New(engine.Options{
		Registry: registry, Protocols: []protocol.Protocol{vcp.Protocol{}}, Model: calling(calls), Config: config, Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(tb, err)
	return func() {
		c, err := chat.New(e, chat.Options{Store: store})
		if err != nil {
			tb.Fatal(err)
		}
		stop, err := rangeOver(c.Send(tb.Context(), "Go."))
		if err != nil || stop != engine.StopDone {
			tb.Fatalf("the turn ended with %s: %v", stop, err)
		}
	}
}

// journalStores returns the stores to compare: none, one in memory, and files with and without the
// sync that makes an append durable.
func journalStores(tb testing.TB, appends *atomic.Int64) (names []string, stores []chat.Store) {
	tb.Helper()
	file, err := sqlitestore.Open(tb.Context(), filepath.Join(tb.TempDir(), "store.db"), sqlitestore.Options{})
	require.NoError(tb, err)
	memory, err := sqlitestore.Open(tb.Context(), sqlitestore.Memory, sqlitestore.Options{})
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, file.Close()); require.NoError(tb, memory.Close()) })
	return []string{"none", "go-memory", "sqlite-memory", "sqlite-file"}, []chat.Store{
		nil, countingStore{chat.NewMemoryStore(), appends}, countingStore{memory, appends}, countingStore{file, appends},
	}
}

// moreCalls is how many calls the longer of two conversations has; the shorter has one.
const moreCalls = 9

// BenchmarkJournal measures what a journal adds to an iteration with one call, up to the next
// reply. An iteration is the difference between conversations with many calls and with one, divided
// by the calls. All take turns, and the fastest of each counts.
func BenchmarkJournal(b *testing.B) {
	var appends atomic.Int64
	names, stores := journalStores(b, &appends)
	bodies := make([][2]func(), len(stores))
	for i, s := range stores {
		bodies[i] = [2]func(){looking(b, 1, s), looking(b, moreCalls, s)}
	}
	fastest := make([][2]time.Duration, len(stores))
	for b.Loop() {
		for i := range bodies {
			for k, body := range bodies[i] {
				start := time.Now()
				body()
				if took := time.Since(start); fastest[i][k] == 0 || took < fastest[i][k] {
					fastest[i][k] = took
				}
			}
		}
	}
	b.ReportMetric(0, "ns/op")
	for i, name := range names {
		b.ReportMetric(float64(fastest[i][1]-fastest[i][0])/(moreCalls-1), fmt.Sprintf("%s-ns/iteration", name))
	}
}

// TestAppendsOfAnIteration: an iteration with one call needs two appends, whatever the store is.
func TestAppendsOfAnIteration(t *testing.T) {
	var appends atomic.Int64
	names, stores := journalStores(t, &appends)
	for i, s := range stores {
		t.Run(names[i], func(t *testing.T) {
			count := func(calls int) int64 {
				appends.Store(0)
				looking(t, calls, s)()
				return appends.Load()
			}
			one, two := count(1), count(2)
			want := int64(2)
			if s == nil {
				want = 0
			}
			require.Equal(t, want, two-one)
		})
	}
}
