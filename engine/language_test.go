package engine_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/qwencoder"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// TestErrorMessagesHaveEachLanguage checks that each protocol tells a model, in the language of its
// prompt, how to correct each error.
func TestErrorMessagesHaveEachLanguage(t *testing.T) {
	for _, p := range []protocol.Protocol{vcp.Protocol{}, hermes.Protocol{}, qwencoder.Protocol{}} {
		for _, code := range scan.ErrorCodes() {
			t.Run(p.ID()+"/"+string(code), func(t *testing.T) {
				message := func(code scan.ErrorCode, language string) string {
					return p.ErrorMessage(code, protocol.PromptOptions{Language: language})
				}
				english, chinese := message(code, "en"), message(code, "zh")
				require.Equal(t, english, message(code, ""))
				require.False(t, hasHan(english), english)
				require.True(t, hasHan(chinese) && strings.HasSuffix(chinese, "。"), chinese)
				const unknownCode = "other"
				require.Equal(t, message(unknownCode, "en") == english, message(unknownCode, "zh") == chinese,
					"a code has a message of its own in both languages or in none")
			})
		}
	}
}

func hasHan(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// marks matches marks of a protocol and JSON objects, which may contain English words in a Chinese
// text. englishSentences matches three English words in a row.
var (
	marks            = regexp.MustCompile(`(?s)<<<.*?>>>|「[^」]*」|\{[^{}]*\}`)
	englishSentences = regexp.MustCompile(`[A-Za-z]+ [a-z]+ [a-z]+`)
)

// TestErrorsFollowTheLanguageOfThePrompt checks that a model with a Chinese prompt reads no English
// sentence about a request that cannot run.
func TestErrorsFollowTheLanguageOfThePrompt(t *testing.T) {
	echo := block(t, "t_echo", "text", "hi")
	strict := func(p *engine.Profile) { p.Reading.Tolerance = scan.Strict }
	for _, tt := range []struct {
		name    string // the code of the error, or what is wrong
		reply   reply
		profile func(*engine.Profile)
		config  func(*engine.Config)
	}{
		{"missing_tool_name", says("<<<[TOOL_REQUEST]>>>\ntext:「始」x「末」\n<<<[END_TOOL_REQUEST]>>>"), nil, nil},
		{"duplicate_key", says(strings.Replace(echo, "「末」\n", "「末」,\ntext:「始」ho「末」\n", 2)), nil, nil},
		{"bad_key", says("<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_echo「末」\n「始」x「末」\n<<<[END_TOOL_REQUEST]>>>"), nil, nil},
		{"ambiguous_value", says(strings.Replace(echo, "「始」hi", "「始」hi\nx:「始」ho", 1)), nil, nil},
		{"repair_refused", says(strings.Replace(echo, "<<<[TOOL_REQUEST]>>>", "<<<[tool_request]>>>", 1)), strict, nil},
		{"a field outside of a block", says("tool_name:「始」t_echo「末」"), nil, nil},
		{
			"truncated",
			reply{deltas: []engine.Delta{{Text: echo}, {Finished: true, Finish: protocol.FinishLength}}},
			nil, nil,
		},
		{"over a limit", says(strings.Repeat(echo, 5)), nil, func(c *engine.Config) { c.MaxRequests = 1 }},
		{"calls used up", says(strings.Repeat(echo, 2)), nil, func(c *engine.Config) { c.MaxCalls = 1 }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			model := &script{replies: []reply{tt.reply, says("好。")}}
			s := session(t, registry(t), model, func(o *engine.Options) {
				o.Profile = &engine.Profile{Reading: parser.Options{}, Prompt: protocol.PromptOptions{Language: "zh"}}
				if tt.profile != nil {
					tt.profile(o.Profile)
				}
				if tt.config != nil {
					tt.config(&o.Config)
				}
			})
			got := run(t, s, question)
			require.NoError(t, got.err)
			failed := func(r executor.Result) bool { return r.Status == protocol.StatusError }
			require.True(t, slices.ContainsFunc(got.iterations[0].Results, failed))
			told := model.asked[1].Messages[len(model.asked[1].Messages)-1].Content
			require.NotRegexp(t, englishSentences, marks.ReplaceAllString(told, ""), told)
		})
	}
}

