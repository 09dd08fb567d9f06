package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// numberMethod makes a method that takes one number and nothing else.
func numberMethod(t testing.TB, name string) tool.Method {
	t.Helper()
	schema := `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}`
	m, err := tool.Raw(name, "Takes a number.", json.RawMessage(schema), nop, tool.AgentCallable())
	require.NoError(t, err)
	return m
}

// TestStatsCountCallsAndMistakes plays replies. In its table, a reply is a list of requests. A
// request is a list of strings: the name of a method, then names and values of arguments.
func TestStatsCountCallsAndMistakes(t *testing.T) {
	type written = [][][]string
	good, bad := []string{"t_num", "n", "1"}, []string{"t_num", "n", "one"}
	other := []string{"t_other", "n", "1"}
	for _, tt := range []struct {
		name    string
		replies written // each a list of requests
		want    engine.Stats
	}{
		{"a reply without calls", written{{}}, engine.Stats{Replies: 1}},
		{
			"a call that succeeds",
			written{{good}, {}},
			engine.Stats{Replies: 2, Calls: 1, Succeeded: 1, Checked: 1, ValidArguments: 1},
		},
		{"a call with a wrong argument, corrected", written{{bad}, {good}, {}}, engine.Stats{
			Replies: 3, Calls: 2, Succeeded: 1, Errors: invalid(1), Checked: 2, ValidArguments: 1, Mistakes: 1,
			Corrected: 1,
		}},
		{"a call with a wrong argument, given up", written{{bad}, {}}, engine.Stats{
			Replies: 2, Calls: 1, Errors: invalid(1), Checked: 1, Mistakes: 1,
		}},
		{"a correction one reply too late does not count", written{{bad}, {other}, {good}, {}}, engine.Stats{
			Replies: 4, Calls: 3, Succeeded: 2, Errors: invalid(1), Checked: 3, ValidArguments: 2, Mistakes: 1,
		}},
		{"wrong twice, then right: the second mistake is corrected", written{{bad}, {bad}, {good}, {}}, engine.Stats{
			Replies: 4, Calls: 3, Succeeded: 1, Errors: invalid(2), Checked: 3, ValidArguments: 1, Mistakes: 2,
			Corrected: 1,
		}},
		{"two mistakes and one correction", written{{bad, bad}, {good}, {}}, engine.Stats{
			Replies: 3, Calls: 3, Succeeded: 1, Errors: invalid(2), Checked: 3, ValidArguments: 1, Mistakes: 2,
			Corrected: 1,
		}},
		{"one mistake and two possible corrections", written{{bad}, {good, good}, {}}, engine.Stats{
			Replies: 3, Calls: 3, Succeeded: 2, Errors: invalid(1), Checked: 3, ValidArguments: 2, Mistakes: 1,
			Corrected: 1,
		}},
		{"a right call in the same reply corrects nothing", written{{bad, good}, {}}, engine.Stats{
			Replies: 2, Calls: 2, Succeeded: 1, Errors: invalid(1), Checked: 2, ValidArguments: 1, Mistakes: 1,
		}},
		{"an unknown name, corrected by any next call", written{{{"t_nmu", "n", "1"}}, {other}, {}}, engine.Stats{
			Replies: 3, Calls: 2, Succeeded: 1, Errors: map[string]int{"method_not_found": 1}, UnknownNames: 1,
			Checked: 1, ValidArguments: 1, Mistakes: 1, Corrected: 1,
		}},
		{
			"a call corrects the mistake with its own method first",
			written{{{"nothing_at", "n", "1"}, bad}, {good, other}, {}},
			engine.Stats{
				Replies: 3, Calls: 4, Succeeded: 2,
				Errors: map[string]int{"tool_not_found": 1, "invalid_arguments": 1}, UnknownNames: 1, Checked: 3,
				ValidArguments: 2, Mistakes: 2, Corrected: 2,
			},
		},
		{"each invented argument counts", written{{{"t_num", "n", "1", "depth", "2", "zoom", "3"}}, {}}, engine.Stats{
			Replies: 2, Calls: 1, Errors: invalid(1), Checked: 1, InventedArguments: 2, Mistakes: 1,
		}},
		{"a request that cannot be read", written{{{"", "n", "1"}}, {good}, {}}, engine.Stats{
			Replies: 3, Calls: 2, Succeeded: 1, Errors: map[string]int{"malformed_request": 1}, Malformed: 1,
			Checked: 1, ValidArguments: 1, Mistakes: 1, Corrected: 1,
		}},
		{"a failure of the tool is not a mistake of the model", written{{{"t_fail"}}, {}}, engine.Stats{
			Replies: 2, Calls: 1, Errors: map[string]int{"execution_failed": 1}, Checked: 1, ValidArguments: 1,
		}},
		{"a tool that is switched off is not a mistake of the model", written{{{"t_off"}}, {}}, engine.Stats{
			Replies: 2, Calls: 1, Errors: map[string]int{"tool_disabled": 1},
		}},
		{"a mistake in the last reply cannot be corrected and does not count", written{
			{good}, {other}, {good}, {bad}, {good},
		}, engine.Stats{
			Replies: 4, Calls: 4, Succeeded: 3, Errors: invalid(1), Checked: 4, ValidArguments: 3,
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			model := &script{}
			for _, requests := range tt.replies {
				text := "Well.\n"
				for _, r := range requests {
					if r[0] == "" {
						text += "<<<[TOOL_REQUEST]>>>\nn:「始」1「末」\n<<<[END_TOOL_REQUEST]>>>\n"
						continue
					}
					text += block(t, r[0], r[1:]...) + "\n"
				}
				model.replies = append(model.replies, says(text))
			}
			reg := registry(t, numberMethod(t, "num"), numberMethod(t, "other"), method(t, "off", nop),
				method(t, "fail", func(context.Context, *tool.Call) (tool.Output, error) {
					return tool.Output{}, errors.New("boom")
				}))
			e := newEngine(t, reg, model, config(func(c *engine.Config) {
				c.ToolToggles = map[string]bool{"t_off": false}
				c.MaxIterations = 4 // a fifth reply has no tools
			}))
			s := e.NewSession("test")
			run(t, s, question)
			compareStats(t, tt.want, s.Stats())
			compareStats(t, tt.want, e.Stats())
		})
	}
}

