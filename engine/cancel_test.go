package engine_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// TestABreakEndsEverything breaks out of the range over a run, at each of its items. After that
// nothing runs, and the model is not asked again.
func TestABreakEndsEverything(t *testing.T) {
	replies := func() []reply {
		return []reply{says("See: ", block(t, "t_wait", "text", "a"), block(t, "t_wait", "text", "b")), says("Done.")}
	}
	for _, parallel := range []bool{false, true} {
		for n := 1; ; n++ {
			items, brokeBeforeEnd := 0, false
			synctest.Test(t, func(t *testing.T) {
				var running, ended atomic.Int32
				model := &script{replies: replies()}
				wait := method(t, "wait", func(ctx context.Context, c *tool.Call) (tool.Output, error) {
					running.Add(1)
					defer func() { running.Add(-1); ended.Add(1) }()
					c.Progress("waiting")
					select {
					case <-ctx.Done():
						time.Sleep(time.Second) // cleaning up
						return tool.Output{}, ctx.Err()
					case <-time.After(time.Second):
						return tool.Output{}, nil
					}
				})
				mode := config(func(c *engine.Config) { c.ParallelExecution = parallel })
				s := session(t, registry(t, wait), model, mode)
				asked := 0
				for ev, err := range s.Run(t.Context(), question) {
					require.NoError(t, err)
					asked = len(model.asked)
					if items++; items == n {
						brokeBeforeEnd = ev.Kind != engine.EventRunDone
						break
					}
				}
				require.Zero(t, running.Load(), "a tool is still running after the break at item %d", n)
				require.Len(t, model.asked, asked, "the model was asked again after the break")
				endedAtBreak := ended.Load()
				time.Sleep(time.Hour)
				require.Equal(t, endedAtBreak, ended.Load())
			})
			if !brokeBeforeEnd {
				require.Greater(t, n, 10, "a whole run has more items")
				break
			}
		}
	}
}

func TestACanceledRunKeepsWhatWasDone(t *testing.T) {
	cause := errors.New("the user pressed stop")

	t.Run("while the model writes", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		model := &script{replies: []reply{says("One. ", "Two. ", block(t, "t_echo"))}, before: func(i int) {
			if i == 1 {
				cancel(cause)
			}
		}}
		got := runIn(ctx, t, session(t, registry(t), model), question)
		require.Equal(t, []string{"text |One. ", "iteration_done", "run_done canceled"}, got.trace)
		require.ErrorIs(t, got.err, cause)
		require.Equal(t, "One. ", got.iterations[0].Messages()[0].Content, "what was written is not lost")
	})
	t.Run("while a tool runs", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		model := &script{replies: []reply{says(block(t, "t_stop"), block(t, "t_echo", "text", "no"))}}
		stops := method(t, "stop", func(ctx context.Context, _ *tool.Call) (tool.Output, error) {
			cancel(cause)
			<-ctx.Done()
			return tool.Output{}, ctx.Err()
		})
		got := runIn(ctx, t, session(t, registry(t, stops), model), question)
		require.Equal(t, engine.StopCanceled, got.stop)
		require.ErrorIs(t, got.err, cause)
		var types []string
		for _, r := range results(t, got.iterations[0].Messages()[1]) {
			types = append(types, r.ErrorType)
		}
		require.Equal(t, []string{executor.ErrorCanceled, executor.ErrorCanceled}, types, "each request has its result")
		require.Len(t, model.asked, 1)
	})
	t.Run("between two replies", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		model := &script{replies: []reply{says(block(t, "t_echo", "text", "a"))}}
		var got outcome
		for ev, err := range session(t, registry(t), model).Run(ctx, question) {
			got.add(ev)
			got.err = err
			if ev.Kind == engine.EventIterationDone {
				cancel(cause)
			}
		}
		require.Equal(t, engine.StopCanceled, got.stop)
		require.ErrorIs(t, got.err, cause)
		require.Len(t, model.asked, 1)
	})
	t.Run("before the run begins", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		cancel(cause)
		model := &script{replies: []reply{says("Hello.")}}
		got := runIn(ctx, t, session(t, registry(t), model), question)
		require.Equal(t, engine.StopCanceled, got.stop)
		require.ErrorIs(t, got.err, cause)
		require.Empty(t, model.asked, "the model is sent nothing")
	})
}

func runIn(ctx context.Context, t testing.TB, s *engine.Session, msgs []protocol.Message) (got outcome) {
	t.Helper()
	for ev, err := range s.Run(ctx, msgs) {
		got.add(ev)
		got.err = err
	}
	return got
}

