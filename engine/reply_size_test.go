package engine_test

import (
	"context"
	"iter"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// endlessModel is a model that writes something first and then repeats the same piece.
type endlessModel struct {
	first  []engine.Delta
	again  engine.Delta // the piece that it repeats
	native bool
	deltas int // how many it has written
}

func (m *endlessModel) Stream(context.Context, engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		for _, d := range m.first {
			if m.deltas++; !yield(d, nil) {
				return
			}
		}
		for m.deltas < 10_000 { // the test ends even if the engine does not stop the reply
			if m.deltas++; !yield(m.again, nil) {
				return
			}
		}
	}
}

func (m *endlessModel) Native(context.Context) (bool, error) { return m.native, nil }

func maxReplyBytes(n int) func(*engine.Options) {
	return config(func(c *engine.Config) { c.MaxReplyBytes = n })
}

func TestAnEndlessReplyIsIncomplete(t *testing.T) {
	call := func(n int) engine.Delta {
		return engine.Delta{Call: &protocol.ToolCall{ID: "a", Name: "t_echo", Arguments: strings.Repeat("x", n)}}
	}
	part := func(n int) engine.Delta {
		return engine.Delta{CallPart: &engine.CallPart{Name: "t_echo", Arguments: strings.Repeat("x", n)}}
	}
	for _, tt := range []struct {
		name      string
		model     endlessModel
		maxDeltas int // how many deltas the model writes until the reply exceeds 1000 bytes
	}{
		{"text", endlessModel{again: engine.Delta{Text: "text "}}, 201},
		{"blanks", endlessModel{again: engine.Delta{Text: " "}}, 1001},
		{"reasoning", endlessModel{again: engine.Delta{Reasoning: "text "}}, 201},
		{"reasoning and text", endlessModel{again: engine.Delta{Reasoning: "text ", Text: "text "}}, 101},
		{
			"text after a request", endlessModel{
				first: []engine.Delta{{Text: block(t, "t_echo", "text", "a")}},
				again: engine.Delta{Text: "text "},
			}, 201,
		},
		{
			"a value", endlessModel{
				first: []engine.Delta{{Text: "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_echo「末」\ntext:「始」"}},
				again: engine.Delta{Text: "x"},
			}, 1001,
		},
		{"one piece", endlessModel{again: engine.Delta{Text: strings.Repeat("x", 1<<20)}}, 1},
		{
			"one piece with a finish reason", endlessModel{
				again: engine.Delta{Text: strings.Repeat("x", 1<<20), Finished: true, Finish: protocol.FinishStop},
			}, 1,
		},
		{"pieces of native calls", endlessModel{again: part(4), native: true}, 101},
		{"native calls", endlessModel{again: call(1), native: true}, 4}, // 256 bytes are added for each call
		{"a native call in one piece", endlessModel{again: call(1 << 20), native: true}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			model := tt.model
			o := run(t, session(t, registry(t), &model, maxReplyBytes(1000)), question)
			require.NoError(t, o.err)
			require.Equal(t, engine.StopIncomplete, o.stop)
			require.Equal(t, engine.LimitReplyBytes, o.limit)
			require.LessOrEqual(t, model.deltas, tt.maxDeltas,
				"the engine stops the model as soon as the limit is passed")
			require.Len(t, o.iterations, 1)
			iteration := o.iterations[0]
			require.Equal(t, protocol.FinishUnknown, iteration.Reply.Finish)
			require.LessOrEqual(t, len(iteration.Raw)+len(iteration.Reasoning), 1000)
			require.Empty(t, iteration.Results, "nothing ran")
			require.NotContains(t, strings.Join(o.trace, "\n"), "tool_started")
		})
	}
}

func TestAReplyMayBeAsLongAsTheLimit(t *testing.T) {
	text := block(t, "t_echo", "text", "a")
	text += strings.Repeat("x", 1000-len(text))
	o := run(t, session(t, registry(t), scriptOf(text, "Done."), maxReplyBytes(1000)), question)
	require.Equal(t, engine.StopDone, o.stop)
	require.Len(t, o.iterations[0].Results, 1)

	o = run(t, session(t, registry(t), &script{replies: []reply{says(text, "x")}}, maxReplyBytes(1000)), question)
	require.Equal(t, engine.StopIncomplete, o.stop)
	require.Equal(t, engine.LimitReplyBytes, o.limit)
	require.Empty(t, o.iterations[0].Results)
	require.Equal(t, text, o.iterations[0].Raw)
}

