package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// TestLawACallRunsOnce checks approved calls, whatever middlewares do with next: a call has one
// result, does not begin after its result, and runs at most once. An idempotent method may run more
// often. (A law is a property that rapid checks with generated inputs.)
func TestLawACallRunsOnce(t *testing.T) {
	const attempts = 3
	names := slices.Sorted(maps.Keys(misuses))
	handlers := map[string]tool.Handler{
		"works":   says("ran"),
		"fails":   func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, errors.New("no") },
		"busy":    func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, errRetryable },
		"slow":    workFor(time.Second),
		"late":    workFor(time.Hour),
		"ignores": ignoreContextFor(20 * time.Second),
		"panics":  func(context.Context, *tool.Call) (tool.Output, error) { panic("boom") },
	}
	rapid.Check(t, func(rt *rapid.T) {
		handler := rapid.SampledFrom(slices.Sorted(maps.Keys(handlers))).Draw(rt, "handler")
		idempotent := rapid.Bool().Draw(rt, "idempotent")
		host := rapid.Bool().Draw(rt, "host-run")
		parallel := rapid.Bool().Draw(rt, "parallel")
		chain := rapid.SliceOfN(rapid.SampledFrom(names), 1, 3).Draw(rt, "middlewares")
		n := rapid.IntRange(1, 3).Draw(rt, "calls")
		var faults []string
		fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			// By the ID of a call: when its runs began, when it got its last result, and how many
			// results it got.
			began, resultAt, resultCount := map[string][]time.Time{}, map[string]time.Time{}, map[string]int{}
			recordBegin := func(id string) {
				mu.Lock()
				defer mu.Unlock()
				began[id] = append(began[id], time.Now())
			}
			h := func(ctx context.Context, c *tool.Call) (tool.Output, error) {
				recordBegin(c.ID)
				return handlers[handler](ctx, c)
			}
			opts := []tool.Option{tool.AgentCallable(), tool.Concurrency(2), tool.Timeout(10 * time.Second)}
			maxRuns := 1
			if idempotent {
				opts, maxRuns = append(opts, tool.Idempotent()), attempts
			}
			m, err := tool.Raw("tool", "", nil, h, opts...)
			if host {
				m, err = tool.HostRun("tool", "", nil, opts...)
				maxRuns = 1
			}
			require.NoError(t, err)
			reg := registry(t, m)
			o := askOptions(allows)
			o.Parallel, o.MaxAttempts, o.MaxAbandoned = parallel, attempts, 100
			for _, name := range chain {
				m := misuses[name]()
				if name == "again while it panics" { // outermost: a panic in another middleware's goroutine would end the process
					o.Middlewares = append([]tool.Middleware{m}, o.Middlewares...)
				} else {
					o.Middlewares = append(o.Middlewares, m)
				}
			}
			conversation := allVisible()
			obs := executor.Observer{
				Dispatched: func(r executor.Request, _ *tool.Entry, _ json.RawMessage) {
					recordBegin(r.ID)
					_ = conversation.Complete(r.ID, tool.Output{Text: "ran"}, nil)
				},
				Done: func(r *executor.Result) {
					mu.Lock()
					defer mu.Unlock()
					resultAt[r.ID] = time.Now()
					resultCount[r.ID]++
				},
			}
			var reqs []executor.Request
			for i := range n {
				reqs = append(reqs, request(fmt.Sprint(i+1), "t_tool"))
			}
			x := executor.New(reg, o)
			results := x.Execute(t.Context(), conversation, obs, reqs)
			first := outcomes(results)
			time.Sleep(10 * time.Hour)
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			if len(results) != n || !slices.Equal(first, outcomes(results)) {
				fault("results: %v, later %v", first, outcomes(results))
			}
			for _, q := range reqs {
				if resultCount[q.ID] != 1 {
					fault("call %s has %d results", q.ID, resultCount[q.ID])
				}
				if len(began[q.ID]) > maxRuns {
					fault("call %s ran %d times, want at most %d", q.ID, len(began[q.ID]), maxRuns)
				}
				for _, at := range began[q.ID] {
					if at.After(resultAt[q.ID]) {
						fault("call %s began %s after its result", q.ID, at.Sub(resultAt[q.ID]))
					}
				}
			}
			if left := x.Abandoned(); len(left) > 0 {
				fault("still abandoned: %v", left)
			}
		})
		if len(faults) > 0 {
			rt.Fatal(strings.Join(faults, "\n"))
		}
	})
}

