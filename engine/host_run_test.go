package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// openWindow returns the host-run method t_open.
func openWindow(t testing.TB) tool.Method {
	t.Helper()
	m, err := tool.HostRun("open", "Opens a window.",
		json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`), tool.AgentCallable())
	require.NoError(t, err)
	return m
}

func TestAHostRunCallIsDispatchedAndCompleted(t *testing.T) {
	model := scriptOf(block(t, "t_open", "text", "door")+block(t, "t_open", "text", "wall"), "Done.")
	e := newEngine(t, registry(t, openWindow(t)), model)
	s, other := e.NewSession("test"), e.NewSession("other")
	var got outcome
	for ev, err := range s.Run(t.Context(), question) {
		require.NoError(t, err)
		got.add(ev)
		if ev.Kind != engine.EventToolDispatched {
			continue
		}
		require.Equal(t, "t_open", ev.Method.FullName)
		require.Len(t, s.HostRunCalls(), 1)
		if string(ev.Arguments) == `{"text":"wall"}` {
			require.NoError(t, s.Complete(ev.RequestID, tool.Output{}, errors.New("a wall has no window")))
			continue
		}
		var notWaiting *executor.NotWaitingError
		require.ErrorAs(t, s.Complete("1.9", tool.Output{Text: "of another request"}, nil), &notWaiting)
		require.ErrorAs(t, other.Complete(ev.RequestID, tool.Output{Text: "of another session"}, nil), &notWaiting)
		require.NoError(t, s.Complete(ev.RequestID, tool.Output{Text: "opened", Details: 1}, nil))
		require.ErrorAs(t, s.Complete(ev.RequestID, tool.Output{Text: "again"}, nil), &notWaiting)
	}
	require.Equal(t, engine.StopDone, got.stop)
	require.Equal(t, []shownResult{{"1.1", "t_open", "success"}, {"1.2", "t_open", "error execution_failed"}},
		shownResults(t, got.iterations[0].ResultMessage))
	require.Equal(t, 1, got.iterations[0].Results[0].Details)
	require.Contains(t, got.trace, "tool_dispatched")
}

func TestAHostRunCallIsCompletedFromAnotherGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := session(t, registry(t, openWindow(t)), nil)
		go func() {
			synctest.Wait()
			for _, c := range s.HostRunCalls() {
				_ = s.Complete(c.ID, tool.Output{Text: "opened"}, nil)
			}
		}()
		cycle, err := s.ProcessCycle(t.Context(), block(t, "t_open", "text", "door"), protocol.FinishStop)
		require.NoError(t, err)
		require.Equal(t, "opened", cycle.Results[0].ToolResult.Result)
	})
}

func TestAbandonedCallsCountAfterSetConfig(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reg := registry(t, method(t, "hang", func(context.Context, *tool.Call) (tool.Output, error) {
			time.Sleep(time.Hour)
			return tool.Output{}, nil
		}))
		e := newEngine(t, reg, nil, func(o *engine.Options) { o.MaxAbandoned = 1 })
		s := e.NewSession("")
		call := func(name string) executor.Result {
			cycle, err := s.ProcessCycle(t.Context(), block(t, name), protocol.FinishStop)
			require.NoError(t, err)
			require.NoError(t, e.SetConfig(e.Config()))
			return cycle.Results[0]
		}
		require.Equal(t, executor.ErrorTimeout, call("t_hang").ErrorType)
		require.Len(t, e.Abandoned(), 1)
		require.Equal(t, "t_hang", e.Abandoned()[0].Method)
		require.Equal(t, executor.ErrorLimitExceeded, call("t_echo").ErrorType)
		time.Sleep(time.Hour)
		require.Empty(t, e.Abandoned())
		require.Equal(t, protocol.StatusSuccess, call("t_echo").Status)
	})
}

func TestMaxConcurrentLimitsAllSessionsTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := method(t, "slow", func(context.Context, *tool.Call) (tool.Output, error) {
			time.Sleep(time.Second)
			return tool.Output{}, nil
		})
		e := newEngine(t, registry(t, slow), nil, func(o *engine.Options) { o.MaxConcurrent = 2 })
		start := time.Now()
		var wg sync.WaitGroup
		for range 6 {
			wg.Go(func() {
				cycle, err := e.NewSession("").ProcessCycle(t.Context(), block(t, "t_slow"), protocol.FinishStop)
				require.NoError(t, err)
				require.Equal(t, protocol.StatusSuccess, cycle.Results[0].Status)
			})
		}
		wg.Wait()
		require.Equal(t, 3*time.Second, time.Since(start))
	})
}
