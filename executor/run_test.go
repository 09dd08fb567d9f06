package executor_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

func TestCallsEndAtTheirTimeout(t *testing.T) {
	for _, tt := range []struct {
		name    string
		options executor.Options
		method  func(t testing.TB) tool.Method
		want    time.Duration // until the result; 0 means that the tool finishes in time
	}{
		{"30 seconds by default", executor.Options{}, func(t testing.TB) tool.Method {
			return method(t, "tool", workFor(time.Hour))
		}, 30 * time.Second},
		{"the executor's own timeout", executor.Options{Timeout: time.Minute}, func(t testing.TB) tool.Method {
			return method(t, "tool", workFor(time.Hour))
		}, time.Minute},
		{"a method's own timeout counts if it is shorter", executor.Options{}, func(t testing.TB) tool.Method {
			return method(t, "tool", workFor(time.Hour), tool.Timeout(time.Second))
		}, time.Second},
		{"a method's own timeout counts if it is longer", executor.Options{}, func(t testing.TB) tool.Method {
			return method(t, "tool", workFor(time.Hour), tool.Timeout(10*time.Minute))
		}, 10 * time.Minute},
		{
			"a tool that ignores its context is abandoned at the deadline",
			executor.Options{},
			func(t testing.TB) tool.Method {
				return method(t, "tool", ignoreContextFor(time.Hour))
			}, 30 * time.Second,
		},
		{
			"a tool that ignores its context is abandoned at the deadline, in parallel too",
			executor.Options{Parallel: true},
			func(t testing.TB) tool.Method {
				return method(t, "tool", ignoreContextFor(time.Hour))
			}, 30 * time.Second,
		},
		{"a tool just within its time succeeds", executor.Options{}, func(t testing.TB) tool.Method {
			return method(t, "tool", workFor(30*time.Second-1))
		}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tt.options.Logger = quiet
				x := executor.New(registry(t, tt.method(t)), tt.options)
				start := time.Now()
				r := execute(t, x, request("1", "t_tool"))
				if tt.want == 0 {
					require.Equal(t, protocol.StatusSuccess, r.Status, r.ToolResult.Result)
					return
				}
				require.Equal(t, executor.ErrorTimeout, r.ErrorType)
				require.Contains(t, r.ToolResult.Result, tt.want.String())
				require.Equal(t, tt.want, time.Since(start))
				require.Equal(t, tt.want, r.Duration)
				time.Sleep(time.Hour) // until the abandoned call ends
			})
		})
	}
}

func TestAbandonedToolIsIgnored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := method(t, "tool", func(_ context.Context, c *tool.Call) (tool.Output, error) {
			time.Sleep(time.Minute)
			c.Progress("still here")
			panic("and angry")
		})
		var heard []string
		obs := executor.Observer{
			Progress: func(_, text string) { heard = append(heard, text) },
			Done:     func(r *executor.Result) { heard = append(heard, r.ErrorType) },
		}
		x := executor.New(registry(t, late, method(t, "slow", workFor(20*time.Second))),
			executor.Options{Logger: quiet})
		x.Execute(t.Context(), allVisible(), obs,
			[]executor.Request{request("1", "t_tool"), request("2", "t_slow"), request("3", "t_slow")})
		time.Sleep(time.Hour)
		require.Equal(t, []string{"timeout", "", ""}, heard)
	})
}