func TestNextIsRefused(t *testing.T) {
	for _, tt := range []struct {
		name, manner string
		want         executor.RunOnceError
	}{
		{"a second time", "twice", executor.RunOnceError{ID: "1", Method: "t_tool"}},
		{"after the result", "late", executor.RunOnceError{ID: "1", Method: "t_tool", Late: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var ran runs
				var got error
				o := askOptions(allows)
				o.Middlewares = []tool.Middleware{func(next tool.Handler) tool.Handler {
					return func(ctx context.Context, c *tool.Call) (tool.Output, error) {
						if tt.manner == "twice" {
							_, _ = next(ctx, c)
							_, got = next(ctx, c)
							return tool.Output{}, fmt.Errorf("wrapped: %w", got)
						}
						time.AfterFunc(time.Second, func() { _, got = next(ctx, c) })
						return tool.Output{Text: "returned early"}, nil
					}
				}}
				r := execute(t, executor.New(registry(t, method(t, "tool", ran.handle)), o), request("1", "t_tool"))
				time.Sleep(time.Minute)
				synctest.Wait()
				var again *executor.RunOnceError
				require.ErrorAs(t, got, &again)
				require.Equal(t, tt.want, *again)
				if tt.manner == "twice" {
					require.Len(t, ran.list, 1)
					require.Equal(t, executor.ErrorExecutionFailed, r.ErrorType)
					require.NotContains(t, r.ToolResult.Result, "next", "the model must not read about middlewares")
					return
				}
				require.Empty(t, ran.list)
				require.Equal(t, protocol.StatusSuccess, r.Status)
			})
		})
	}
}

// If a middleware returns before the handler, the call is abandoned: it keeps its slot until the
// handler returns.
func TestHandlerThatOutlivesItsMiddlewareIsAbandoned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := executor.Options{Logger: quiet, Middlewares: []tool.Middleware{misuses["with its own timeout"]()}}
		x := executor.New(registry(t, method(t, "tool", ignoreContextFor(time.Minute), tool.Concurrency(1))), o)
		r := execute(t, x, request("1", "t_tool"))
		require.Equal(t, "too late", r.ToolResult.Result)
		require.Equal(t, []string{"t_tool 1"}, abandonedCalls(x))
		r = execute(t, x, request("2", "t_tool"))
		require.Equal(t, executor.ErrorLimitExceeded, r.ErrorType)
		time.Sleep(time.Minute)
		require.Empty(t, x.Abandoned())
		r = execute(t, x, request("3", "t_tool"))
		require.Equal(t, "too late", r.ToolResult.Result)
		time.Sleep(time.Minute)
	})
}

// A host-run call stops waiting for its result when the call ends, even if a middleware gave the
// handler a context that does not end.
func TestHostRunEndsWithItsCall(t *testing.T) {
	for _, manner := range []string{
		"in a goroutine that it does not wait for", "with its own timeout", "without the deadline",
	} {
		t.Run(manner, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m, err := tool.HostRun("tool", "", nil, tool.AgentCallable(), tool.Timeout(time.Minute))
				require.NoError(t, err)
				conversation := allVisible()
				o := executor.Options{Logger: quiet, Middlewares: []tool.Middleware{misuses[manner]()}}
				if manner == "with its own timeout" { // this middleware keeps the deadline of the context
					o.Middlewares = append(o.Middlewares, misuses["without the deadline"]())
				}
				x := executor.New(registry(t, m), o)
				executeIn(t, x, conversation, request("1", "t_tool"))
				time.Sleep(time.Hour)
				require.Empty(t, conversation.HostRunCalls())
				require.Empty(t, x.Abandoned())
			})
		})
	}
}

// A handler is abandoned, too, if it still runs while the text that its middleware returned is
// summarized.
func TestHandlerThatRunsDuringASummaryIsAbandoned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		summarize := func(context.Context, executor.FullResult, int) (string, error) { return "short", nil }
		returnsEarly := wrapping(func(ctx context.Context, c *tool.Call, next tool.Handler) (tool.Output, error) {
			go func() { _, _ = next(ctx, c) }()
			time.Sleep(time.Second)
			return tool.Output{Text: numbered(1000)}, nil
		})
		x := executor.New(registry(t, method(t, "tool", ignoreContextFor(time.Minute), tool.Concurrency(1))),
			executor.Options{
				Logger: quiet, Middlewares: []tool.Middleware{returnsEarly()},
				ResultLimit: executor.ResultLimit{Tokens: 300, Summarize: summarize},
			})
		r := execute(t, x, request("1", "t_tool"))
		require.True(t, r.Summarized)
		require.Equal(t, []string{"t_tool 1"}, abandonedCalls(x))
		r = execute(t, x, request("2", "t_tool"))
		require.Equal(t, executor.ErrorLimitExceeded, r.ErrorType, "the abandoned call keeps its slot of the method")
		time.Sleep(time.Minute)
		require.Empty(t, x.Abandoned())
	})
}