// TestFeedbackFollowsTheLanguageOfThePrompt checks that a model with a Chinese prompt reads no
// English word about a reply that runs nothing.
func TestFeedbackFollowsTheLanguageOfThePrompt(t *testing.T) {
	echo, unknown := block(t, "t_echo", "text", "hi"), block(t, "t_none", "text", "hi")
	apart := reply{deltas: []engine.Delta{{Reasoning: echo}, {Finished: true, Finish: protocol.FinishStop}}}
	for _, tt := range []struct {
		name  string
		reply reply
	}{
		{"no answer", says(" ")},
		{"an announcement", says("我来查一下。")},
		{"a request in code", says("```\n" + echo + "\n```")},
		{"a request in reasoning", says("<think>" + echo + "</think>")},
		{"a request in reasoning for no method", says("<think>" + unknown + "</think>")},
		{"a request in reasoning apart from the text", apart},
		{
			"a request in the form of another protocol",
			says("<function=t_echo>\n<parameter=text>hi</parameter>\n</function>"),
		},
		{"a request in an unknown form", says("```bash\nt_echo --text hi\n```")},
		{"a request with escaped marks", says(vcp.Protocol{}.Neutralize(echo))},
		{"a fabricated result", says("<<<[TOOL_RESULT]>>>\ntool_name:「始」t_echo「末」\n<<<[END_TOOL_RESULT]>>>")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			model := &script{replies: []reply{tt.reply, says("好。")}}
			s := session(t, registry(t), model, func(o *engine.Options) {
				o.Profile = &engine.Profile{Prompt: protocol.PromptOptions{Language: "zh"}}
			})
			got := run(t, s, question)
			require.NoError(t, got.err)
			told := got.iterations[0].ResultMessage
			require.NotNil(t, told, "the model is told")
			require.NotRegexp(t, `[A-Za-z]{2,}`,
				strings.NewReplacer("t_echo", "", "TOOL_RESULT", "").Replace(told.Content))
		})
	}
}

// TestTheEnginesToolsFollowTheLanguageOfThePrompt checks that a model with a Chinese prompt reads
// no English sentence about a result that is excerpted, about its pages, or about a search.
func TestTheEnginesToolsFollowTheLanguageOfThePrompt(t *testing.T) {
	const line = "一二三四五六七八九十"
	text := strings.Repeat(line+"\n", 300)
	s := session(t, registry(t, returning(t, "long", &text)), nil, func(o *engine.Options) {
		o.Profile = &engine.Profile{Prompt: protocol.PromptOptions{Language: "zh"}}
		o.Config.ResultTokens, o.Config.PromptMethods = executor.MinResultTokens, 1
	})
	for _, tt := range []struct {
		name   string
		call   []string // the ID of a request, a method, then names and values of arguments
		status protocol.ResultStatus
	}{
		{"an excerpt", []string{"1", "t_long"}, protocol.StatusSuccess},
		{"a page", []string{"2", "results_read", "id", "1", "page", "2"}, protocol.StatusSuccess},
		{"a page that is missing", []string{"3", "results_read", "id", "1", "page", "99"}, protocol.StatusError},
		{"a result that is missing", []string{"4", "results_read", "id", "x"}, protocol.StatusError},
		{"a search without hits", []string{"5", "tools_search", "query", "xyzzy"}, protocol.StatusSuccess},
		{"wrong arguments", []string{"6", "results_read", "page", "x"}, protocol.StatusError},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := execute(t, s, tt.call[0], tt.call[1], tt.call[2:]...)
			require.Equal(t, tt.status, r.Status)
			for _, said := range []string{r.ToolResult.Result, r.Suggestion} {
				require.NotRegexp(t, englishSentences, said)
			}
			require.True(t, hasHan(strings.ReplaceAll(r.ToolResult.Result, line, "")), "the engine's text is Chinese")
			require.LessOrEqual(t, r.Tokens, executor.MinResultTokens)
		})
	}
}