func TestCanceledCallsHaveTimeToReturn(t *testing.T) {
	for _, tt := range []struct {
		name     string
		parallel bool
		handler  tool.Handler
		wait     time.Duration // from the cancel to the return of Execute
		want     []outcome
	}{
		{
			"a tool that obeys its context is waited for", false,
			func(ctx context.Context, _ *tool.Call) (tool.Output, error) {
				<-ctx.Done()
				time.Sleep(time.Second) // cleaning up
				return tool.Output{}, ctx.Err()
			}, time.Second,
			[]outcome{
				{
					"1", "t_tool", "error", "canceled",
					"The request was canceled while it ran. It may have done a part of its work.",
				},
				{"2", "", "error", "canceled", "The request was canceled before it ran."},
			},
		},
		{
			"a tool that finishes after the cancel has its result", false,
			func(ctx context.Context, _ *tool.Call) (tool.Output, error) {
				<-ctx.Done()
				return tool.Output{Text: "done"}, nil
			}, 0,
			[]outcome{
				{"1", "t_tool", "success", "", "done"},
				{"2", "", "error", "canceled", "The request was canceled before it ran."},
			},
		},
		{
			"a tool that ignores its context has 2 seconds", false, ignoreContextFor(time.Minute), 2 * time.Second,
			[]outcome{
				{
					"1", "t_tool", "error", "canceled",
					"The request was canceled while it ran. It may have done a part of its work.",
				},
				{"2", "", "error", "canceled", "The request was canceled before it ran."},
			},
		},
		{"parallel tools have the same 2 seconds", true, ignoreContextFor(time.Minute), 2 * time.Second, []outcome{
			{
				"1", "t_tool", "error", "canceled",
				"The request was canceled while it ran. It may have done a part of its work.",
			},
			{
				"2", "t_tool", "error", "canceled",
				"The request was canceled while it ran. It may have done a part of its work.",
			},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				time.AfterFunc(5*time.Second, cancel)
				x := executor.New(registry(t, method(t, "tool", tt.handler)),
					executor.Options{Parallel: tt.parallel, Logger: quiet})
				start := time.Now()
				results := x.Execute(ctx, allVisible(), executor.Observer{},
					[]executor.Request{request("1", "t_tool"), request("2", "t_tool")})
				require.Equal(t, 5*time.Second+tt.wait, time.Since(start))
				require.Equal(t, tt.want, outcomes(results))
				time.Sleep(time.Hour)
			})
		})
	}
}

func TestCanceledContextRunsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	x := executor.New(registry(t, method(t, "tool", says("ran"))), executor.Options{Logger: quiet})
	results := x.Execute(ctx, allVisible(), executor.Observer{}, []executor.Request{request("1", "t_tool")})
	require.Equal(t, []outcome{{"1", "", "error", "canceled", "The request was canceled before it ran."}},
		outcomes(results))
}

func TestObserverMayCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	x := executor.New(registry(t, method(t, "tool", says("ran"))), executor.Options{Logger: quiet})
	results := x.Execute(ctx, allVisible(), executor.Observer{
		Started: func(executor.Request, *tool.Entry, json.RawMessage) { cancel() },
	}, []executor.Request{request("1", "t_tool")})
	require.Equal(t, []outcome{{"1", "t_tool", "error", "canceled", "The request was canceled before it ran."}},
		outcomes(results))
}

func TestObserverPanicEndsTheHandlers(t *testing.T) {
	ended := make(chan struct{})
	x := executor.New(registry(t, method(t, "tool", func(ctx context.Context, c *tool.Call) (tool.Output, error) {
		defer close(ended)
		c.Progress("x")
		<-ctx.Done()
		return tool.Output{}, nil
	})), executor.Options{Logger: quiet})
	require.PanicsWithValue(t, "mine", func() {
		x.Execute(t.Context(), allVisible(), executor.Observer{Progress: func(string, string) { panic("mine") }},
			[]executor.Request{request("1", "t_tool")})
	})
	<-ended
}

func TestProgressIsReportedInOrder(t *testing.T) {
	t.Run("each update is reported, in order and before the result", func(t *testing.T) {
		x := executor.New(registry(t, method(t, "tool", func(_ context.Context, c *tool.Call) (tool.Output, error) {
			for i := range 100 {
				c.Progress(fmt.Sprint(i))
			}
			return tool.Output{}, nil
		})), executor.Options{Logger: quiet})
		var got, want []string
		x.Execute(t.Context(), allVisible(), executor.Observer{
			Progress: func(id, text string) { got = append(got, id+":"+text) },
			Done:     func(*executor.Result) { got = append(got, "done") },
		}, []executor.Request{request("7", "t_tool")})
		for i := range 100 {
			want = append(want, fmt.Sprint("7:", i))
		}
		require.Equal(t, append(want, "done"), got)
	})
	t.Run("an observer that hangs does not delay the tool", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			x := executor.New(registry(t, method(t, "tool", func(_ context.Context, c *tool.Call) (tool.Output, error) {
				for range 100_000 {
					c.Progress("x")
				}
				time.Sleep(time.Second)
				return tool.Output{Text: "done"}, nil
			})), executor.Options{Logger: quiet})
			heard := 0
			r := x.Execute(t.Context(), allVisible(), executor.Observer{Progress: func(string, string) {
				if heard++; heard == 1 {
					time.Sleep(time.Hour)
				}
			}}, []executor.Request{request("1", "t_tool")})[0]
			require.Equal(t, protocol.StatusSuccess, r.Status,
				"the tool was done before its deadline, which passed while the observer hung")
			require.Equal(t, time.Second, r.Duration)
			require.Less(t, heard, 5000, "at most 1 MiB of updates waits, and each counts as over 256 bytes")
		})
	})
}