func TestAReplyThatEndsBeforeTheLimitIsComplete(t *testing.T) {
	t.Run("by a finish reason", func(t *testing.T) {
		r := says("Done.")
		late := strings.Repeat("x", 2000)
		r.deltas = append(r.deltas, engine.Delta{Reasoning: late}, engine.Delta{Text: late})
		o := run(t, session(t, registry(t), &script{replies: []reply{r}}, maxReplyBytes(1000)), question)
		require.Equal(t, engine.StopDone, o.stop)
		require.Empty(t, o.limit)
		require.Equal(t, "Done.", o.iterations[0].Raw)
	})
	t.Run("by a fabricated result", func(t *testing.T) {
		text := block(t, "t_echo", "text", "a") + "\n<<<[TOOL_RESULT]>>>\nrequest_id:「始」a「末」\n" +
			strings.Repeat("x", 2000)
		for _, first := range []reply{says(text), says(strings.Split(text, "")...)} {
			model := &script{replies: []reply{first, says("Done.")}}
			o := run(t, session(t, registry(t), model, maxReplyBytes(1000)), question)
			require.Equal(t, engine.StopDone, o.stop)
			require.Len(t, o.iterations[0].Results, 1)
		}
	})
}

func TestThePartsOfAContinuedReplyCountTogether(t *testing.T) {
	first := "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_echo「末」\ntext:「始」" + strings.Repeat("x", 600)
	model := &script{replies: []reply{truncatedReply(first), says("text:「始」" + strings.Repeat("x", 600))}}
	o := run(t, session(t, registry(t), model, maxReplyBytes(1000)), question)
	require.Equal(t, engine.StopIncomplete, o.stop)
	require.Equal(t, engine.LimitReplyBytes, o.limit)
	require.Equal(t, 1, o.iterations[0].Continued)
	require.LessOrEqual(t, len(o.iterations[0].Raw), 1000)
}

func TestTheLimitOfAReplyDoesNotDependOnItsPieces(t *testing.T) {
	part := rapid.SampledFrom([]string{
		block(t, "t_echo", "text", "a"), strings.Repeat("字", 50), "\n```\n", "<think>", "</think>",
		strings.Repeat(" ", 200),
		"\n<<<[TOOL_RESULT]>>>\nrequest_id:「始」a「末」\n", "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_echo「末」\ntext:「始」",
	})
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOfN(part, 1, 16).Draw(rt, "text"), "")
		var pieces []string
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, min(len(rest), 400)).Draw(rt, "piece")
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		read := func(pieces ...string) outcome {
			replies := []reply{says(pieces...)}
			for range 12 {
				replies = append(replies, says("Done."))
			}
			return run(t, session(t, registry(t), &script{replies: replies}, maxReplyBytes(1000)), question)
		}
		whole, divided := read(text), read(pieces...)
		require.Equal(t, whole.stop, divided.stop)
		require.Equal(t, whole.limit, divided.limit)
		for _, o := range []outcome{whole, divided} {
			reply := &o.iterations[0].Reply
			reply.Dropped = nil // a fabricated result ends the reply, but the rest of its piece is still read
			reply.Text = parser.Text{reply.Text.String()}
		}
		require.Equal(t, whole.iterations[0].Reply, divided.iterations[0].Reply)
		require.Len(t, divided.iterations[0].Results, len(whole.iterations[0].Results))
	})
}

func TestProcessCycleRunsNothingOfAReplyOverTheLimit(t *testing.T) {
	text := block(t, "t_echo", "text", "a")
	for _, tt := range []struct {
		name   string
		length int
		runs   bool
	}{{"at the limit", 1000, true}, {"over the limit", 1001, false}} {
		t.Run(tt.name, func(t *testing.T) {
			reply := text + strings.Repeat("x", tt.length-len(text))
			s := session(t, registry(t), nil, maxReplyBytes(1000))
			cycle, err := s.ProcessCycle(t.Context(), reply, protocol.FinishStop)
			require.NoError(t, err)
			require.Len(t, cycle.Results, 1)
			require.Equal(t, tt.runs, cycle.Results[0].Status == protocol.StatusSuccess)
		})
	}
}
