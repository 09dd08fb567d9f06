package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/qwencoder"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// length returns a reply that was truncated at the token limit.
func length(texts ...string) reply {
	r := unfinished(texts...)
	r.deltas = append(r.deltas, engine.Delta{Finished: true, Finish: protocol.FinishLength})
	return r
}

// writers returns methods that record their arguments in ran. All but one of their arguments are
// optional.
func writers(t testing.TB, ran *[]string) *tool.Registry {
	raw := func(name, parameters string) tool.Method {
		m, err := tool.Raw(name, "does "+name, json.RawMessage(parameters), func(_ context.Context, c *tool.Call) (tool.Output, error) {
			*ran = append(*ran, c.Method.FullName+string(c.Arguments))
			return tool.Output{Text: "ok"}, nil
		}, tool.AgentCallable())
		require.NoError(t, err)
		return m
	}
	return registry(t,
		raw("write", `{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path"]}`),
		raw("run", `{"type":"object","properties":{"command":{"type":"string"},"cwd":{"type":"string"}}}`))
}

func speaking(p protocol.Protocol) func(*engine.Options) {
	return func(o *engine.Options) { o.Protocols = []protocol.Protocol{p} }
}

func TestATruncatedRequest(t *testing.T) {
	const begin = "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_write「末」\npath:「始」a「末」\n"
	const batch = "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t「末」\ncommand1:「始」write「末」 path1:「始」a「末」\ncommand2:「始」write「末」 path2:「始」b「末」 "
	const end = "\n<<<[END_TOOL_REQUEST]>>>"
	one, two := block(t, "t_write", "path", "1"), block(t, "t_write", "path", "2", "content", "xy")
	const open = "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t「末」,\ncommand1:「始」write「末」,\npath1:「始」a「末」,\n"
	const second = "command2:「始」write「末」,\npath2:「始」b「末」,\ncontent2:「始」long「末」"
	const coder = "<tool_call>\n<function=t_write>\n<parameter=path>\na\n</parameter>\n"
	const list = "<tool_call>\n[{\"name\": \"t_write\", \"arguments\": {\"path\": \"a\""
	const call = "<tool_call>\n{\"name\": \"t_write\", \"arguments\": {\"path\": \"a\", \"content\": \"x"
	for _, tt := range []struct {
		name      string
		protocol  protocol.Protocol
		truncated string
		then      string
		want      []string
	}{
		{"a request whose next name was begun needs another field", vcp.Protocol{}, begin + "conte", end, nil},
		{"a request whose next value was about to begin needs another field", vcp.Protocol{}, begin + "**content**: 「", end, nil},
		{"a request whose next name was begun runs with that field", vcp.Protocol{}, begin + "conte", "content:「始」xy「末」" + end, []string{`t_write{"path":"a","content":"xy"}`}},
		{"a request that lacked only its end runs", vcp.Protocol{}, begin + "<<<[END_TO", end, []string{`t_write{"path":"a"}`}},
		{
			"a request truncated in its command runs with the command",
			vcp.Protocol{},
			"<<<[TOOL_REQUEST]>>>\ntool_name:「始」t「末」\npath:「始」a「末」\ncommand:「始」wr", "command:「始」write「末」" + end,
			[]string{`t_write{"path":"a"}`},
		},
		{
			"an argument with the name command is completed like any other",
			vcp.Protocol{},
			"<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_run「末」\ncwd:「始」/「末」\ncommand:「始」ls", "command:「始」ls -l「末」" + end,
			[]string{`t_run{"command":"ls -l","cwd":"/"}`},
		},
		{
			"a request truncated in the argument command does not run without it",
			vcp.Protocol{},
			"<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_run「末」\ncwd:「始」/「末」\ncommand:「始」ls", end, nil,
		},
		{
			"a request truncated in its label runs",
			vcp.Protocol{},
			begin + "request_id:「始」min", "request_id:「始」mine「末」" + end,
			[]string{`t_write{"path":"a"}`},
		},
		{
			"a label is not the truncated argument",
			vcp.Protocol{},
			begin + "content:「始」x", "request_id:「始」mine「末」" + end, nil,
		},
		{
			"a batch runs as a whole",
			vcp.Protocol{},
			batch + "content2:「始」x", "content2:「始」xy「末」" + end,
			[]string{`t_write{"path":"a"}`, `t_write{"path":"b","content":"xy"}`},
		},
		{"no request of a batch runs if one of them stays truncated", vcp.Protocol{}, batch + "content2:「始」x", end, nil},
		{
			"each request of a reply written again in the same words runs once",
			vcp.Protocol{},
			one + "\nand " + strings.TrimSuffix(two, "y「末」"+end), one + "\nand " + two,
			[]string{`t_write{"path":"1"}`, `t_write{"path":"2","content":"xy"}`},
		},
		{
			"each request of a reply written again in other words runs once",
			vcp.Protocol{},
			one + "\nand " + strings.TrimSuffix(two, "y「末」"+end), "Once more: " + one + "\nthen " + two,
			[]string{`t_write{"path":"1"}`, `t_write{"path":"2","content":"xy"}`},
		},
		{
			"a request written again runs once if the truncated one is not written again",
			vcp.Protocol{},
			one + "\nand " + strings.TrimSuffix(two, "y「末」"+end), "Once more: " + one,
			[]string{`t_write{"path":"1"}`},
		},
		{
			"a request that the reply contains twice runs twice",
			vcp.Protocol{},
			one + one + strings.TrimSuffix(two, "y「末」"+end), "content:「始」xy「末」" + end,
			[]string{`t_write{"path":"1"}`, `t_write{"path":"1"}`, `t_write{"path":"2","content":"xy"}`},
		},
		{"JSON is continued at the comma", hermes.Protocol{}, call, `, "content": "xy"}}` + "\n</tool_call>", []string{`t_write{"path":"a","content":"xy"}`}},
		{"JSON is continued after the comma", hermes.Protocol{}, call, `"content": "xy"}}` + "\n</tool_call>", []string{`t_write{"path":"a","content":"xy"}`}},
		{"JSON is continued from the start of a call within its line", hermes.Protocol{}, "See " + call, call + "y\"}}\n</tool_call>", []string{`t_write{"path":"a","content":"xy"}`}},
		{"a call in JSON does not run without the truncated argument", hermes.Protocol{}, call, "}}\n</tool_call>", nil},
		{
			"raw text is continued with its parameter",
			qwencoder.Protocol{},
			coder + "<parameter=content>\nonly the be", "<parameter=content>\nxy\n</parameter>\n</function>\n</tool_call>",
			[]string{`t_write{"path":"a","content":"xy"}`},
		},
		{
			"raw text is continued at its end tags",
			qwencoder.Protocol{},
			coder + "<parameter=content>\nxy\n</parameter>\n</func", "</function>\n</tool_call>",
			[]string{`t_write{"path":"a","content":"xy"}`},
		},
		{
			"a call that is written before the truncated one is not what was begun",
			qwencoder.Protocol{},
			coder + "<parameter=content>\nonly the be",
			"<tool_call>\n<function=t_write>\n<parameter=path>\nb\n</parameter>\n</function>\n</tool_call>\n" +
				coder + "<parameter=content>\nxy\n</parameter>\n</function>\n</tool_call>", nil,
		},
		{
			"raw text does not run without the parameter that was truncated",
			qwencoder.Protocol{},
			coder + "<parameter=content>\nonly the be", "</function>\n</tool_call>", nil,
		},
		{
			"an argument of another call of the batch is not the one that was truncated",
			vcp.Protocol{},
			open + "content1:「始」only the old fi", second + end, nil,
		},
		{
			"an argument of another call is not the one whose truncated name had no number yet",
			vcp.Protocol{},
			begin + "conte", "command2:「始」write「末」,\npath2:「始」b「末」,\ncontent2:「始」long「末」" + end, nil,
		},
		{
			"an argument of another call in the list is not the one that was truncated",
			hermes.Protocol{},
			list + `, "content": "on`, `}}, {"name": "t_write", "arguments": {"path": "b", "content": "long"}}]` + "\n</tool_call>", nil,
		},
		{
			"an argument of another call in the list is not the one whose name was truncated",
			hermes.Protocol{},
			list + `, "conte`, `}}, {"name": "t_write", "arguments": {"path": "b", "content": "long"}}]` + "\n</tool_call>", nil,
		},
		{
			"a name that was truncated in JSON is completed",
			hermes.Protocol{},
			list + `, "conte`, `, "content": "xy"}}]` + "\n</tool_call>",
			[]string{`t_write{"path":"a","content":"xy"}`},
		},
		{
			"another argument is not the one that was truncated",
			vcp.Protocol{},
			begin + "content:「始」x", "mode:「始」0600「末」" + end, nil,
		},
		{
			"another argument before the truncated one is refused",
			vcp.Protocol{},
			begin + "content:「始」x", "mode:「始」0600「末」\ncontent:「始」xy「末」" + end, nil,
		},
		{
			"a request that was truncated in its end takes no further field",
			vcp.Protocol{},
			begin + "<<<[END_TO", "content:「始」xy「末」" + end, nil,
		},
		{
			"a command that begins otherwise is not the one that was truncated",
			vcp.Protocol{},
			"<<<[TOOL_REQUEST]>>>\ntool_name:「始」t「末」\npath:「始」a「末」\ncommand:「始」wr", "command:「始」echo「末」" + end, nil,
		},
		{
			"a call that is written instead does not run",
			vcp.Protocol{},
			begin + "content:「始」x", "\n" + block(t, "t_run", "cwd", "/"), nil,
		},
		{
			"a call that follows an end without the argument does not run",
			vcp.Protocol{},
			one + begin + "content:「始」x", end + "\n" + block(t, "t_run", "cwd", "/"),
			[]string{`t_write{"path":"1"}`},
		},
		{
			"a call written again without the argument does not run",
			vcp.Protocol{},
			begin + "content:「始」x", "\nAgain:\n" + one, nil,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var ran []string
			m := &script{replies: []reply{length(tt.truncated), says(tt.then), says("Done.")}}
			o := run(t, session(t, writers(t, &ran), m, speaking(tt.protocol)), question)
			require.Equal(t, engine.StopDone, o.stop)
			require.Equal(t, 1, o.iterations[0].Continued)
			require.Equal(t, tt.want, ran)
			require.Len(t, o.iterations[0].Results, len(o.iterations[0].Requests))
			require.Empty(t, unended(o.trace), "an argument that was begun and never withdrawn or ended")
		})
	}
}

