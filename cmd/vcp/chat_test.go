package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/vcp"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// readmeQuestion and readmeReply are the inputs of the README's two commands.
const (
	readmeQuestion = "What is 17*23, and which files are in scripts/?"
	readmeReply    = "Let me look.\n" +
		"<<<[TOOL_REQUEST]>>>tool_name:「始」files_list「末」,path:「始」docs「末」<<<[END_TOOL_REQUEST]>>>"

	demoQuestion = "What is 17*23, and which Go files are in protocol/?"
)

func TestTheDemoModelAnswersFromRealTools(t *testing.T) {
	o := runArgs(t, "chat", demoQuestion)
	require.Equal(t, cli.ExitOK, o.status, o.stderr)
	o.failed(t, cli.ExitOK, "no model server is named", "rule-based planner", "--base-url")
	at := strings.LastIndex(o.stdout, "[tool] ")
	require.NotEqual(t, -1, at, o.stdout)
	_, answer, _ := strings.Cut(o.stdout[at:], "\n")
	require.Contains(t, answer, "391")
	entries, err := os.ReadDir(filepath.Join(repository, "protocol"))
	require.NoError(t, err)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".go") {
			require.Contains(t, answer, e.Name())
		}
	}
	require.Regexp(t, `(?m)^\[tool\] calculator_evaluate expression="17\*23" \.\.\. ok, [0-9.]+(µs|ms|s): .*391`, o.stdout)
	require.Regexp(t, `(?m)^\[tool\] files_list path="protocol" .*\.\.\. ok, `, o.stdout)
	require.NotContains(t, o.stdout, "<<<[", "people do not see the blocks")
	require.NotContains(t, o.stdout, "\x1b", "no color without a terminal")
}

func TestTheDemoModelRefusesNativeCalls(t *testing.T) {
	o := runArgs(t, "chat", "--calls", "native", "What is 2*3?")
	require.Equal(t, cli.ExitFailure, o.status)
	require.Contains(t, o.stderr, "takes no native tools")
	o = runArgs(t, "chat", "--calls", "auto", "What is 2*3?")
	o.failed(t, cli.ExitOK, "demo model")
	require.Contains(t, o.stdout, "6")
}

// With another protocol the same tools run, and the answer is the same. The prompt, the requests
// and the results have the form of that protocol.
func TestTheDemoModelAnswersInTheHermesForm(t *testing.T) {
	prompt := runArgs(t, "prompt", "--protocol", "hermes")
	prompt.succeeded(t)
	inHermes, err := hermes.Protocol{}.ParseToolDefinitions(prompt.stdout)
	require.NoError(t, err)
	inVCP, err := vcp.Protocol{}.ParseToolDefinitions(runArgs(t, "prompt").stdout)
	require.NoError(t, err)
	require.NotEmpty(t, inHermes)
	require.Len(t, inHermes, len(inVCP), "each protocol describes the same tools")
	require.NotContains(t, prompt.stdout, "TOOL_REQUEST")

	o := runArgs(t, "chat", "--protocol", "hermes", demoQuestion)
	o.failed(t, cli.ExitOK, "rule-based planner")
	require.Regexp(t, `(?m)^\[tool\] calculator_evaluate expression="17\*23" \.\.\. ok, [0-9.]+(µs|ms|s): .*391`, o.stdout)
	require.Regexp(t, `(?m)^\[tool\] files_list path="protocol" .*recursive=false \.\.\. ok, `, o.stdout)
	at := strings.LastIndex(o.stdout, "[tool] ")
	require.Contains(t, o.stdout[at:], "message.go")
	require.NotContains(t, o.stdout, "tool_call", "people do not see the blocks")
}

func TestResultsGoBackInTheHermesForm(t *testing.T) {
	call := "<tool_call>\n{\"name\": \"calculator_evaluate\", \"arguments\": {\"expression\": \"6*7\"}}\n</tool_call>"
	s := modelserver.Start(t, modelserver.Text("Let me see.\n"+call), modelserver.Text("It is **42**."))
	o := ask(t, s, invocation{args: []string{"--model", "scripted", "--protocol", "hermes", "How much?"}})
	o.succeeded(t)
	require.Contains(t, o.stdout, "It is **42**.")
	sent := s.Requests()
	require.Len(t, sent, 2)
	require.Contains(t, sent[0].System(), "<tools>\n{")
	require.Contains(t, sent[1].Messages[len(sent[1].Messages)-2].Content, call, "the model sees its own call")
	results, err := hermes.Protocol{}.ParseToolResults(sent[1].Last())
	require.NoError(t, err)
	require.Len(t, results, 1)
	require.Equal(t, "calculator_evaluate", results[0].ToolName)
	require.Contains(t, results[0].Result, "42")
}

