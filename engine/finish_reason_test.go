package engine_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// finishWords are finish reasons of model servers. For each of them the table says whether a whole
// request runs, and how the run ends.
var finishWords = []struct {
	word protocol.FinishReason
	runs bool
	stop engine.StopReason
}{
	{protocol.FinishStop, true, engine.StopDone},
	{"tool_calls", true, engine.StopDone},
	{"STOP", true, engine.StopDone},
	{"end_turn", true, engine.StopDone},
	{protocol.FinishLength, false, engine.StopDone}, // the model is told, and replies
	{"max_tokens", false, engine.StopDone},
	{protocol.FinishUnknown, false, engine.StopIncomplete},
	{"null", false, engine.StopIncomplete},
	{"content_filter", false, engine.StopIncomplete},
	{"abort", false, engine.StopIncomplete},
	{"insufficient_system_resource", false, engine.StopIncomplete},
	{"error", false, engine.StopIncomplete},
	{"unheard_of", false, engine.StopIncomplete},
}

func TestOnlyACompleteReplyRunsAnything(t *testing.T) {
	inText := block(t, "t_echo", "text", "a")
	inAPI := call("a", "t_echo", `{"text":"x"}`)
	for _, tt := range finishWords {
		finished := engine.Delta{Finished: true, Finish: tt.word}
		for name, deltas := range map[string][]engine.Delta{
			"in text":            {{Text: "See. " + inText}},
			"native":             {{Call: &inAPI}},
			"in text and native": {{Text: inText}, {Call: &inAPI}},
		} {
			t.Run(string(tt.word)+" "+name, func(t *testing.T) {
				s := script{replies: []reply{{deltas: append(deltas, finished)}, says("Done.")}}
				var m engine.Model = &s
				if strings.Contains(name, "native") {
					m = &native{script: s}
				}
				o := run(t, session(t, registry(t), m), question)
				require.Equal(t, tt.stop, o.stop)
				require.Equal(t, tt.runs, strings.Contains(strings.Join(o.trace, "\n"), "tool_started"))
				iteration := o.iterations[0]
				for _, q := range iteration.Reply.Requests {
					require.Equal(t, tt.runs, q.Status == parser.StatusReady,
						"a request of a reply that is not complete is not ready")
				}
				for _, req := range iteration.Requests {
					require.Equal(t, tt.runs, req.Err == nil, "Execute would refuse the request")
				}
				if tt.stop == engine.StopDone {
					require.Len(t, iteration.Results, len(iteration.Requests), "each request has its result")
				}
				for _, r := range iteration.Results {
					require.Equal(t, tt.runs, r.Status == protocol.StatusSuccess)
				}
			})
		}
	}
}

// TestADispatchedRequestOfATruncatedReplyDoesNotRun checks mode manual: the application gets the
// request, and its result is an error.
func TestADispatchedRequestOfATruncatedReplyDoesNotRun(t *testing.T) {
	m := &script{replies: []reply{truncatedReply(block(t, "t_echo", "text", "a"), "And then")}}
	s := session(t, registry(t), m, config(func(c *engine.Config) { c.Mode = engine.ModeManual }))
	o := run(t, s, question)
	require.Equal(t, engine.StopManual, o.stop)
	results := s.Execute(t.Context(), o.iterations[0].Requests)
	require.Len(t, results, 1)
	require.Equal(t, executor.ErrorMalformedRequest, results[0].ErrorType)
}

func TestTwoFinishReasonsMustMeanTheSame(t *testing.T) {
	for _, tt := range []struct {
		name          string
		first, second protocol.FinishReason
		stop          engine.StopReason
	}{
		{"the same meaning, complete", "tool_calls", "stop", engine.StopDone},
		{"different meanings, incomplete", "stop", "length", engine.StopIncomplete},
		{"different meanings in the other order, incomplete", "length", "stop", engine.StopIncomplete},
		{"one unknown, incomplete", "stop", "unheard_of", engine.StopIncomplete},
		{"both unknown, incomplete", "abort", "content_filter", engine.StopIncomplete},
		{"one empty, incomplete", "stop", "", engine.StopIncomplete},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &script{replies: []reply{{deltas: []engine.Delta{
				{Text: block(t, "t_echo", "text", "a")},
				{Finished: true, Finish: tt.first},
				{Finished: true, Finish: tt.second},
			}}, says("Done.")}}
			o := run(t, session(t, registry(t), m), question)
			require.Equal(t, tt.stop, o.stop)
			require.Equal(t, tt.stop == engine.StopDone, strings.Contains(strings.Join(o.trace, "\n"), "tool_started"))
		})
	}
}

