package executor_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

func TestSummaryReplacesALongResult(t *testing.T) {
	short := "In short: x."
	for _, tt := range []struct {
		name      string
		summarize func(context.Context, executor.FullResult, int) (string, error)
		summary   bool   // whether the model reads a summary
		want      string // a part of what the model reads
	}{
		{"a summary replaces the text", func(_ context.Context, full executor.FullResult, tokens int) (string, error) {
			if full.Text != numbered(1000) || full.ID != "3.1" || full.Method != "t_tool" || tokens != 300 {
				return "", errors.New("given something else")
			}
			return short, nil
		}, true, "[A summary of 1000 lines (32000 characters). " +
			"To read all of it, call results_read with id \"3.1\" and page 1; there are "},
		{"a long summary is shortened", func(context.Context, executor.FullResult, int) (string, error) {
			return strings.Repeat("In short: x.\n", 1000), nil
		}, true, " of the summary.]\nIn short: x."},
		{"an error yields an excerpt", func(context.Context, executor.FullResult, int) (string, error) {
			return short, errors.New("no model")
		}, false, ""},
		{
			"a panic yields an excerpt",
			func(context.Context, executor.FullResult, int) (string, error) { panic("boom") }, false, "",
		},
		{
			"a summarizer that ends its goroutine yields an excerpt",
			func(context.Context, executor.FullResult, int) (string, error) {
				runtime.Goexit()
				return short, nil
			}, false, "",
		},
		{
			"a blank summary yields an excerpt",
			func(context.Context, executor.FullResult, int) (string, error) { return " \n", nil }, false, "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			kept := store{}
			limit := executor.ResultLimit{
				Tokens: 300, Keep: kept.keep, ReadMethod: "results_read", Summarize: tt.summarize,
			}
			r := limited(t, limit, says(numbered(1000)))
			require.Equal(t, protocol.StatusSuccess, r.Status)
			require.LessOrEqual(t, r.Tokens, 300)
			require.Equal(t, numbered(1000), strings.Join(kept["3.1"].Pages(), ""))
			if !tt.summary {
				require.True(t, r.Excerpted)
				require.True(t, strings.HasPrefix(r.ToolResult.Result, lines(1, 5)))
				return
			}
			require.True(t, r.Summarized)
			require.Contains(t, r.ToolResult.Result, tt.want)
			require.Contains(t, r.ToolResult.Result, short)
			require.NotContains(t, r.ToolResult.Result, "line 0")
		})
	}
	t.Run("a result within its budget is not summarized", func(t *testing.T) {
		unused := func(context.Context, executor.FullResult, int) (string, error) { panic("asked for a summary") }
		r := limited(t, executor.ResultLimit{Tokens: 300, Summarize: unused}, says("fine"))
		require.Equal(t, "fine", r.ToolResult.Result)
	})
}

func TestLongSummaryFitsTheBudgetWithItsHeader(t *testing.T) {
	// A text costs more than the sum of its parts.
	estimate := func(text string) int { return len(text) + len(text)*len(text)/2000 }
	summarize := func(context.Context, executor.FullResult, int) (string, error) {
		return strings.Repeat("In short: x.\n", 1000), nil
	}
	r := limited(t, executor.ResultLimit{Tokens: 2900, Estimate: estimate, Summarize: summarize}, says(numbered(1000)))
	require.True(t, r.Summarized)
	require.Contains(t, r.ToolResult.Result, "In short: x.")
	require.LessOrEqual(t, r.Tokens, 2900)
}

func TestLateSummaryIsNotAwaited(t *testing.T) {
	slow := func(d time.Duration) func(context.Context, executor.FullResult, int) (string, error) {
		return func(context.Context, executor.FullResult, int) (string, error) {
			time.Sleep(d) // even if the context ends
			return "In short: x.", nil
		}
	}
	almostLate := func(context.Context, *tool.Call) (tool.Output, error) {
		time.Sleep(29 * time.Second) // of 30
		return tool.Output{Text: numbered(1000)}, nil
	}
	for _, tt := range []struct {
		name       string
		takes      time.Duration // how long Summarize takes
		limit      time.Duration // SummaryTimeout
		cancel     time.Duration // when the run is canceled; 0 means never
		summarized bool          // whether the model reads a summary
		took       time.Duration // until the result comes
	}{
		{"the tool's deadline does not count", 20 * time.Second, 0, 0, true, 49 * time.Second},
		{"a late summary is not awaited", time.Hour, 0, 0, false, 59 * time.Second},
		{"the limit can be set", time.Hour, time.Second, 0, false, 30 * time.Second},
		{"a run that ends does not lose the result", time.Hour, 0, 35 * time.Second, false, 35 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if tt.cancel > 0 {
					time.AfterFunc(tt.cancel, cancel)
				}
				x := executor.New(registry(t, method(t, "tool", almostLate)), executor.Options{
					Logger:      quiet,
					ResultLimit: executor.ResultLimit{Tokens: 300, Summarize: slow(tt.takes), SummaryTimeout: tt.limit},
				})
				start := time.Now()
				r := x.Execute(ctx, allVisible(), executor.Observer{}, []executor.Request{request("1", "t_tool")})[0]
				require.Equal(t, tt.took, time.Since(start))
				require.Equal(t, protocol.StatusSuccess, r.Status)
				require.Equal(t, tt.summarized, r.Summarized)
				require.Equal(t, !tt.summarized, r.Excerpted)
				require.Equal(t, 29*time.Second, r.Duration, "the time of a summary does not count as the tool's")
				time.Sleep(2 * time.Hour) // until Summarize returns
			})
		})
	}
}

func TestSummariesAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := make(chan string, 100)
		limit := executor.ResultLimit{
			Tokens: 300, SummaryTimeout: time.Second,
			Summarize: func(_ context.Context, full executor.FullResult, _ int) (string, error) {
				asked <- full.ID
				time.Sleep(time.Hour)
				return "", nil
			},
		}
		x := executor.New(registry(t, method(t, "tool", says(numbered(1000)))),
			executor.Options{Parallel: true, Logger: quiet, ResultLimit: limit})
		var reqs []executor.Request
		for i := range 50 {
			reqs = append(reqs, request(fmt.Sprint(i), "t_tool"))
		}
		for _, r := range executeAll(t, x, reqs...) {
			require.True(t, r.Excerpted)
		}
		require.Len(t, asked, 16, "16 summaries may be made at once")
		time.Sleep(2 * time.Hour)
		x.Execute(t.Context(), allVisible(), executor.Observer{}, reqs[:1])
		require.Len(t, asked, 17, "a Summarize that has returned no longer counts")
		time.Sleep(2 * time.Hour)
	})
}
