package executor_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

func TestAbandonedCallsAreListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log logBuffer
		reg := registry(t, method(t, "tool", ignoreContextFor(time.Minute), tool.Timeout(10*time.Second)))
		x := executor.New(reg, executor.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
		start := time.Now()
		executeAll(t, x, request("1", "t_tool"), request("2", "t_tool"))
		require.Equal(t, []executor.AbandonedCall{
			{ID: "1", Method: "t_tool", Since: start.Add(10 * time.Second)},
			{ID: "2", Method: "t_tool", Since: start.Add(20 * time.Second)},
		}, x.Abandoned())
		require.Contains(t, log.String(), "tool call abandoned")
		require.NotContains(t, log.String(), "returned")
		time.Sleep(41 * time.Second) // until a second after the first call returns
		require.Equal(t, []string{"t_tool 2"}, abandonedCalls(x))
		require.Contains(t, log.String(), `msg="abandoned tool call returned" id=1 method=t_tool late=50s`)
		time.Sleep(time.Minute)
		require.Empty(t, x.Abandoned())
	})
}

func TestCallsThatOutliveTheirResultAreAbandoned(t *testing.T) {
	for _, tt := range []struct {
		name    string
		handler tool.Handler
		cancel  time.Duration // when the run is canceled; 0 means never
		want    int           // how many calls are abandoned
	}{
		{"a call that ends in time is not abandoned", workFor(time.Second), 0, 0},
		{"a call that obeys its deadline is not abandoned", workFor(time.Hour), 0, 0},
		{"a call that ignores its deadline is abandoned", ignoreContextFor(time.Hour), 0, 1},
		{"a call that ignores the end of its run is abandoned", ignoreContextFor(time.Hour), time.Second, 1},
		{"a call that obeys the end of its run is not abandoned", workFor(time.Hour), time.Second, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if tt.cancel > 0 {
					time.AfterFunc(tt.cancel, cancel)
				}
				x := executor.New(registry(t, method(t, "tool", tt.handler)), executor.Options{Logger: quiet})
				x.Execute(ctx, allVisible(), executor.Observer{}, []executor.Request{request("1", "t_tool")})
				synctest.Wait()
				require.Len(t, x.Abandoned(), tt.want)
				time.Sleep(2 * time.Hour)
				require.Empty(t, x.Abandoned())
			})
		})
	}
	t.Run("a call that runs while an observer panics is abandoned until the call returns", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			o := executor.Options{Parallel: true, MaxConcurrent: 1, Logger: quiet}
			x := executor.New(registry(t, method(t, "tool", ignoreContextFor(time.Hour))), o)
			obs := executor.Observer{Done: func(*executor.Result) {
				synctest.Wait() // until the first call has begun
				panic("mine")
			}}
			// Call 1 runs, call 2 waits, and request 3 fails at once, because t_none does not
			// exist.
			reqs := []executor.Request{request("1", "t_tool"), request("2", "t_tool"), request("3", "t_none")}
			require.Panics(t, func() { x.Execute(t.Context(), allVisible(), obs, reqs) })
			require.Equal(t, []string{"t_tool 1"}, abandonedCalls(x))
			time.Sleep(2 * time.Hour)
			require.Empty(t, x.Abandoned())
		})
	})
}

// MaxAbandoned counts by tool: t has two abandoned calls after request 3, and u has none.
func TestAbandonedCallsAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reg := registry(t, method(t, "hangs", ignoreContextFor(time.Hour)), method(t, "works", says("fine")))
		require.NoError(t, reg.Register(tool.Tool{ID: "u", Methods: []tool.Method{method(t, "works", says("fine"))}}))
		o := executor.Options{MaxAbandoned: 2, Timeout: time.Second, Logger: quiet}
		var started []string
		obs := executor.Observer{Started: func(r executor.Request, _ *tool.Entry, _ json.RawMessage) {
			started = append(started, r.ID)
		}}
		x := executor.New(reg, o)
		results := x.Execute(t.Context(), allVisible(), obs, []executor.Request{
			request("1", "t_hangs"), request("2", "t_works"), request("3", "t_hangs"), request("4", "t_hangs"),
			request("5", "t_works"), request("6", "u_works"),
		})
		require.Equal(t, []string{"timeout", "", "timeout", "limit_exceeded", "limit_exceeded", ""},
			errorTypes(results))
		require.Equal(t, []string{"1", "2", "3", "6"}, started)
		require.NotEmpty(t, results[4].Suggestion)

		r := execute(t, executor.New(reg, o), request("7", "t_works"))
		require.Equal(t, executor.ErrorLimitExceeded, r.ErrorType,
			"another executor on the registry counts the same abandoned calls")
		time.Sleep(time.Hour)
		r = execute(t, executor.New(reg, o), request("8", "t_works"))
		require.Equal(t, protocol.StatusSuccess, r.Status)
	})
}

func TestAbandonedCallsKeepTheirSlotsAndResources(t *testing.T) {
	for _, tt := range []struct {
		name    string
		method  []tool.Option
		options executor.Options
		want    string // the error type of a second call, while the first is abandoned
	}{
		{"a method without limits keeps nothing", nil, executor.Options{}, ""},
		{"the slot of MaxConcurrent is free for other calls", nil, executor.Options{MaxConcurrent: 1}, ""},
		{
			"the last slot of the method is kept",
			[]tool.Option{tool.Concurrency(1)},
			executor.Options{},
			"limit_exceeded",
		},
		{"other slots of the method are free", []tool.Option{tool.Concurrency(2)}, executor.Options{}, ""},
		{"the resource is kept", []tool.Option{tool.Uses("disk")}, executor.Options{}, "limit_exceeded"},
	} {
		// One by one, the second call begins after the timeout of the first. In parallel, it may be
		// waiting at the timeout.
		for mode, parallel := range map[string]bool{"one by one": false, "in parallel": true} {
			t.Run(tt.name+", "+mode, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					reg := registry(t, method(t, "tool", func(ctx context.Context, c *tool.Call) (tool.Output, error) {
						if string(c.Arguments) == `{"text":"hang"}` {
							return ignoreContextFor(time.Hour)(ctx, c)
						}
						return tool.Output{}, nil
					}, append(tt.method, tool.Timeout(time.Second))...))
					tt.options.Parallel, tt.options.Logger = parallel, quiet
					x := executor.New(reg, tt.options)
					start := time.Now()
					results := executeAll(t, x, request("1", "t_tool", "text", "hang"), request("2", "t_tool"))
					require.Equal(t, []string{"timeout", tt.want}, errorTypes(results))
					require.Equal(t, time.Second, time.Since(start), "no call waits for one that may never end")
					time.Sleep(2 * time.Hour)
					r := execute(t, x, request("3", "t_tool"))
					require.Equal(t, protocol.StatusSuccess, r.Status,
						"an abandoned call frees its slots and resources when it returns")
				})
			})
		}
	}
}