func TestTheDemoModelAnswersInTheQwenCoderForm(t *testing.T) {
	o := runArgs(t, "chat", "--protocol", "qwencoder", demoQuestion)
	o.failed(t, cli.ExitOK, "rule-based planner")
	require.Regexp(t, `(?m)^\[tool\] calculator_evaluate expression="17\*23" \.\.\. ok, [0-9.]+(µs|ms|s): .*391`, o.stdout)
	require.NotContains(t, o.stdout, "tool_call", "people do not see the blocks")
}

func TestProtocolAutoFollowsThePreset(t *testing.T) {
	preset := filepath.Join(t.TempDir(), "p.yaml")
	require.NoError(t, os.WriteFile(preset, []byte("protocol: hermes\n"), 0o600))
	for _, tt := range []struct {
		name, call string
		args       []string
	}{
		{
			"a preset chosen by the model's name",
			"<tool_call>\n<function=calculator_evaluate>\n<parameter=expression>\n6*7\n</parameter>\n</function>\n</tool_call>",
			[]string{"--model", "Qwen/Qwen3-Coder-30B-A3B-Instruct"},
		},
		{
			"a preset in a file",
			"<tool_call>\n{\"name\": \"calculator_evaluate\", \"arguments\": {\"expression\": \"6*7\"}}\n</tool_call>",
			[]string{"--model", "m", "--preset", preset},
		},
		{"a preset that names no protocol", request(t, "calculator_evaluate", "expression", "6*7"), []string{"--model", "m"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := modelserver.Start(t, modelserver.Text(tt.call), modelserver.Text("It is 42."))
			o := ask(t, s, invocation{args: append(tt.args, "--calls", "text", "--protocol", "auto", "How much?")})
			o.succeeded(t)
			require.Contains(t, o.stdout, "It is 42.")
			require.Contains(t, s.Requests()[1].Last(), "42")
		})
	}
	require.NoError(t, os.WriteFile(preset, []byte("protocol: herms\n"), 0o600))
	s := modelserver.Start(t, modelserver.Text("x"))
	o := ask(t, s, invocation{args: []string{"--model", "m", "--preset", preset, "--protocol", "auto", "hi"}})
	require.NotEqual(t, cli.ExitOK, o.status)
	require.Contains(t, o.stderr, `protocol is "herms"; allowed is vcp, hermes or qwencoder`)
}

func TestAModelWithoutAServerIsNamedWithItsVariable(t *testing.T) {
	o := invocation{args: []string{"chat", "hi"}, env: []string{"OPENAI_MODEL=abc"}}.run(t)
	o.failed(t, cli.ExitUsage, `OPENAI_MODEL is "abc"`, "--base-url")
	require.NotContains(t, o.stderr, "--model")
}

func TestRefusedAccessNamesTheVariableOfTheKey(t *testing.T) {
	for _, tt := range []struct {
		name     string
		args     []string
		env      []string
		want     []string
		unwanted string
	}{
		{"no key", nil, nil, []string{"no API key was sent", "set OPENAI_API_KEY", "--api-key-env"}, "check the API key"},
		{"a key of blanks", nil, []string{"OPENAI_API_KEY= "}, []string{"set OPENAI_API_KEY"}, "check the API key"},
		{"a key", nil, []string{"OPENAI_API_KEY=sk-hush"}, []string{"check the API key"}, "was sent"},
		{"a key of another name", []string{"--api-key-env", "MY_KEY"}, []string{"MY_KEY=sk-hush"}, []string{"check the API key"}, "was sent"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := modelserver.Start(t, modelserver.Failure(401, "who are you"))
			o := ask(t, s, invocation{args: append(tt.args, "--model", "m", "hi"), env: tt.env})
			o.failed(t, cli.ExitFailure, append(tt.want, "who are you")...)
			require.NotContains(t, o.stderr, tt.unwanted)
			require.NotContains(t, o.stderr, "hush")
		})
	}
}

func TestAKeyAloneSelectsNoServer(t *testing.T) {
	o := invocation{args: []string{"chat", "What is 2*3?"}, env: []string{"OPENAI_API_KEY=sk-hush"}}.run(t)
	o.failed(t, cli.ExitOK, "demo model")
	require.Contains(t, o.stdout, "6")
}

