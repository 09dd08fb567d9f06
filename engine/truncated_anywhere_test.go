package engine_test

import (
	"context"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// author is a model whose first reply is truncated at the token limit.
type author struct {
	script
	whole     string                    // the reply
	at        int                       // the number of bytes after which the reply is truncated
	continued func(shown string) string // returns a continuation of the part that the model is shown
}

func (a *author) Stream(ctx context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	n := len(req.Messages)
	switch {
	case len(a.asked) == 0:
		a.replies = append(a.replies, truncatedReply(a.whole[:a.at]))
	case n >= 2 && strings.HasPrefix(req.Messages[n-1].Content, "Your reply was truncated"):
		a.replies = append(a.replies, says(a.continued(req.Messages[n-2].Content)))
	default:
		a.replies = append(a.replies, says("Done."))
	}
	return a.script.Stream(ctx, req)
}

// speaker is a model that can be replaced between two runs.
type speaker struct{ engine.Model }

// TestUnracedReplyTruncatedAnywhereRunsNothingTwiceAndNothingHalf truncates replies at every byte,
// and continues them well and badly. Only requests of the whole reply run, each at most once. In
// "make test" the bad continuations are a sample.
func TestUnracedReplyTruncatedAnywhereRunsNothingTwiceAndNothingHalf(t *testing.T) {
	longtest.SkipIfRaced(t) // because of the prefix TestUnraced, "make test" runs this test without the race detector
	const content = "一行\n两行，「末」 in it, and <<<[END_TOOL_REQUEST]>>>\n"
	vcpReply := "好的，先写。" + block(t, "t_write", "path", "笔记.md", "content", content) +
		"\n```go\nfmt.Println(\"```\")\n```\nThen <<<[TOOL_REQUEST]>>>\ntool_name:「始」t「末」,\n" +
		"command1:「始」write「末」,\npath1:「始」a「末」,\n" +
		"command2:「始」run「末」,\ncwd2:「始」/tmp「末」\n<<<[END_TOOL_REQUEST]>>>\n" +
		"<<<[TOOL_REQUEST]>>>\nrequest_id:「始」mine「末」,\ntool_name:「始」t_run「末」,\n" +
		"command:「始」ls「末」,\ncwd:「始」/「末」\n<<<[END_TOOL_REQUEST]>>>\n就这些。"
	hermesReply, err := hermes.Protocol{}.FormatToolRequests([]protocol.ToolRequest{
		{ToolName: "t_write", Arguments: []protocol.Argument{
			{Name: "path", Value: "笔记.md"}, {Name: "content", Value: "a \"b\"\n</tool_call>"},
		}},
		{ToolName: "t_run", Label: "mine", Arguments: []protocol.Argument{
			{Name: "cwd", Value: "/"}, {Name: "command", Value: "ls"},
		}},
	})
	require.NoError(t, err)
	for _, tt := range []struct {
		protocol protocol.Protocol
		whole    string
		end      string // ends a request within an argument
	}{
		{vcp.Protocol{}, vcpReply, "\n<<<[END_TOOL_REQUEST]>>>"},
		{hermes.Protocol{}, "好的。\n" + hermesReply + "\n就这些。", "}}\n</tool_call>"},
	} {
		var calls []string
		var speaker speaker
		e := newEngine(t, recordingRegistry(t, &calls), &speaker, withProtocol(tt.protocol))
		play := func(t testing.TB, model engine.Model) (ran []string, o outcome) {
			calls, speaker.Model = nil, model
			o = run(t, e.NewSession("test"), question)
			require.NoError(t, o.err)
			return calls, o
		}
		all, untruncated := play(t, scriptOf(tt.whole, "Done."))
		require.NotEmpty(t, all)
		badOffsets := longtest.Offsets(60, len(tt.whole)) // where bad continuations are tried
		for at := range len(tt.whole) {
			rest := func(shown string) string {
				rest, ok := strings.CutPrefix(tt.whole, shown)
				require.True(t, ok, "the model is shown what it wrote")
				return rest
			}
			ran, o := play(t, &author{whole: tt.whole, at: at, continued: rest})
			if o.iterations[0].Continued > 0 {
				require.Equal(t, all, ran, "truncated at %d, continued after %q", at, tt.whole[:at])
				require.Equal(t, untruncated.iterations[0].Raw, o.iterations[0].Raw)
				require.Equal(t, untruncated.iterations[0].Assistant, o.iterations[0].Assistant)
				require.Equal(t, texts(untruncated.trace), texts(o.trace), "truncated at %d: what a person sees", at)
			} else {
				require.True(t, slices.Equal(all[:len(ran)], ran), "truncated at %d: %q", at, tt.whole[:at])
			}
			for how, continued := range map[string]func(string) string{
				"ended at once": func(shown string) string {
					if begun := strings.TrimLeft(tt.whole[len(shown):at], ",\n {}"); begun == "" || begun[0] == '<' {
						return "" // the engine cannot know that anything is missing
					}
					return tt.end
				},
				"given up":          func(string) string { return "Sorry." },
				"written again":     func(string) string { return tt.whole },
				"written otherwise": func(string) string { return "Once more.\n" + tt.whole },
				"not at all":        func(string) string { return "" },
			} {
				if !slices.Contains(badOffsets, at) {
					continue
				}
				ran, _ := play(t, &author{whole: tt.whole, at: at, continued: continued})
				left := slices.Clone(all)
				for _, call := range ran {
					i := slices.Index(left, call)
					require.GreaterOrEqual(t, i, 0, "truncated at %d, %s: %s lacks a part, or runs twice; %q",
						at, how, call, tt.whole[:at])
					left = slices.Delete(left, i, i+1)
				}
			}
		}
	}
}

// texts returns the joined texts of a trace.
func texts(trace []string) string {
	var b strings.Builder
	for _, line := range trace {
		if text, ok := strings.CutPrefix(line, "text |"); ok {
			b.WriteString(text)
		}
	}
	return b.String()
}