func TestAPanicInTheRangeOverEventsIsNotRecovered(t *testing.T) {
	s := session(t, registry(t), &script{replies: []reply{says(block(t, "t_echo"))}})
	require.PanicsWithValue(t, "mine", func() {
		for ev, err := range s.Run(t.Context(), question) {
			if err != nil || ev.Kind == engine.EventToolStarted {
				panic("mine")
			}
		}
	})
}

func TestToolsOfOneReplyCanRunInParallel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := &script{replies: []reply{
			says(block(t, "t_slow", "text", "a"), block(t, "t_echo", "text", "b"), block(t, "t_slow", "text", "c")),
			says("Done."),
		}}
		s := session(t, registry(t, method(t, "slow", func(_ context.Context, c *tool.Call) (tool.Output, error) {
			time.Sleep(time.Second)
			return tool.Output{Text: shortID(c.ID)}, nil
		})), model, config(func(c *engine.Config) { c.ParallelExecution = true }))
		start := time.Now()
		got := run(t, s, question)
		require.Equal(t, time.Second, time.Since(start))
		var texts []string
		for _, r := range results(t, *got.iterations[0].ResultMessage) {
			texts = append(texts, r.Result)
		}
		require.Equal(t, []string{"1.1", "b", "1.3"}, texts, "results are in request order")
	})
}

func TestEventsHaveTheTimeAtWhichTheyHappen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		model := &script{
			replies: []reply{says("x", block(t, "t_slow")), says("y")},
			before:  func(int) { time.Sleep(time.Second) }, // three times for the first reply, twice for the second
		}
		s := session(t, registry(t, method(t, "slow", func(context.Context, *tool.Call) (tool.Output, error) {
			time.Sleep(10 * time.Second)
			return tool.Output{}, nil
		})), model)
		at := map[string]time.Duration{}
		for ev, err := range s.Run(t.Context(), question) {
			require.NoError(t, err)
			at[fmt.Sprint(ev.Kind, " ", ev.IterationNumber)] = ev.Time.Sub(start)
			if ev.Kind == engine.EventIterationDone && ev.IterationNumber == 1 {
				require.Equal(t, start, ev.Iteration.Started)
				require.Equal(t, 13*time.Second, ev.Iteration.Duration)
				require.Equal(t, 10*time.Second, ev.Iteration.Results[0].Duration)
			}
		}
		require.Equal(t, time.Second, at["text 1"])
		require.Equal(t, 3*time.Second, at["tool_started 1"])
		require.Equal(t, 13*time.Second, at["tool_done 1"])
		require.Equal(t, 13*time.Second, at["iteration_done 1"])
		require.Equal(t, 14*time.Second, at["text 2"])
		require.Equal(t, 15*time.Second, at["run_done 2"])
	})
}

func TestTheConfiguredTimeoutEndsACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := &script{replies: []reply{says(block(t, "t_hang")), says("Too slow.")}}
		s := session(t, registry(t, method(t, "hang", func(context.Context, *tool.Call) (tool.Output, error) {
			time.Sleep(time.Hour)
			return tool.Output{}, nil
		})), model, config(func(c *engine.Config) { c.Timeout = engine.Duration(5 * time.Second) }))
		start := time.Now()
		got := run(t, s, question)
		require.Equal(t, 5*time.Second, time.Since(start))
		require.Equal(t, executor.ErrorTimeout, got.iterations[0].Results[0].ErrorType)
		time.Sleep(time.Hour) // a synctest bubble may end only after the tool has ended
	})
}

// endless is a model that writes text(n) as its reply n, from 1, and is never done.
type endless struct {
	text  func(n int) string
	asked int
}

func (m *endless) Stream(context.Context, engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		m.asked++
		yield(engine.Delta{Text: m.text(m.asked), Finished: true, Finish: protocol.FinishStop}, nil)
	}
}

func TestAModelThatKeepsCallingIsStopped(t *testing.T) {
	for _, limit := range []int{1, 3, 10} {
		model := &endless{text: func(n int) string { return block(t, "t_echo", "text", strconv.Itoa(n)) }}
		limited := config(func(c *engine.Config) { c.MaxIterations = limit })
		got := run(t, session(t, registry(t), model, limited), question)
		require.Equal(t, engine.StopMaxIterations, got.stop)
		require.Equal(t, limit+2, model.asked, "one last reply, and one more because it calls again")
		require.Len(t, got.iterations, limit+2)
		for _, iteration := range got.iterations[:limit] {
			require.Len(t, iteration.Results, 1, "no result is lost")
		}
	}
}