// ask runs vcp chat with a scripted server.
func ask(t *testing.T, s *modelserver.Server, i invocation) outcome {
	t.Helper()
	i.args = append([]string{"chat", "--base-url", s.URL}, i.args...)
	return i.run(t)
}

func TestResultsGoBackToTheModel(t *testing.T) {
	s := modelserver.Start(t,
		modelserver.Text("Let me see.\n\n"+
			request(t, "calculator_evaluate", "expression", "6*7")+"\n"+request(t, "files_read", "path", "nowhere")),
		modelserver.Text("It is **42**."))
	o := ask(t, s, invocation{args: []string{"--model", "scripted", "--system", "Be short.", "How much?"}})
	o.succeeded(t)
	require.Regexp(t, `^Let me see\.

\[tool\] calculator_evaluate expression="6\*7" \.\.\. ok, [^:]+: 6\*7 = 42
\[tool\] files_read path="nowhere" .*\.\.\. execution_failed, [^:]+: there is no "nowhere" .*

It is \*\*42\*\*\.
$`, o.stdout)

	sent := s.Requests()
	require.Len(t, sent, 2)
	require.True(t, sent[0].Stream)
	require.Equal(t, "scripted", sent[0].Model)
	require.True(t, strings.HasPrefix(sent[0].System(), "Be short."), sent[0].System())
	definitions, err := vcp.Protocol{}.ParseToolDefinitions(sent[0].System())
	require.NoError(t, err)
	require.Len(t, definitions, 11, "nobody can be asked, so only what may run is shown")
	require.Equal(t, "How much?", sent[0].Last())

	require.Len(t, sent[1].Messages, 4)
	require.Equal(t, "assistant", sent[1].Messages[2].Role)
	require.Equal(t, "user", sent[1].Messages[3].Role)
	results, err := vcp.Protocol{}.ParseToolResults(sent[1].Last())
	require.NoError(t, err)
	require.Len(t, results, 2)
	require.Contains(t, results[0].Result, "42")
	require.Equal(t, "execution_failed", results[1].ErrorType)
}

func TestIncompleteReplyRunsNothing(t *testing.T) {
	text := "Let me see.\n" + request(t, "calculator_evaluate", "expression", "6*7")
	whole := modelserver.Text(text)
	tests := []struct {
		name  string
		reply modelserver.Reply
		want  []string
	}{
		{
			"a reply that ends without a finish reason",
			modelserver.Unfinished(text),
			[]string{"without a finish reason", "was not run", "ask again"},
		},
		{"a connection that breaks", whole.BrokenAfter(len(whole.Body(true)) * 3 / 4), []string{"broke off"}},
		{"a text at its token limit", modelserver.Length("Once upon a"), []string{`finish reason "length"`}},
		{"an answer that is a web page", modelserver.Raw("text/html", "<html>welcome</html>"), []string{"base URL"}},
		{"an empty answer", modelserver.RawStream(""), nil},
		{"a server that refuses the key", modelserver.Failure(401, "bad key"), []string{"401", "key"}},
		{"a server that fails", modelserver.Failure(500, "out of memory"), []string{"500", "out of memory"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := modelserver.Start(t, tt.reply)
			o := ask(t, s, invocation{args: []string{"--retries", "0", "hi"}})
			o.failed(t, cli.ExitFailure, tt.want...)
			require.NotContains(t, o.stdout, "[tool]")
			require.Len(t, s.Requests(), 1)
		})
	}
	t.Run("a request that the model does not complete when asked to continue", func(t *testing.T) {
		truncated := modelserver.Length(text[:len(text)-30])
		s := modelserver.Start(t, truncated, modelserver.Text("\nThat was all."), modelserver.Text("Never mind."))
		o := ask(t, s, invocation{args: []string{"hi"}})
		o.succeeded(t)
		require.Contains(t, o.stdout, "malformed_request")
		require.NotContains(t, o.stdout, "ok,")
	})
}