// TestTwoFinishReasonsOverHTTPMustMeanTheSame tries the ways in which a server can send two finish
// reasons.
func TestTwoFinishReasonsOverHTTPMustMeanTheSame(t *testing.T) {
	const empty = `{"index":0,"delta":{}}`
	finished := func(word string) string {
		return fmt.Sprintf(`{"index":0,"delta":{},"finish_reason":%q}`, word)
	}
	value := func(choices ...string) string { return `{"choices":[` + strings.Join(choices, ",") + `]}` }
	for _, tt := range []struct {
		name   string
		values []string
		runs   bool
	}{
		{"one reason", []string{value(finished("stop"))}, true},
		{"the same reason twice in one event", []string{value(finished("stop"), finished("stop"))}, true},
		{"two reasons that mean the same, in one event", []string{value(finished("tool_calls"), finished("stop"))}, true},
		{"the same reason in two events", []string{value(finished("stop")), value(finished("stop"))}, true},
		{"no reason in later events", []string{
			value(finished("stop")), value(empty), value(`{"index":0,"delta":{},"finish_reason":null}`),
		}, true},
		{"a different reason of another choice", []string{
			value(finished("stop"), `{"index":1,"delta":{},"finish_reason":"length"}`),
		}, true},
		{"two different reasons in one event", []string{value(finished("stop"), finished("length"))}, false},
		{
			"two different reasons in one event, in the other order",
			[]string{value(finished("length"), finished("stop"))},
			false,
		},
		{"two members finish_reason of one choice", []string{
			value(`{"index":0,"delta":{},"finish_reason":"length","finish_reason":"stop"}`),
		}, false},
		{"two spellings of the member finish_reason", []string{
			value(`{"index":0,"delta":{},"finish_reason":"stop","Finish_Reason":"abort"}`),
		}, false},
		{"two different reasons in two events", []string{value(finished("stop")), value(finished("length"))}, false},
		{
			"an unknown reason in a later event",
			[]string{value(finished("stop")), value(finished("unheard_of"))},
			false,
		},
		{"an error in a later event", []string{value(finished("stop")), value(finished("error"))}, false},
	} {
		for _, calls := range []model.Calls{model.CallsText, model.CallsNative} {
			t.Run(tt.name+" "+string(calls), func(t *testing.T) {
				c := newHTTPRunner(t, calls)
				said, err := json.Marshal(block(t, "t_echo", "text", "a"))
				require.NoError(t, err)
				delta := `{"content":` + string(said) + `}`
				if calls == model.CallsNative {
					delta = `{"tool_calls":[{"index":0,"id":"a","function":{"name":"t_echo","arguments":"{\"text\":\"a\"}"}}]}`
				}
				body := "data: " + value(`{"index":0,"delta":`+delta+`}`) + "\n\n"
				for _, v := range tt.values {
					body += "data: " + v + "\n\n"
				}
				o := c.run(t, modelserver.RawStream(body+"data: [DONE]\n\n"), tt.runs)
				if tt.runs {
					require.Equal(t, engine.StopDone, o.stop)
					require.Equal(t, []string{`t_echo{"text":"a"}`}, c.ran)
					return
				}
				require.Equal(t, engine.StopIncomplete, o.stop)
				require.Empty(t, c.ran)
			})
		}
	}
}

func TestProcessCycleRunsOnlyACompleteReply(t *testing.T) {
	whole := block(t, "t_echo", "text", "a")
	part := whole[:len(whole)-30] // without its end mark, and truncated in its last field
	for _, tt := range finishWords {
		for name, text := range map[string]string{
			"a whole request":           whole,
			"a whole and a part of one": whole + part,
			"a part of a request":       part,
		} {
			if tt.runs && name != "a whole request" {
				continue // in a complete reply, a part of a request is not incomplete but invalid
			}
			t.Run(string(tt.word)+" "+name, func(t *testing.T) {
				cycle, err := session(t, registry(t), nil).ProcessCycle(t.Context(), text, tt.word)
				require.NoError(t, err)
				require.NotEmpty(t, cycle.Requests)
				require.Len(t, cycle.Results, len(cycle.Requests))
				require.NotNil(t, cycle.ResultMessage, "the model is told")
				for i, r := range cycle.Results {
					require.Equal(t, tt.runs, r.Status == protocol.StatusSuccess)
					if !tt.runs {
						require.Equal(t, executor.ErrorMalformedRequest, r.ErrorType)
						require.Equal(t, parser.StatusIncomplete, cycle.Reply.Requests[i].Status)
					}
				}
			})
		}
	}
}
