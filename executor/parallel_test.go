package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/tool"
)

func TestParallelCallsRunAtOnce(t *testing.T) {
	for _, tt := range []struct {
		name     string
		parallel bool
		total    time.Duration // until all results
		done     []string      // the ids in the order in which the calls end
	}{
		{"serial runs one after the other", false, 6 * time.Second, []string{"1", "2", "3"}},
		{
			"parallel runs at the same time, with results in request order", true, 3 * time.Second,
			[]string{"3", "2", "1"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				reg := registry(t, method(t, "slow", workFor(3*time.Second)), method(t, "mid", workFor(2*time.Second)),
					method(t, "quick", workFor(time.Second)))
				x := executor.New(reg, executor.Options{Parallel: tt.parallel, Logger: quiet})
				var started, done []string
				obs := executor.Observer{
					Started: func(r executor.Request, _ *tool.Entry, _ json.RawMessage) {
						started = append(started, r.ID)
					},
					Done: func(r *executor.Result) { done = append(done, r.ID) },
				}
				start := time.Now()
				results := x.Execute(t.Context(), allVisible(), obs,
					[]executor.Request{request("1", "t_slow"), request("2", "t_mid"), request("3", "t_quick")})
				require.Equal(t, tt.total, time.Since(start))
				require.Equal(t, []outcome{
					{"1", "t_slow", "success", "", "worked 3s"},
					{"2", "t_mid", "success", "", "worked 2s"},
					{"3", "t_quick", "success", "", "worked 1s"},
				}, outcomes(results))
				require.Equal(t, []string{"1", "2", "3"}, started)
				require.Equal(t, tt.done, done)
			})
		})
	}
}

func TestParallelFailuresAreSeparate(t *testing.T) {
	boom := errors.New("boom")
	x := executor.New(registry(t,
		method(t, "fails", func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, boom }),
		method(t, "panics", func(context.Context, *tool.Call) (tool.Output, error) { panic("x") }),
		method(t, "works", says("fine"))), executor.Options{Parallel: true, Logger: quiet})
	results := executeAll(t, x,
		request("1", "t_fails"), request("2", "t_panics"), request("3", "nothing"), request("4", "t_works"))
	var got []string
	for _, r := range results {
		got = append(got, r.ID+" "+string(r.Status)+" "+r.ErrorType)
	}
	require.Equal(t,
		[]string{"1 error execution_failed", "2 error execution_failed", "3 error tool_not_found", "4 success "}, got)
}