func TestAPresetDecidesHowTheModelIsAsked(t *testing.T) {
	t.Run("the model's name chooses a preset", func(t *testing.T) {
		s := modelserver.Start(t, modelserver.Text("hi"))
		ask(t, s, invocation{args: []string{"--model", "gemma3:4b", "hi"}}).succeeded(t)
		require.Empty(t, s.Requests()[0].System())
		require.Contains(t, s.Requests()[0].Last(), "clock_now")
	})
	t.Run("--language wins over the preset", func(t *testing.T) {
		s := modelserver.Start(t, modelserver.Text("hi"), modelserver.Text("hi"))
		ask(t, s, invocation{args: []string{"--preset", "chinese", "hi"}}).succeeded(t)
		ask(t, s, invocation{args: []string{"--preset", "chinese", "--language", "en", "hi"}}).succeeded(t)
		require.Contains(t, s.Requests()[0].System(), "工具")
		require.NotContains(t, s.Requests()[1].System(), "工具")
	})
	t.Run("a preset from a file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "mine.yaml")
		require.NoError(t, os.WriteFile(path, []byte("stop: false\nquoted: run\n"), 0o600))
		fenced := "```\n" + request(t, "calculator_evaluate", "expression", "6*7") + "\n```"
		s := modelserver.Start(t, modelserver.Text(fenced), modelserver.Text("42"))
		o := ask(t, s, invocation{args: []string{"--preset", path, "hi"}})
		o.succeeded(t)
		require.Contains(t, o.stdout, "42")
		require.Contains(t, o.stdout, "calculator_evaluate")
		require.Empty(t, s.Requests()[0].Stop)
	})
	t.Run("list shows all presets", func(t *testing.T) {
		o := invocation{args: []string{"chat", "--preset", "list"}}.run(t)
		o.succeeded(t)
		require.Regexp(t, `(?m)^magistral +Mistral's reasoning models +magistral\*$`, o.stdout)
	})
}

func TestToolsMayBeCalledNatively(t *testing.T) {
	call := modelserver.Calls(modelserver.ToolCall{ID: "a", Name: "calculator_evaluate", Arguments: `{"expression":"6*7"}`})
	t.Run("--calls native offers the tools to the server", func(t *testing.T) {
		s := modelserver.Start(t, call, modelserver.Text("42."))
		o := ask(t, s, invocation{args: []string{"--calls", "native", "hi"}})
		o.succeeded(t)
		require.Regexp(t, `(?m)^\[tool\] calculator_evaluate expression="6\*7" \.\.\. ok, .*42`, o.stdout)
		require.Empty(t, s.Requests()[0].System(), "tools are not described in text")
		back := s.Requests()[1].Messages
		require.Equal(t, "tool", back[len(back)-1].Role)
		require.Equal(t, "a", back[len(back)-1].ToolCallID)
	})
	t.Run("--calls auto offers them once to a server that refuses them", func(t *testing.T) {
		s := modelserver.Start(t, modelserver.Failure(400, "does not support tools"),
			modelserver.Text(request(t, "calculator_evaluate", "expression", "6*7")), modelserver.Text("42."), modelserver.Text("Bye."))
		o := ask(t, s, invocation{args: []string{"--calls", "auto"}, stdin: "hi\nbye\n"})
		o.succeeded(t)
		require.Contains(t, o.stdout, "[tool] calculator_evaluate")
		require.Len(t, s.Requests(), 4)
	})
}

func TestARequestThatFailsIsSentAgain(t *testing.T) {
	s := modelserver.Start(t, modelserver.Failure(500, "starting"), modelserver.Text("Here."))
	o := ask(t, s, invocation{args: []string{"hi"}})
	require.Equal(t, cli.ExitOK, o.status)
	require.Contains(t, o.stdout, "Here.")
	require.Contains(t, o.stderr, "trying again")
	require.Contains(t, o.stderr, "starting")
	require.Len(t, s.Requests(), 2)
}

func TestAtTheIterationLimitTheModelAnswersWithoutTools(t *testing.T) {
	call := modelserver.Text(request(t, "calculator_evaluate", "expression", "1+1"))
	s := modelserver.Start(t, call, call, modelserver.Text("I give up: 2."))
	o := ask(t, s, invocation{args: []string{"--max-iterations", "2", "go"}})
	o.failed(t, cli.ExitOK, "the limit", "--max-iterations is 2")
	require.Equal(t, 2, strings.Count(o.stdout, "... ok"))
	require.True(t, strings.HasSuffix(o.stdout, "\nI give up: 2.\n"), o.stdout)
	sent := s.Requests()
	require.Len(t, sent, 3)
	require.NotContains(t, sent[2].System(), "calculator_evaluate")
	require.Contains(t, sent[2].Last(), "1+1 = 2", "no result is lost")
}