// invalid returns the errors of n calls with invalid arguments.
func invalid(n int) map[string]int { return map[string]int{"invalid_arguments": n} }

// compareStats compares the counts; it ignores latency and sizes.
func compareStats(t *testing.T, want, got engine.Stats) {
	t.Helper()
	measured := cmpopts.IgnoreFields(engine.Stats{}, "Latency", "RawBytes", "Bytes", "Tokens")
	if diff := cmp.Diff(want, got, measured, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("stats (-want +got):\n%s", diff)
	}
}

func TestStatsCountTheCallsOfProcessCycle(t *testing.T) {
	s := session(t, registry(t, numberMethod(t, "num")), nil)
	for _, text := range []string{block(t, "t_num", "n", "one"), block(t, "t_num", "n", "1")} {
		_, err := s.ProcessCycle(t.Context(), text, protocol.FinishStop)
		require.NoError(t, err)
	}
	compareStats(t, engine.Stats{
		Replies: 2, Calls: 2, Succeeded: 1, Errors: invalid(1), Checked: 2, ValidArguments: 1, Mistakes: 1,
		Corrected: 1,
	}, s.Stats())

	t.Run("in mode manual a call counts when Execute runs it", func(t *testing.T) {
		manual := config(func(c *engine.Config) { c.Mode = engine.ModeManual })
		s := session(t, registry(t, numberMethod(t, "num")), nil, manual)
		for _, text := range []string{
			block(t, "t_num", "n", "one") + block(t, "t_num", "n", "two"),
			block(t, "t_num", "n", "1") + block(t, "t_num", "n", "2"),
		} {
			cycle, err := s.ProcessCycle(t.Context(), text, protocol.FinishStop)
			require.NoError(t, err)
			s.Execute(t.Context(), cycle.Requests[:1])
			s.Execute(t.Context(), cycle.Requests[1:])
		}
		compareStats(t, engine.Stats{
			Replies: 2, Calls: 4, Succeeded: 2, Errors: invalid(2), Checked: 4, ValidArguments: 2, Mistakes: 2,
			Corrected: 2,
		}, s.Stats())
	})
}

func TestStatsDoNotCountAReplyWithoutAFinishReason(t *testing.T) {
	model := &script{replies: []reply{unfinished(block(t, "t_num", "n", "1"))}}
	s := session(t, registry(t, numberMethod(t, "num")), model)
	run(t, s, question)
	compareStats(t, engine.Stats{}, s.Stats())
}

