package engine_test

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// talker is a model that replies to each question with one of its three calls, in turn. One has a
// long result, one needs approval, and one is a mistake. It replies to each result with text.
type talker struct{ calls [3]string }

func (m talker) Stream(_ context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		questions, lastContent := 0, req.Messages[len(req.Messages)-1].Content
		for _, msg := range req.Messages {
			if strings.HasPrefix(msg.Content, "question") {
				questions++
			}
		}
		text := "That is all."
		if strings.HasPrefix(lastContent, "question") {
			text = "Let me see. " + m.calls[questions%3]
		}
		for len(text) > 0 {
			n := min(20, len(text))
			if !yield(engine.Delta{Text: text[:n]}, nil) {
				return
			}
			text = text[n:]
		}
		yield(engine.Delta{Finished: true, Finish: protocol.FinishStop}, nil)
	}
}

// TestUnracedManySessionsLeaveNothing runs 1000 sessions of three questions, or 10,000 in the long
// suite, in ten batches. Live memory does not grow from one batch to the next, and no goroutine
// remains.
func TestUnracedManySessionsLeaveNothing(t *testing.T) {
	longtest.SkipIfRaced(t) // because of the prefix TestUnraced, "make test" runs this test without the race detector
	batches, sessions := 10, longtest.Count(100, 1000)
	alreadyRunning := goleak.IgnoreCurrent()
	long := strings.Repeat("a line that is one of many\n", 400)
	erase := method(t, "erase", nop, tool.WithRisk(tool.RiskDangerous))
	list := method(t, "list", func(_ context.Context, c *tool.Call) (tool.Output, error) {
		c.Progress("listing")
		return tool.Output{Text: long + c.ID}, nil
	})
	model := talker{[3]string{block(t, "t_erase", "text", "x"), block(t, "t_list"), block(t, "t_lst")}}
	e := newEngine(t, registry(t, erase, list), model, func(o *engine.Options) {
		o.Approver = allowing
		o.Config.HistoryTokens, o.Config.ParallelExecution = 4000, true
	})
	baseline := uint64(0) // live memory after batch 1
	for batch := range batches {
		for n := range sessions {
			s := e.NewSession(fmt.Sprintf("%d-%d", batch, n))
			var msgs []protocol.Message
			for q := range 3 {
				msgs = append(msgs, protocol.Message{Role: protocol.RoleUser, Content: fmt.Sprintf("question %d", q)})
				stop, results := engine.StopReason(""), 0
				for ev, err := range s.Run(t.Context(), msgs) {
					require.NoError(t, err)
					switch ev.Kind {
					case engine.EventIterationDone:
						msgs = append(msgs, ev.Iteration.Messages()...)
						results += len(ev.Iteration.Results)
					case engine.EventRunDone:
						stop = ev.Stop
					}
				}
				require.Equal(t, engine.StopDone, stop)
				require.Equal(t, 1, results)
			}
		}
		alive := liveHeap()
		if batch == 1 { // batch 0 has filled the caches and pools
			baseline = alive
		}
		if batch > 1 {
			// The sessions since batch 1 may keep 32 bytes each, or 64 KiB together.
			require.LessOrEqual(t, alive, baseline+uint64(max(32*sessions*(batch-1), 64<<10)),
				"live heap after batch %d", batch)
		}
	}
	require.Equal(t, 3*batches*sessions, e.Stats().Calls)
	goleak.VerifyNone(t, alreadyRunning)
}

// liveHeap returns the live memory after garbage collection, in bytes. Finalizers and pools need a
// second collection.
func liveHeap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
