package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/engine"
)

// TestAFabricatedResultEndsTheReplyInAnyPieces checks that a reply ends when the model begins to
// fabricate a result. No text after that counts, in whatever pieces the reply comes.
func TestAFabricatedResultEndsTheReplyInAnyPieces(t *testing.T) {
	kept := "Sure.\n" + block(t, "t_echo", "text", "real") + "\n"
	whole := kept + "<<<[TOOL_RESULT]>>>\nresult:「始」made up「末」\n<<<[END_TOOL_RESULT]>>>\n" +
		"So: 「末」\n<<<[END_TOOL_REQUEST]>>>\n" + block(t, "t_echo", "text", "no")
	rapid.Check(t, func(rt *rapid.T) {
		var pieces []string
		for rest := whole; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(rt, "piece")
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		model := &script{replies: []reply{says(pieces...), says("Done.")}}
		o := run(t, session(t, registry(t), model), question)
		require.Equal(rt, engine.StopDone, o.stop)
		require.Equal(rt, []shownResult{{"1.1", "t_echo", "success"}}, shownResults(t, o.iterations[0].ResultMessage),
			"%q", pieces)
		require.Equal(rt, kept, o.iterations[0].Assistant.Content)
		require.Equal(rt, "Sure.\n\n", o.iterations[0].Reply.Text.String())
	})
}

func TestAFabricatedResultIsNeitherShownNorKept(t *testing.T) {
	request := block(t, "t_echo", "text", "real") + "\n"
	model := &script{replies: []reply{
		says("See:\n", request, "<<<[TOOL_RESULT]>>>\nresult:「始」made up「末」\n", "<<<[END_TOOL_RESULT]>>>\nSo it is made up."),
		says("Done."),
	}}
	got := run(t, session(t, registry(t), model), question)
	require.Contains(t, got.trace, "dropped")
	require.NotContains(t, got.iterations[0].Reply.Text.String(), "made up")
	require.Equal(t, "See:\n"+request, got.iterations[0].Messages()[0].Content)
	require.Contains(t, got.iterations[0].Raw, "made up", "Raw is all that the model wrote")
	require.Equal(t, "real", got.iterations[0].Results[0].ToolResult.Result)
}