// unended returns the arguments whose pieces were followed by other pieces of the same argument
// without being withdrawn.
func unended(trace []string) (list []string) {
	seen := map[string]bool{}
	for _, line := range trace {
		if head, _, ok := strings.Cut(line, " |"); ok && strings.HasPrefix(head, "argument_delta") {
			if seen[head] {
				list = append(list, head)
			}
			seen[head] = true
		}
		if line == "argument_voided" {
			clear(seen)
		}
	}
	return list
}

// author is a model whose first reply is truncated at the token limit after cut bytes. After that
// it writes what then returns for what it is shown.
type author struct {
	script
	whole string
	cut   int
	then  func(shown string) string
}

func (a *author) Stream(ctx context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	n := len(req.Messages)
	switch {
	case len(a.asked) == 0:
		a.replies = append(a.replies, length(a.whole[:a.cut]))
	case n >= 2 && strings.HasPrefix(req.Messages[n-1].Content, "Your reply was truncated"):
		a.replies = append(a.replies, says(a.then(req.Messages[n-2].Content)))
	default:
		a.replies = append(a.replies, says("Done."))
	}
	return a.script.Stream(ctx, req)
}

// speaker is a model that a function implements.
type speaker struct{ engine.Model }

// TestUnracedReplyTruncatedAnywhereRunsNothingTwiceAndNothingHalf truncates replies at every byte,
// and continues them well and badly. Only requests of the whole reply run, each at most once. In
// "make test" the bad continuations are a sample.
func TestUnracedReplyTruncatedAnywhereRunsNothingTwiceAndNothingHalf(t *testing.T) {
	longtest.SkipIfRaced(t)
	vcpReply := "好的，先写。" + block(t, "t_write", "path", "笔记.md", "content", "一行\n两行，「末」 in it, and <<<[END_TOOL_REQUEST]>>>\n") +
		"\n```go\nfmt.Println(\"```\")\n```\nThen <<<[TOOL_REQUEST]>>>\ntool_name:「始」t「末」,\ncommand1:「始」write「末」,\npath1:「始」a「末」,\n" +
		"command2:「始」run「末」,\ncwd2:「始」/tmp「末」\n<<<[END_TOOL_REQUEST]>>>\n" +
		"<<<[TOOL_REQUEST]>>>\nrequest_id:「始」mine「末」,\ntool_name:「始」t_run「末」,\ncommand:「始」ls「末」,\ncwd:「始」/「末」\n<<<[END_TOOL_REQUEST]>>>\n就这些。"
	hermesReply, err := hermes.Protocol{}.FormatToolRequests([]protocol.ToolRequest{
		{ToolName: "t_write", Arguments: []protocol.Argument{{Name: "path", Value: "笔记.md"}, {Name: "content", Value: "a \"b\"\n</tool_call>"}}},
		{ToolName: "t_run", Label: "mine", Arguments: []protocol.Argument{{Name: "cwd", Value: "/"}, {Name: "command", Value: "ls"}}},
	})
	require.NoError(t, err)
	for _, tt := range []struct {
		protocol protocol.Protocol
		whole    string
		end      string
	}{
		{vcp.Protocol{}, vcpReply, "\n<<<[END_TOOL_REQUEST]>>>"},
		{hermes.Protocol{}, "好的。\n" + hermesReply + "\n就这些。", "}}\n</tool_call>"},
	} {
		var calls []string
		var speaker speaker
		e := newEngine(t, writers(t, &calls), &speaker, speaking(tt.protocol))
		play := func(t testing.TB, model engine.Model) (ran []string, o outcome) {
			calls, speaker.Model = nil, model
			o = run(t, e.NewSession("test"), question)
			require.NoError(t, o.err)
			return calls, o
		}
		all, uncut := play(t, &script{replies: []reply{says(tt.whole), says("Done.")}})
		require.NotEmpty(t, all)
		badly := longtest.Offsets(60, len(tt.whole))
		for at := range len(tt.whole) {
			rest := func(shown string) string {
				rest, ok := strings.CutPrefix(tt.whole, shown)
				require.True(t, ok, "the model is shown what it wrote")
				return rest
			}
			ran, o := play(t, &author{whole: tt.whole, cut: at, then: rest})
			if o.iterations[0].Continued > 0 {
				require.Equal(t, all, ran, "truncated at %d, continued after %q", at, tt.whole[:at])
				require.Equal(t, uncut.iterations[0].Raw, o.iterations[0].Raw)
				require.Equal(t, uncut.iterations[0].Assistant, o.iterations[0].Assistant)
				require.Equal(t, texts(uncut.trace), texts(o.trace), "truncated at %d: what a person sees", at)
			} else {
				require.True(t, slices.Equal(all[:len(ran)], ran), "truncated at %d: %q", at, tt.whole[:at])
			}
			for how, then := range map[string]func(string) string{
				"ended at once": func(shown string) string {
					if begun := strings.TrimLeft(tt.whole[len(shown):at], ",\n {}"); begun == "" || begun[0] == '<' {
						return "" // nothing is known to be missing
					}
					return tt.end
				},
				"given up":          func(string) string { return "Sorry." },
				"written again":     func(string) string { return tt.whole },
				"written otherwise": func(string) string { return "Once more.\n" + tt.whole },
				"not at all":        func(string) string { return "" },
			} {
				if !slices.Contains(badly, at) {
					continue
				}
				ran, _ := play(t, &author{whole: tt.whole, cut: at, then: then})
				left := slices.Clone(all)
				for _, call := range ran {
					i := slices.Index(left, call)
					require.GreaterOrEqual(t, i, 0, "truncated at %d, %s: %s is half, or runs twice; %q", at, how, call, tt.whole[:at])
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

func TestAReplyIsNotContinuedIfTheRunIsOver(t *testing.T) {
	truncated := strings.TrimSuffix(block(t, "t_echo", "text", "truncated"), "「末」\n<<<[END_TOOL_REQUEST]>>>")
	t.Run("canceled with its last piece", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		stop := errors.New("stop")
		model := &script{replies: []reply{length(truncated)}}
		model.replies[0].deltas = append(model.replies[0].deltas, engine.Delta{Usage: &engine.Usage{}})
		deltas := 0
		model.after = func() {
			if deltas++; deltas == 2 {
				cancel(stop)
			}
		}
		got := runIn(ctx, t, session(t, registry(t), model), question)
		require.Equal(t, engine.StopCanceled, got.stop)
		require.ErrorIs(t, got.err, stop)
		require.Len(t, model.asked, 1)
	})
	t.Run("its tokens are spent", func(t *testing.T) {
		r := length(truncated)
		r.deltas = append(r.deltas, engine.Delta{Usage: &engine.Usage{PromptTokens: 900, CompletionTokens: 100}})
		model := &script{replies: []reply{r}}
		got := run(t, session(t, registry(t), model, config(func(c *engine.Config) { c.MaxTokens = 1000 })), question)
		require.Equal(t, engine.StopMaxIterations, got.stop)
		require.Equal(t, engine.LimitTokens, got.limit)
		require.Len(t, model.asked, 1)
		require.Equal(t, []shownResult{{"1.1", "t_echo", "errormalformed_request"}}, shownResults(t, got.iterations[0].ResultMessage), "the request has a result")
	})
}

// A reply ends when the model begins to fabricate a result, with any text after that in the same
// chunk.
func TestChunksOfAFabricatedResultChangeNothing(t *testing.T) {
	kept := "Sure.\n" + block(t, "t_echo", "text", "real") + "\n"
	whole := kept + "<<<[TOOL_RESULT]>>>\nresult:「始」made up「末」\n<<<[END_TOOL_RESULT]>>>\nSo: 「末」\n<<<[END_TOOL_REQUEST]>>>\n" +
		block(t, "t_echo", "text", "no")
	rapid.Check(t, func(rt *rapid.T) {
		var pieces []string
		for rest := whole; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(rt, "piece")
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		model := &script{replies: []reply{says(pieces...), says("Done.")}}
		o := run(t, session(t, registry(t), model), question)
		require.Equal(rt, engine.StopDone, o.stop)
		require.Equal(rt, []shownResult{{"1.1", "t_echo", "success"}}, shownResults(t, o.iterations[0].ResultMessage), "%q", pieces)
		require.Equal(rt, kept, o.iterations[0].Assistant.Content)
		require.Equal(rt, "Sure.\n\n", o.iterations[0].Reply.Text.String())
	})
}

// The next field is unknown if nothing was begun, or if what was begun is ambiguous.
func TestAReplyIsNotContinuedIfNothingTellsHow(t *testing.T) {
	const begin = "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_write「末」,\n"
	const list = "<tool_call>\n[{\"name\": \"t_write\", \"arguments\": {\"path\": \"a\""
	whole := block(t, "t_write", "path", "1")
	for _, tt := range []struct {
		name      string
		protocol  protocol.Protocol
		truncated string
	}{
		{"between two fields", vcp.Protocol{}, begin + "path:「始」a「末」"},
		{"after the comma", vcp.Protocol{}, begin + "path:「始」a「末」,\n"},
		{"in a name that is not an argument's", vcp.Protocol{}, begin + "path:「始」a「末」,\nnam"},
		{"in the name of an argument that the call has", vcp.Protocol{}, begin + "path:「始」a「末」,\npat"},
		{"in a name of a batch", vcp.Protocol{}, "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t「末」,\ncommand1:「始」write「末」,\ncont"},
		{"in a tool's name", vcp.Protocol{}, "<<<[TOOL_REQUEST]>>>\npath:「始」a「末」,\ntool_name:「始」t_wr"},
		{"in a command that several methods begin with", vcp.Protocol{}, "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t「末」,\ncommand:「始」"},
		{"in an opener without a name", vcp.Protocol{}, begin + "path:「始」a「末」,\n「始」x"},
		{"in the first field", vcp.Protocol{}, "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_wr"},
		{"after a request", vcp.Protocol{}, whole + "And th"},
		{"at a bracket that may begin a field or the end", qwencoder.Protocol{}, "<tool_call>\n<function=t_write>\n<parameter=path>\na\n</parameter>\n<"},
		{"in the tag of a field", qwencoder.Protocol{}, "<tool_call>\n<function=t_write>\n<parameter=path>\na\n</parameter>\n<parameter=con"},
		{"between two members", hermes.Protocol{}, list + ","},
		{"after the arguments", hermes.Protocol{}, list + "}"},
		{"between two calls", hermes.Protocol{}, list + "}}, "},
		{"in the name of the next call", hermes.Protocol{}, list + `}}, {"name": "t_wr`},
		{"before the arguments", hermes.Protocol{}, "<tool_call>\n" + `{"name": "t_write", "argum`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var ran []string
			m := &script{replies: []reply{length(tt.truncated), says("Sorry.")}}
			o := run(t, session(t, writers(t, &ran), m, speaking(tt.protocol)), question)
			require.Equal(t, engine.StopDone, o.stop)
			require.Zero(t, o.iterations[0].Continued)
			require.Empty(t, ran)
			require.Len(t, o.iterations[0].Results, len(o.iterations[0].Requests))
			require.NotEmpty(t, o.iterations[0].Results, "the model gets a result")
		})
	}
}
