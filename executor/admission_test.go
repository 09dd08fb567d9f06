package executor_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// concurrency counts how many handlers run at once: of a method, of a tool, and of all ("all").
type concurrency struct {
	mu      sync.Mutex
	running map[string]int
	most    map[string]int
}

func (c *concurrency) add(n int, names ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running == nil {
		c.running, c.most = map[string]int{}, map[string]int{}
	}
	for _, name := range names {
		c.running[name] += n
		c.most[name] = max(c.most[name], c.running[name])
	}
}

func (c *concurrency) handle(ctx context.Context, call *tool.Call) (tool.Output, error) {
	names := []string{call.Method.FullName, call.Method.Tool.ID, "all"}
	c.add(1, names...)
	defer c.add(-1, names...)
	return workFor(time.Second)(ctx, call)
}

func TestConcurrencyLimitsHold(t *testing.T) {
	for _, tt := range []struct {
		name           string
		method, tool   int           // the limits of t_a and of its tool
		allCalls       int           // the limit of all calls
		mostA, mostAll int           // how many calls of t_a, and of all methods, may run at once
		took           time.Duration // for 6 calls of t_a and 6 of t_b
	}{
		{"without a limit all run at once", 0, 0, 0, 6, 12, time.Second},
		{"a method's limit is the method's alone", 2, 0, 0, 2, 8, 3 * time.Second},
		{"a tool's limit is for all of its methods", 0, 4, 0, 4, 4, 3 * time.Second},
		{"the limit of all calls is for all tools", 0, 0, 3, 3, 3, 4 * time.Second},
		// Second by second: a0 b0, b1 b2, b3 b4, b5 a1, a2, a3, a4, a5. The second call of t_a
		// comes to the tool's queue after all of t_b.
		{"all limits hold at once", 1, 3, 2, 1, 2, 8 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var c concurrency
				reg := tool.NewRegistry()
				require.NoError(t, reg.Register(tool.Tool{ID: "t", Concurrency: tt.tool, Methods: []tool.Method{
					method(t, "a", c.handle, tool.Concurrency(tt.method),
						tool.Timeout(time.Second+1)), // just longer than the work, so a wait that counted would exceed it
					method(t, "b", c.handle),
				}}))
				o := executor.Options{Parallel: true, MaxConcurrent: tt.allCalls, Logger: quiet}
				start := time.Now()
				var wg sync.WaitGroup
				for i, name := range []string{"t_a", "t_b"} {
					wg.Go(func() {
						time.Sleep(time.Duration(i)) // the calls of t_a come first
						for _, r := range executeAll(t, executor.New(reg, o), requests(6, name)...) {
							require.Equal(t, protocol.StatusSuccess, r.Status,
								"waiting is not part of the tool's time: %s", r.ToolResult.Result)
							require.Equal(t, time.Second, r.Duration)
						}
					})
				}
				wg.Wait()
				require.Equal(t, tt.mostA, c.most["t_a"])
				require.Equal(t, tt.mostAll, c.most["all"])
				require.Equal(t, tt.took, time.Since(start).Truncate(time.Second))
			})
		})
	}
}

func TestConcurrencyLimitHoldsForManyCalls(t *testing.T) {
	const limit = 16
	calls := longtest.Count(2_000, 10_000)
	var running, most, ran atomic.Int64
	reg := registry(t, method(t, "tool", func(context.Context, *tool.Call) (tool.Output, error) {
		n := running.Add(1)
		defer running.Add(-1)
		m := most.Load()
		for n > m && !most.CompareAndSwap(m, n) {
			m = most.Load()
		}
		ran.Add(1)
		return tool.Output{}, nil
	}, tool.Concurrency(limit)))
	x := executor.New(reg, executor.Options{Parallel: true, MaxConcurrent: 2 * limit, Logger: quiet})
	var wg sync.WaitGroup
	for i := range 10 { // sessions
		wg.Go(func() {
			results := executeAll(t, x, requests(calls/10, "t_tool")...)
			require.Len(t, results, calls/10, i)
		})
	}
	wg.Wait()
	require.EqualValues(t, calls, ran.Load())
	require.LessOrEqual(t, most.Load(), int64(limit))
}

func TestWaitingCallIsCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := executor.New(registry(t,
			method(t, "tool", workFor(time.Minute), tool.Concurrency(1), tool.Timeout(time.Hour))),
			executor.Options{Parallel: true, Logger: quiet})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		var started []string
		results := x.Execute(ctx, allVisible(), executor.Observer{
			Started: func(r executor.Request, _ *tool.Entry, _ json.RawMessage) { started = append(started, r.ID) },
		}, requests(3, "t_tool"))
		require.Equal(t, []string{"t_tool 0"}, started)
		for i, r := range results {
			require.Equal(t, executor.ErrorCanceled, r.ErrorType)
			require.Equal(t, i > 0, r.Duration == 0, "only the first call ran")
		}
		r := executeAll(t, x, requests(1, "t_tool")...)[0]
		require.Equal(t, protocol.StatusSuccess, r.Status, "canceled calls do not block later ones")
	})
}

func TestCallsWaitInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var order []string
		reg := registry(t, method(t, "tool", func(ctx context.Context, c *tool.Call) (tool.Output, error) {
			order = append(order, c.ID)
			return workFor(time.Second)(ctx, c)
		}))
		x := executor.New(reg, executor.Options{MaxConcurrent: 1, Logger: quiet})
		var wg sync.WaitGroup
		var want []string
		for i := range 20 {
			id := fmt.Sprint(i)
			want = append(want, id)
			wg.Go(func() {
				time.Sleep(time.Duration(i) * time.Millisecond)
				executeAll(t, x, request(id, "t_tool"))
			})
		}
		wg.Wait()
		require.Equal(t, want, order)
	})
}

func TestCallsThatShareAResourceRunInOrder(t *testing.T) {
	for _, tt := range []struct {
		name  string
		calls [][2]string   // a method, and the text that identifies its resource
		took  time.Duration // for all calls
		order []string      // the ids in the order of their ends; calls that end together are in request order
	}{
		{
			"calls that share no resource run at once",
			[][2]string{{"a", ""}, {"free", ""}, {"c", ""}},
			time.Second,
			[]string{"0", "1", "2"},
		},
		{
			"calls that share a resource run in order",
			[][2]string{{"a", ""}, {"a", ""}, {"b", ""}},
			3 * time.Second,
			[]string{"0", "1", "2"},
		},
		{
			"an argument distinguishes resources",
			[][2]string{{"file", "x"}, {"file", "y"}, {"file", "x"}},
			2 * time.Second,
			[]string{"0", "1", "2"},
		},
		{
			"a call that waits for one of its resources keeps its position in the other queues",
			[][2]string{{"a", ""}, {"both", ""}, {"c", ""}},
			3 * time.Second,
			[]string{"0", "1", "2"},
		},
		{
			"a call does not wait for calls that use other resources",
			[][2]string{{"a", ""}, {"b", ""}, {"c", ""}},
			2 * time.Second,
			[]string{"0", "2", "1"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				works := workFor(time.Second)
				reg := registry(t,
					method(t, "a", works, tool.Uses("disk")), method(t, "b", works, tool.Uses("disk")),
					method(t, "c", works, tool.Uses("net")),
					method(t, "both", works, tool.Uses("net"), tool.Uses("disk")),
					method(t, "file", works, tool.Uses("file", "text")), method(t, "free", works))
				var reqs []executor.Request
				for i, c := range tt.calls {
					reqs = append(reqs, request(fmt.Sprint(i), "t_"+c[0], "text", c[1]))
				}
				ended := map[time.Duration][]string{}
				start := time.Now()
				obs := executor.Observer{Done: func(r *executor.Result) {
					require.Equal(t, protocol.StatusSuccess, r.Status)
					ended[time.Since(start)] = append(ended[time.Since(start)], r.ID)
				}}
				x := executor.New(reg, executor.Options{Parallel: true, Logger: quiet})
				x.Execute(t.Context(), allVisible(), obs, reqs)
				require.Equal(t, tt.took, time.Since(start))
				var order []string
				for second := range 10 {
					group := ended[time.Duration(second)*time.Second]
					slices.Sort(group)
					order = append(order, group...)
				}
				require.Equal(t, tt.order, order)
			})
		})
	}
}