func TestALimitIsNamedWithTheFlagThatSetsIt(t *testing.T) {
	sum := func(n int) modelserver.Reply {
		return modelserver.Text(request(t, "calculator_evaluate", "expression", strconv.Itoa(n)+"+1"))
	}
	expensive := sum(1)
	expensive.Usage = &modelserver.Usage{PromptTokens: 5000}
	mistake := modelserver.Text(request(t, "calculator_guess"))
	for _, tt := range []struct {
		name    string
		args    []string
		replies []modelserver.Reply
		status  int
		want    []string
	}{
		{"calls", []string{"--max-calls", "1"}, []modelserver.Reply{sum(1), modelserver.Text("2.")}, cli.ExitOK, []string{"--max-calls is 1"}},
		{
			"requests of a reply",
			[]string{"--max-requests", "1"},
			[]modelserver.Reply{modelserver.Text(request(t, "clock_now") + request(t, "clock_now")), modelserver.Text("Late.")},
			cli.ExitOK,
			[]string{"--max-requests is 1"},
		},
		{
			"bytes of a reply",
			[]string{"--max-reply-bytes", "1000"},
			[]modelserver.Reply{modelserver.Text(request(t, "clock_now") + strings.Repeat("x", 1000))},
			cli.ExitFailure,
			[]string{"--max-reply-bytes is 1000", "the tool call in it was not run"},
		},
		{
			"tokens",
			[]string{"--max-tokens", "2000"},
			[]modelserver.Reply{expensive},
			cli.ExitFailure,
			[]string{"--max-tokens is 2000", "what was done is kept"},
		},
		{
			"time",
			[]string{"--max-time", "300ms"},
			[]modelserver.Reply{modelserver.Stalled("Hm")},
			cli.ExitFailure,
			[]string{"--max-time is 300ms"},
		},
		{
			"repeated calls", nil,
			[]modelserver.Reply{sum(1), sum(1), sum(1), modelserver.Text("2.")},
			cli.ExitOK,
			[]string{"the same tool calls three times"},
		},
		{
			"mistakes", nil,
			[]modelserver.Reply{mistake, mistake, mistake, modelserver.Text("I cannot.")},
			cli.ExitOK,
			[]string{"could be run, several times in a row"},
		},
		{
			"no answer at the end", nil,
			[]modelserver.Reply{mistake, mistake, mistake, mistake, mistake},
			cli.ExitFailure,
			[]string{"could be run, several times in a row", "gave no answer"},
		},
		{
			"no answer at all", nil,
			[]modelserver.Reply{modelserver.Text("<think>Done.</think>\n"), modelserver.Text("")},
			cli.ExitFailure,
			[]string{"without an answer"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := modelserver.Start(t, tt.replies...)
			ask(t, s, invocation{args: append(tt.args, "go")}).failed(t, tt.status, tt.want...)
			require.Zero(t, s.Remaining())
		})
	}
}

func TestTheEnvironmentNamesServerModelAndKey(t *testing.T) {
	s := modelserver.Start(t, modelserver.Text("hello"), modelserver.Text("hello"), modelserver.Text("hello"))
	env := []string{"OPENAI_BASE_URL=" + s.URL, "OPENAI_MODEL=from-env", "OPENAI_API_KEY=sk-1", "OTHER=sk-2"}
	invocation{args: []string{"chat", "hi"}, env: env}.run(t).succeeded(t)
	invocation{args: []string{"chat", "--model", "from-flag", "--api-key-env", "OTHER", "hi"}, env: env}.run(t).succeeded(t)
	invocation{args: []string{"chat", "--api-key-env", "", "hi"}, env: env}.run(t).succeeded(t)
	sent := s.Requests()
	require.Equal(t, "from-env", sent[0].Model)
	require.Equal(t, "Bearer sk-1", sent[0].Header.Get("Authorization"))
	require.Equal(t, "from-flag", sent[1].Model)
	require.Equal(t, "Bearer sk-2", sent[1].Header.Get("Authorization"))
	require.Empty(t, sent[2].Header.Get("Authorization"))
}

func TestLinesOfInputAreOneConversation(t *testing.T) {
	s := modelserver.Start(t, modelserver.Text("one"), modelserver.Text("two"))
	o := ask(t, s, invocation{stdin: "first\n\n  second  "})
	o.succeeded(t)
	require.Equal(t, "one\n\ntwo\n", o.stdout)
	sent := s.Requests()
	require.Len(t, sent, 2)
	var said []string
	for _, m := range sent[1].Messages[1:] {
		said = append(said, m.Role+": "+m.Content)
	}
	require.Equal(t, []string{"user: first", "assistant: one", "user: second"}, said)
}

func TestLinesOfInputEndWithTheFirstFailure(t *testing.T) {
	s := modelserver.Start(t, modelserver.Text("one"), modelserver.Unfinished("tw"), modelserver.Text("three"))
	o := ask(t, s, invocation{stdin: "first\nsecond\nthird\n"})
	o.failed(t, cli.ExitFailure, "without a finish reason")
	require.Equal(t, "one\n\ntw\n", o.stdout)
	require.Equal(t, 1, s.Remaining())
}