func TestStatsCountRepairsAndSizes(t *testing.T) {
	text := long(900)
	s := session(t, registry(t, returning(t, "long", &text)), nil)
	// One repair is of the marks' case, and one of a missing end mark. A quoted request is no call.
	const lowerCase = "<<<[tool_request]>>>\ntool_name:「始」t_long「末」\n<<<[end_tool_request]>>>\n"
	const withoutEnd = "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_echo「末」,\ntext:「始」中「末」"
	_, err := s.ProcessCycle(t.Context(), "```\n"+lowerCase+"```\n"+lowerCase+withoutEnd, protocol.FinishStop)
	require.NoError(t, err)
	stats := s.Stats()
	require.Equal(t, 2, stats.Calls)
	require.Len(t, stats.Repairs, 2, "%v", stats.Repairs)
	require.EqualValues(t, len(text)+len("中"), stats.RawBytes)
	require.Less(t, stats.Bytes, stats.RawBytes)
	require.LessOrEqual(t, stats.Tokens, int64(executor.DefaultResultTokens+protocol.EstimateTokens("中")))
	require.Equal(t, 1, stats.Excerpted)
	require.Zero(t, stats.Summarized)

	s = session(t, registry(t, returning(t, "long", &text)), nil, func(o *engine.Options) {
		o.Summarize = func(context.Context, executor.FullResult, int) (string, error) { return "in short", nil }
	})
	execute(t, s, "1", "t_long")
	require.Equal(t, 1, s.Stats().Summarized)
	require.Zero(t, s.Stats().Excerpted)
}

func TestLatencyIsThatOfTheCallsThatRan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d time.Duration
		s := session(t, registry(t, method(t, "sleep", func(context.Context, *tool.Call) (tool.Output, error) {
			time.Sleep(d)
			return tool.Output{}, nil
		})), nil)
		require.Zero(t, s.Stats().Latency.Mean())
		require.Zero(t, s.Stats().Latency.Quantile(0.5))
		for i := range 20 {
			d = 3 * time.Millisecond
			if i >= 18 {
				d = 7 * time.Second
			}
			execute(t, s, "1", "t_sleep")
		}
		execute(t, s, "1", "t_nothing")
		l := s.Stats().Latency
		require.Equal(t, 20, l.Count, "calls that ran")
		require.Equal(t, 18*3*time.Millisecond+14*time.Second, l.Total)
		require.Equal(t, l.Total/20, l.Mean())
		require.Equal(t, 7*time.Second, l.Max)
		require.Equal(t, 5*time.Millisecond, l.Quantile(0.5), "3 ms are between 2 and 5")
		require.Equal(t, 5*time.Millisecond, l.Quantile(0.9))
		require.Equal(t, 7*time.Second, l.Quantile(0.95), "a quantile is never above Max")
	})
}

func TestARateWithoutCallsIsNull(t *testing.T) {
	stats := engine.Stats{
		Calls: 10, Succeeded: 6, Malformed: 2, UnknownNames: 2, Checked: 4, ValidArguments: 3, Mistakes: 5,
		Corrected: 1,
	}
	require.InDelta(t, 0.6, stats.SuccessRate(), 1e-9)
	require.InDelta(t, 0.75, stats.ArgumentAccuracy(), 1e-9)
	require.InDelta(t, 0.25, stats.UnknownNameRate(), 1e-9, "2 of the 8 that could be read")
	require.InDelta(t, 0.2, stats.SelfCorrectionRate(), 1e-9)

	var none engine.Stats
	require.True(t, math.IsNaN(none.SuccessRate()))
	text, err := json.Marshal(session(t, registry(t), nil).Stats())
	require.NoError(t, err)
	require.JSONEq(t, `{"replies":0,"calls":0,"succeeded":0,"errors":{},"malformed":0,"unknownNames":0,"checked":0,
		"validArguments":0,"inventedArguments":0,"mistakes":0,"corrected":0,
		"latency":{"count":0,"totalMs":0,"meanMs":0,"p50Ms":0,"p95Ms":0,"maxMs":0},
		"rawBytes":0,"bytes":0,"tokens":0,"excerpted":0,"summarized":0,"repairs":{},
		"successRate":null,"argumentAccuracy":null,"unknownNameRate":null,"selfCorrectionRate":null}`, string(text))
	text, err = json.Marshal(stats)
	require.NoError(t, err)
	require.Contains(t, string(text), `"successRate":0.6`)
}

func TestStatsOfAnEngineAreThoseOfItsSessions(t *testing.T) {
	e := newEngine(t, registry(t), nil)
	for _, id := range []string{"one", "two"} {
		execute(t, e.NewSession(id), "1", "t_echo", "text", strings.Repeat("x", 10))
	}
	require.Equal(t, 2, e.Stats().Calls)
	require.EqualValues(t, 20, e.Stats().RawBytes)
	stats := e.Stats()
	stats.Errors["mine"] = 1
	require.Empty(t, e.Stats().Errors, "a caller can change only its copy")
}
