package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// hostRun returns a registry with the host-run method t_open.
func hostRun(t testing.TB, opts ...tool.Option) *tool.Registry {
	t.Helper()
	schema := json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`)
	m, err := tool.HostRun("open", "Opens a window.", schema, append([]tool.Option{tool.AgentCallable()}, opts...)...)
	require.NoError(t, err)
	return registry(t, m)
}

func TestHostRunCallGetsTheApplicationsResult(t *testing.T) {
	for _, tt := range []struct {
		name         string
		opts         []tool.Option
		onDispatched func(c *executor.Conversation, id string)
		want         outcome
		took         time.Duration // until the result comes
	}{
		{"the application's output is the result", nil, func(c *executor.Conversation, id string) {
			_ = c.Complete(id, tool.Output{Text: "opened\xff"}, nil)
		}, outcome{"1", "t_open", "success", "", "opened\uFFFD"}, 0},
		{"a result that comes later, from another goroutine", nil, func(c *executor.Conversation, id string) {
			time.AfterFunc(29*time.Second, func() { _ = c.Complete(id, tool.Output{Text: "opened"}, nil) })
		}, outcome{"1", "t_open", "success", "", "opened"}, 29 * time.Second},
		{"a failure", nil, func(c *executor.Conversation, id string) {
			_ = c.Complete(id, tool.Output{}, errors.New("no screen"))
		}, outcome{"1", "t_open", "error", "execution_failed", "no screen"}, 0},
		{
			"a call without a result times out",
			[]tool.Option{tool.Timeout(time.Minute)},
			func(*executor.Conversation, string) {},
			outcome{
				"1", "t_open", "error", "timeout",
				"t_open did not finish within 1m0s. It may have done a part of its work.",
			},
			time.Minute,
		},
		{
			"a retryable failure is not dispatched twice",
			[]tool.Option{tool.Idempotent()},
			func(c *executor.Conversation, id string) {
				_ = c.Complete(id, tool.Output{}, tool.Retryable(errors.New("busy")))
			},
			outcome{"1", "t_open", "error", "execution_failed", "busy"},
			0,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				conversation := allVisible()
				x := executor.New(hostRun(t, tt.opts...), executor.Options{Logger: quiet})
				var events []string
				start := time.Now()
				results := x.Execute(t.Context(), conversation, executor.Observer{
					Started: func(r executor.Request, _ *tool.Entry, _ json.RawMessage) {
						events = append(events, "started "+r.ID)
					},
					Dispatched: func(r executor.Request, m *tool.Entry, arguments json.RawMessage) {
						events = append(events, "dispatched "+r.ID+" "+m.FullName+" "+string(arguments))
						tt.onDispatched(conversation, r.ID)
					},
				}, []executor.Request{request("1", "t_open", "text", "door"), request("2", "t_open")})
				require.Equal(t, []string{"started 1", `dispatched 1 t_open {"text":"door"}`}, events,
					"only a valid call is dispatched")
				require.Equal(t, tt.want, outcomes(results)[0])
				require.Equal(t, executor.ErrorInvalidArguments, results[1].ErrorType)
				require.Equal(t, tt.took, time.Since(start))
				require.Empty(t, conversation.HostRunCalls())
				synctest.Wait()
				require.Empty(t, x.Abandoned())
				err := conversation.Complete("1", tool.Output{Text: "again"}, nil)
				var notWaiting *executor.NotWaitingError
				require.ErrorAs(t, err, &notWaiting)
				require.Equal(t, "1", notWaiting.ID)
			})
		})
	}
}

func TestHostRunCallsAreListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conversation := allVisible()
		x := executor.New(hostRun(t), executor.Options{Parallel: true, Logger: quiet})
		start := time.Now()
		done := make(chan []executor.Result)
		go func() {
			done <- x.Execute(t.Context(), conversation, executor.Observer{},
				[]executor.Request{request("1", "t_open", "text", "a"), request("2", "t_open", "text", "b")})
		}()
		synctest.Wait()
		list := conversation.HostRunCalls()
		require.Len(t, list, 2)
		for _, c := range list {
			require.Equal(t, "t_open", c.Method.FullName)
			require.Equal(t, start.Add(30*time.Second), c.Deadline)
			copy(c.Arguments, `{"text":"z"}`)
			require.NoError(t, conversation.Complete(c.ID, tool.Output{Text: "for " + c.ID}, nil))
		}
		results := <-done
		require.Equal(t, "for 1", results[0].ToolResult.Result)
		require.Equal(t, "for 2", results[1].ToolResult.Result)
		require.JSONEq(t, `{"text":"a"}`, string(results[0].Arguments))
	})
}

// At most one result counts if several come at the deadline.
func TestOneHostRunResultCounts(t *testing.T) {
	for range 50 { // the results race with the deadline
		synctest.Test(t, func(t *testing.T) {
			conversation := allVisible()
			var mu sync.Mutex
			var taken []string
			x := executor.New(hostRun(t, tool.Timeout(time.Second)), executor.Options{Logger: quiet})
			r := x.Execute(t.Context(), conversation,
				executor.Observer{Dispatched: func(r executor.Request, _ *tool.Entry, _ json.RawMessage) {
					for _, text := range []string{"a", "b", "c"} {
						time.AfterFunc(time.Second, func() { // at the deadline
							if conversation.Complete(r.ID, tool.Output{Text: text}, nil) == nil {
								mu.Lock()
								taken = append(taken, text)
								mu.Unlock()
							}
						})
					}
				}}, []executor.Request{request("1", "t_open", "text", "door")})[0]
			synctest.Wait()
			if r.Status == protocol.StatusSuccess {
				require.Equal(t, []string{r.ToolResult.Result}, taken)
			} else {
				require.Equal(t, executor.ErrorTimeout, r.ErrorType)
				require.Empty(t, taken, "a result that Complete accepted is the result of the call")
			}
		})
	}
}

func TestHostRunEndsWithItsRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		conversation := allVisible()
		r := executor.New(hostRun(t), executor.Options{Logger: quiet}).
			Execute(withoutDeadline(ctx), conversation, executor.Observer{},
				[]executor.Request{request("1", "t_open", "text", "door")})[0]
		require.Equal(t, executor.ErrorCanceled, r.ErrorType)
		require.Empty(t, conversation.HostRunCalls())
	})
}

func TestHostRunIsNotDispatchedAfterItsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dispatched := 0
		obs := executor.Observer{Dispatched: func(executor.Request, *tool.Entry, json.RawMessage) { dispatched++ }}
		slow := func(next tool.Handler) tool.Handler {
			return func(ctx context.Context, c *tool.Call) (tool.Output, error) {
				time.Sleep(11 * time.Second)
				return next(ctx, c)
			}
		}
		x := executor.New(hostRun(t, tool.Timeout(10*time.Second)),
			executor.Options{Logger: quiet, Middlewares: []tool.Middleware{slow}})
		start := time.Now()
		r := x.Execute(t.Context(), allVisible(), obs, []executor.Request{request("1", "t_open", "text", "door")})[0]
		require.Equal(t, executor.ErrorTimeout, r.ErrorType)
		require.Equal(t, 10*time.Second, time.Since(start))
		time.Sleep(time.Minute)
		require.Zero(t, dispatched)

		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		x = executor.New(hostRun(t), executor.Options{Logger: quiet, Middlewares: []tool.Middleware{slow}})
		r = x.Execute(ctx, allVisible(), obs, []executor.Request{request("1", "t_open", "text", "door")})[0]
		require.Equal(t, executor.ErrorCanceled, r.ErrorType)
		require.Zero(t, dispatched, "a call is not dispatched after the end of the run")
	})
}

func TestMiddlewareCannotRewriteAHostRunCall(t *testing.T) {
	var other *tool.Entry
	for name, change := range map[string]func(c *tool.Call){
		"a middleware names another method":            func(c *tool.Call) { c.Method = other },
		"a middleware gives the call another id":       func(c *tool.Call) { c.ID = "2" },
		"arguments are overwritten after the dispatch": func(*tool.Call) {},
	} {
		t.Run(name, func(t *testing.T) {
			reg, conversation := hostRun(t), allVisible()
			other = registry(t, method(t, "other", says("ok"))).Entries()[0]
			var given json.RawMessage
			middleware := func(next tool.Handler) tool.Handler {
				return func(ctx context.Context, c *tool.Call) (tool.Output, error) {
					changed := *c
					change(&changed)
					given = c.Arguments
					return next(ctx, &changed)
				}
			}
			x := executor.New(reg, executor.Options{Logger: quiet, Middlewares: []tool.Middleware{middleware}})
			var listed []executor.HostRunCall
			obs := executor.Observer{Dispatched: func(executor.Request, *tool.Entry, json.RawMessage) {
				copy(given, `{"text":"wall"}`)
				listed = conversation.HostRunCalls()
				_ = conversation.Complete("1", tool.Output{Text: "done"}, nil)
			}}
			results := x.Execute(t.Context(), conversation, obs,
				[]executor.Request{request("1", "t_open", "text", "door")})
			require.Len(t, listed, 1)
			require.Equal(t, "1 t_open", listed[0].ID+" "+listed[0].Method.FullName)
			require.JSONEq(t, `{"text":"door"}`, string(listed[0].Arguments))
			require.Equal(t, "done", results[0].ToolResult.Result)
		})
	}
}

// A call that was never dispatched ends at its deadline, and another call with its ID still waits.
func TestSlowSecondPreviewEndsAtTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		schema := json.RawMessage(`{"type":"object"}`)
		slow, err := tool.HostRun("slow", "Opens slowly.", schema, tool.AgentCallable(), tool.Timeout(time.Second))
		require.NoError(t, err)
		previews := 0
		slow.Preview = func(context.Context, json.RawMessage) (string, error) {
			if previews++; previews == 2 {
				time.Sleep(time.Minute) // ignores its context
			}
			return "opens", nil
		}
		quick, err := tool.HostRun("quick", "Opens.", schema, tool.AgentCallable(), tool.Timeout(time.Hour))
		require.NoError(t, err)
		conversation := allVisible()
		x := executor.New(registry(t, slow, quick), askOptions(allows))
		dispatched := 0
		other := make(chan executor.Result, 1)
		go func() { other <- executeIn(t, x, conversation, request("1", "t_quick")) }()
		synctest.Wait()
		start := time.Now()
		r := x.Execute(t.Context(), conversation, executor.Observer{
			Dispatched: func(executor.Request, *tool.Entry, json.RawMessage) { dispatched++ },
		}, []executor.Request{request("1", "t_slow")})[0]
		require.Equal(t, executor.ErrorTimeout, r.ErrorType)
		require.Equal(t, time.Second, time.Since(start))
		require.NoError(t, conversation.Complete("1", tool.Output{Text: "opened"}, nil))
		require.Equal(t, "opened", (<-other).ToolResult.Result)
		time.Sleep(time.Hour)
		require.Zero(t, dispatched)
	})
}