func TestEmptyInputBeginsNoConversation(t *testing.T) {
	s := modelserver.Start(t)
	ask(t, s, invocation{}).succeeded(t)
	require.Empty(t, s.Requests())
}

func TestChatThatNeedsApprovalDoesNotBeginWithoutATerminal(t *testing.T) {
	for _, flag := range []string{"--require-confirmation", "--approve=ask"} {
		s := modelserver.Start(t)
		o := ask(t, s, invocation{args: []string{flag, "hi"}, stdin: "y\ny\n"})
		o.failed(t, cli.ExitUsage, "calculator_evaluate", "not a terminal", "--approve")
		require.Empty(t, o.stdout)
		require.Empty(t, s.Requests())
	}
}

func TestChatThatNeedsNoApprovalNeedsNoTerminal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vcp.yaml")
	require.NoError(t, os.WriteFile(path, []byte("requireConfirmation: true\napproveRules:\n- {tool: clock, decision: deny}\n"), 0o600))
	for _, tt := range []struct {
		name     string
		args     []string
		outcomes []string // of the call of the calculator, then of that of the clock
	}{
		{"all runs methods that only read", []string{"--approve", "all"}, []string{"success", "success"}},
		{"read runs methods that only read", []string{"--approve", "read"}, []string{"success", "success"}},
		{"the default runs methods that only read", nil, []string{"success", "success"}},
		{"never runs nothing", []string{"--approve", "never"}, []string{"permission_denied", "permission_denied"}},
		{
			"a flag wins over the file, and a rule of the file over the flag",
			[]string{"--config", path, "--approve", "all"},
			[]string{"success", "permission_denied"},
		},
		{"in mode manual nothing runs anyway", []string{"--approve", "ask", "--mode", "manual"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := modelserver.Start(t, modelserver.Text(request(t, "calculator_evaluate", "expression", "1+1")),
				modelserver.Text(request(t, "clock_now")), modelserver.Text("So."))
			ask(t, s, invocation{args: append(tt.args, "hi")}).succeeded(t)
			sent := s.Requests()
			require.Len(t, sent, 1+len(tt.outcomes))
			for i, outcome := range tt.outcomes {
				require.Contains(t, sent[i+1].Last(), outcome)
			}
		})
	}
}

func TestRuleThatRestrictsNothingIsReported(t *testing.T) {
	for _, tt := range []struct{ name, rule, want string }{
		{
			"a tool that does not exist", "{tool: cloc, decision: deny}",
			"vcp: approveRules[0] (tool: cloc, decision: deny) matches no method here, so it restricts nothing; did you mean tool: clock?\n",
		},
		{
			"a method that does not exist", "{method: clock_new, risk: read, decision: ask}",
			"vcp: approveRules[0] (method: clock_new, risk: read, decision: ask) matches no method",
		},
		{
			"a misspelled method", "{method: calculater_evaluate, decision: deny}",
			"restricts nothing; did you mean method: calculator_evaluate?\n",
		},
		{
			"a name without a similar one", "{tool: spreadsheet, decision: deny}",
			"vcp: approveRules[0] (tool: spreadsheet, decision: deny) matches no method here, so it restricts nothing\n",
		},
		{"a method of another tool", "{tool: files, method: clock_now, decision: deny}", "matches no method"},
		{"a tool that exists", "{tool: clock, decision: deny}", ""},
		{"the method that reads long results", "{method: results_read, decision: deny}", ""},
		{"a risk that no method has yet", "{risk: dangerous, decision: deny}", ""},
		{"a rule that only allows", "{tool: cloc, decision: allow}", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "vcp.yaml")
			require.NoError(t, os.WriteFile(path, []byte("approveRules:\n- "+tt.rule+"\n"), 0o600))
			o := ask(t, modelserver.Start(t, modelserver.Text("Hello.")), invocation{args: []string{"--config", path, "hi"}})
			require.Equal(t, cli.ExitOK, o.status, o.stderr)
			require.Contains(t, o.stderr, tt.want)
			require.Equal(t, tt.want == "", o.stderr == "", o.stderr)
		})
	}
}

