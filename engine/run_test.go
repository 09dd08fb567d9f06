package engine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// TestAReplyTruncatedAnywhereRunsNothing truncates a reply at every byte, without a finish reason.
func TestAReplyTruncatedAnywhereRunsNothing(t *testing.T) {
	ran := 0
	reg := registry(t, method(t, "run", func(context.Context, *tool.Call) (tool.Output, error) {
		ran++
		return tool.Output{}, nil
	}))
	whole := "First 你好 " + block(t, "t_run", "text", "一") + " then " + block(t, "t_run", "text", "two\nlines") + " end."
	for n := range len(whole) + 1 {
		model := &script{replies: []reply{unfinished(whole[:n])}}
		got := run(t, session(t, reg, model), question)
		require.Equal(t, engine.StopIncomplete, got.stop)
		require.Equal(t, whole[:n], got.iterations[0].Raw)
	}
	require.Zero(t, ran)
}

func TestTextThatResemblesARequestIsReported(t *testing.T) {
	model := &script{replies: []reply{says("tool_name:「始」t_echo「末」\ntext:「始」hi「末」\n"), says("Done.")}}
	got := run(t, session(t, registry(t), model), question)
	require.Equal(t, engine.StopDone, got.stop)
	require.Equal(t, []shownResult{{"1.n1", "", "error malformed_request"}},
		shownResults(t, &model.asked[1].Messages[3]))
	require.Contains(t, got.trace, "notice")
}

func TestUsageMayComeAfterTheFinishReason(t *testing.T) {
	r := says("Hello.")
	r.deltas = append(r.deltas, engine.Delta{Usage: &engine.Usage{PromptTokens: 7, CompletionTokens: 2}})
	got := run(t, session(t, registry(t), &script{replies: []reply{r}}), question)
	require.Equal(t, &engine.Usage{PromptTokens: 7, CompletionTokens: 2}, got.iterations[0].Usage)
}

func TestAnIterationHasAllReasoning(t *testing.T) {
	r := says("<think>in the reply</think>Hello.")
	r.deltas = append([]engine.Delta{{Reasoning: "sent "}, {Reasoning: "apart"}}, r.deltas...)
	got := run(t, session(t, registry(t), &script{replies: []reply{r}}), question)
	require.Equal(t, "sent apart\nin the reply", got.iterations[0].Reasoning)
	require.Equal(t, "Hello.", got.iterations[0].Reply.Text.String())
}

func TestARunNeedsAModel(t *testing.T) {
	got := run(t, session(t, registry(t), nil), question)
	require.Equal(t, engine.StopModelError, got.stop)
	require.ErrorContains(t, got.err, "Options.Model is missing")
}

func TestEachRangeOverARunStartsItAnew(t *testing.T) {
	model := &script{replies: []reply{says("one"), says("two")}}
	seq := session(t, registry(t), model).Run(t.Context(), question)
	require.Empty(t, model.asked)
	for range 2 {
		for _, err := range seq {
			require.NoError(t, err)
		}
	}
	require.Len(t, model.asked, 2)
	require.Equal(t, model.asked[0], model.asked[1])
}

func TestAProtocolThatPanicsIsReportedAndRunsNothing(t *testing.T) {
	model := &script{replies: []reply{says("Hello. ", block(t, "t_echo", "text", "no"))}}
	s := session(t, registry(t), model, func(o *engine.Options) { o.Protocols = []protocol.Protocol{panicky{}} })
	got := run(t, s, question)
	require.Equal(t, engine.StopDone, got.stop)
	require.Contains(t, strings.Join(got.trace, "\n"), "protocol_error")
	require.NotContains(t, strings.Join(got.trace, "\n"), "tool_started")
	require.Contains(t, got.iterations[0].Messages()[0].Content, "Hello. ")
	require.Empty(t, got.iterations[0].Requests)
}
