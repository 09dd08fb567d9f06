package sqlitestore_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/sqlitestore"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// calling returns a model that makes the given number of calls after each message "Go.", one in
// each reply.
func calling(calls int) writer {
	return func(list []protocol.Message) string {
		done := 0
		for i := len(list) - 1; i >= 0 && list[i].Content != "Go."; i-- {
			if list[i].Role == protocol.RoleAssistant {
				done++
			}
		}
		if done < calls {
			return "Let me see. " + call("shop_look")
		}
		return "All done."
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

// lookConversation returns a function that runs a whole conversation with the given number of
// calls. store may be nil.
func lookConversation(tb testing.TB, calls int, store chat.Store) func() {
	tb.Helper()
	var seen atomic.Int64 // results differ, so that loop detection does not end the turn
	look := method(tb, "look", func(context.Context, *tool.Call) (tool.Output, error) {
		return tool.Output{Text: fmt.Sprint("apples and pears: ", seen.Add(1))}, nil
	})
	e := newEngine(tb, calling(calls), func(o *engine.Options) { o.Config.MaxIterations = calls + 1 }, look)
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

// journalStores returns the stores to compare: nil for no store, a chat.MemoryStore, a Store in
// memory, and a Store in a file.
func journalStores(tb testing.TB, appends *atomic.Int64) (names []string, stores []chat.Store) {
	tb.Helper()
	file := open(tb, filepath.Join(tb.TempDir(), "store.db"), sqlitestore.Options{})
	memory := open(tb, sqlitestore.Memory, sqlitestore.Options{})
	return []string{"none", "go-memory", "sqlite-memory", "sqlite-file"}, []chat.Store{
		nil,
		countingStore{chat.NewMemoryStore(), appends},
		countingStore{memory, appends},
		countingStore{file, appends},
	}
}

// moreCalls is how many calls the longer of two conversations has; the shorter has one.
const moreCalls = 9

// BenchmarkJournal measures what a journal adds to an iteration with one call, up to the next
// reply. The time of an iteration is the additional time of a conversation with many calls over a
// conversation with one call, divided by the number of additional calls. All stores take turns, and
// the fastest run of each counts.
func BenchmarkJournal(b *testing.B) {
	var appends atomic.Int64
	names, stores := journalStores(b, &appends)
	bodies := make([][2]func(), len(stores))
	for i, s := range stores {
		bodies[i] = [2]func(){lookConversation(b, 1, s), lookConversation(b, moreCalls, s)}
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

// An iteration with one call needs two appends to any store.
func TestAnIterationNeedsFewAppends(t *testing.T) {
	var appends atomic.Int64
	names, stores := journalStores(t, &appends)
	for i, s := range stores {
		t.Run(names[i], func(t *testing.T) {
			count := func(calls int) int64 {
				appends.Store(0)
				lookConversation(t, calls, s)()
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