func TestRuleThatNeedsATerminalIsNamed(t *testing.T) {
	for _, tt := range []struct {
		name, rules string
		args, want  []string
	}{
		{
			"a rule of the method wins over --approve", "[{method: files_read, decision: ask}]",
			[]string{"chat", "--approve", "all", "hi"},
			[]string{
				"files_read", "approveRules[0] (method: files_read, decision: ask)", "rules.yaml",
				"rules win over --approve", "take this one out",
			},
		},
		{
			"the narrowest rule is named",
			"[{tool: files, decision: allow}, {tool: clock, decision: allow}, {tool: files, risk: read, decision: ask}]",
			[]string{"chat", "hi"},
			[]string{"approveRules[2]"},
		},
		{
			"vcp call names the rule", "[{tool: clock, decision: ask}]",
			[]string{"call", "--approve", "all", "clock_now"},
			[]string{"clock_now", "approveRules[0]", "rules.yaml"},
		},
		{
			"a rule for another method is not named", "[{tool: files, decision: allow}]",
			[]string{"call", "--approve", "ask", "clock_now"},
			[]string{"clock_now", "say with --approve what may run"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "rules.yaml")
			require.NoError(t, os.WriteFile(path, []byte("approveRules: "+tt.rules+"\n"), 0o600))
			o := runArgs(t, append(tt.args, "--config", path)...)
			require.Equal(t, cli.ExitUsage, o.status)
			for _, part := range tt.want {
				require.Contains(t, o.stderr, part)
			}
		})
	}
}

func TestInModeManualCallsAreShownAndNotRun(t *testing.T) {
	s := modelserver.Start(t, modelserver.Text("So:\n"+request(t, "files_read", "path", "a \x1b[31m\nb")))
	o := ask(t, s, invocation{args: []string{"--mode", "manual", "hi"}})
	o.succeeded(t)
	require.Equal(t, "So:\n\n[tool] files_read path=\"a \\x1b[31m\\nb\" ... not run: the mode is manual\n", o.stdout)
	require.Len(t, s.Requests(), 1)
}

func TestFlagsWinOverTheConfigurationFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vcp.yaml")
	require.NoError(t, os.WriteFile(path, []byte("maxIterations: 1\ntoolToggles:\n  files: false\n  elsewhere: true\n"), 0o600))
	s := modelserver.Start(t, modelserver.Text(request(t, "files_list")), modelserver.Text(request(t, "clock_now")), modelserver.Text("Done."))
	toggles := "clock=false,calculator=true,table=false"
	o := ask(t, s, invocation{args: []string{"--config", path, "--max-iterations", "2", "--tool-toggles", toggles, "hi"}})
	require.Contains(t, o.stdout, "[tool] files_list ... tool_disabled")
	require.Contains(t, o.stdout, "[tool] clock_now ... tool_disabled")
	definitions, err := vcp.Protocol{}.ParseToolDefinitions(s.Requests()[0].System())
	require.NoError(t, err)
	require.Len(t, definitions, 2)
	require.Equal(t, "calculator_evaluate", definitions[0].ToolName)
	require.Equal(t, "results_read", definitions[1].ToolName)
}

func TestDisabledToolsAreNotShownToTheModel(t *testing.T) {
	s := modelserver.Start(t, modelserver.Text("Hello.\n"+request(t, "clock_now")))
	o := ask(t, s, invocation{args: []string{"--enabled=false", "hi"}})
	o.succeeded(t)
	require.Equal(t, "Hello.\n", o.stdout)
	require.Empty(t, s.Requests()[0].System())
}

func TestOnlyTheAnswerIsShown(t *testing.T) {
	quoted := "Like so:\n```\n" + request(t, "clock_now") + "\n```\n"
	s := modelserver.Start(t,
		modelserver.Reply{Reasoning: []string{"secretly "}, Pieces: []string{"<think>quietly</think>\n", quoted}, Finish: "stop"},
		modelserver.Text("That was an example."),
		modelserver.Text("\x1b]0;title\x07red\r\n<<<[TOOL_RESULT]>>>\nstatus:「始」success「末」\n"), modelserver.Text("Sorry."))
	o := ask(t, s, invocation{stdin: "a\nb\n"})
	o.succeeded(t)
	require.NotContains(t, o.stdout, "quietly", "reasoning is not part of the answer")
	require.NotContains(t, o.stdout, "secretly")
	require.Contains(t, o.stdout, "```\n<<<[TOOL_REQUEST]>>>", "what is quoted is text")
	require.Contains(t, o.stdout, "[note] ")
	require.Contains(t, o.stdout, "a tool result that the model fabricated")
	require.NotContains(t, o.stdout, "\x1b")
	require.Contains(t, o.stdout, "red\n")
}

func TestFileToolsWorkBelowTheRoot(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "here.txt"), nil, 0o600))
	s := modelserver.Start(t, modelserver.Text(request(t, "files_list")), modelserver.Text("Yes."))
	ask(t, s, invocation{args: []string{"--root", root, "hi"}}).succeeded(t)
	results, err := vcp.Protocol{}.ParseToolResults(s.Requests()[1].Last())
	require.NoError(t, err)
	require.Equal(t, "here.txt (0 bytes)", results[0].Result)
}

func TestPromptAndToolsListTheSameMethods(t *testing.T) {
	o := runArgs(t, "prompt")
	o.succeeded(t)
	definitions, err := vcp.Protocol{}.ParseToolDefinitions(o.stdout)
	require.NoError(t, err)
	listed := runArgs(t, "tools")
	listed.succeeded(t)
	asJSON := runArgs(t, "tools", "--json")
	asJSON.succeeded(t)
	for _, d := range definitions {
		require.Regexp(t, "(?m)^"+regexp.QuoteMeta(d.ToolName)+"$", listed.stdout)
		require.Contains(t, asJSON.stdout, `"toolName": "`+d.ToolName+`"`)
	}
	require.Len(t, definitions, 14)
	require.Equal(t, 11, strings.Count(listed.stdout, "\n  risk: read; a call runs by approve: read\n"))
	require.Equal(t, 3, strings.Count(listed.stdout, "\n  risk: write; a call asks for approval by approve: read\n"),
		"files_write, files_edit and fetch_get")
	require.Contains(t, listed.stdout, "\nshell_run\n  switched off by the default, until toolToggles has shell_run: true\n")
	require.Equal(t, len(definitions), strings.Count(asJSON.stdout, `"enabled": true`))
	zh := runArgs(t, "prompt", "--language", "zh", "--tool-toggles", "files=false")
	zh.succeeded(t)
	require.Regexp(t, `\p{Han}{4}`, zh.stdout)
	require.NotContains(t, zh.stdout, "files_list")

	for _, name := range []string{"results", "results_read"} {
		o := runArgs(t, "tools", "--tool-toggles", name+"=false")
		o.succeeded(t)
		require.Contains(t, o.stdout, "results_read\n  switched off by toolToggles: "+name+" is false\n",
			"the engine's own tool is switched off like any other")
		require.NotContains(t, o.stdout, "results_read\n  Reads")
	}
	for _, command := range []string{"prompt", "tools"} {
		o := runArgs(t, command, "--default-tool-enabled=false")
		o.failed(t, cli.ExitOK, "every method is switched off")
		require.Empty(t, o.stdout)
	}
	runArgs(t, "tools", "--enabled=false").failed(t, cli.ExitOK, "tool calling is switched off")
	require.NotContains(t, runArgs(t, "tools", "--enabled=false", "--json").stdout, `"enabled": true`)
}

func TestCallConvertsItsArguments(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("q", "17*23")
	write("a.go", "one\ntwo\nthree\n")
	write("@b", "at")
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"a text", []string{"calculator_evaluate", "expression=1+1"}, "1+1 = 2\n"},
		{"a value with an equals sign", []string{"files_search", "query=a=b"}, `"a=b" was not found`},
		{"a value from a file", []string{"calculator_evaluate", "expression=@q"}, "17*23 = 391\n"},
		{"a value that begins with @", []string{"files_read", "path=@@b"}, "at\n"},
		{"numbers and truth values as text", []string{"files_read", "path=a.go", "startLine=2", "endLine=2"}, "two"},
		{"a method by its command", []string{"files", "command=list", "glob=*.go"}, "a.go (14 bytes, 3 lines)\n"},
		{"flags between arguments", []string{"files_list", "glob=*.go", "--root", dir}, "a.go (14 bytes, 3 lines)\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := invocation{args: append([]string{"call"}, tt.args...), dir: dir}.run(t)
			o.succeeded(t)
			require.Contains(t, o.stdout, tt.want)
			require.True(t, strings.HasSuffix(o.stdout, "\n"))
		})
	}
}

func TestVersionIsOneLine(t *testing.T) {
	o := runArgs(t, "version")
	o.succeeded(t)
	require.Regexp(t, `^vcp \S+ \(go\S+ \w+/\w+.*\)\n$`, o.stdout)
	flag := runArgs(t, "--version")
	flag.succeeded(t)
	require.Equal(t, o.stdout, flag.stdout)
	runArgs(t, "-v").failed(t, cli.ExitUsage, "no flag -v")
}
