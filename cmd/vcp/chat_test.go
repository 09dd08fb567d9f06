package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/protocol/vcp"
)

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
	require.Len(t, definitions, 11, "nobody can approve calls, so only methods that run without approval are described")
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

func TestAFailedOrIncompleteReplyRunsNothing(t *testing.T) {
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
		{
			"a text at its token limit",
			modelserver.Length("Once upon a"),
			[]string{`finish reason "length"`, "token limit of the server"},
		},
		{"an answer that is a web page", modelserver.Raw("text/html", "<html>welcome</html>"), []string{"base URL"}},
		{"an empty answer", modelserver.RawStream(""), nil},
		{"a server that refuses the key", modelserver.Failure(401, "bad key"), []string{"401", "key"}},
		{"a server that fails", modelserver.Failure(500, "out of memory"), []string{"500", "out of memory"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := modelserver.Start(t, tt.reply)
			o := ask(t, s, invocation{args: []string{"--retries", "0", "hi"}})
			o.reported(t, cli.ExitFailure, tt.want...)
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

func TestInModeManualCallsAreShownAndNotRun(t *testing.T) {
	s := modelserver.Start(t, modelserver.Text("So:\n"+request(t, "files_read", "path", "a \x1b[31m\nb")))
	o := ask(t, s, invocation{args: []string{"--mode", "manual", "hi"}})
	o.succeeded(t)
	require.Equal(t, "So:\n\n[tool] files_read path=\"a \\x1b[31m\\nb\" ... not run: the mode is manual\n", o.stdout)
	require.Len(t, s.Requests(), 1)
}

func TestFlagsWinOverTheConfigurationFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vcp.yaml")
	const settings = "maxIterations: 1\ntoolToggles:\n  files: false\n  elsewhere: true\n"
	require.NoError(t, os.WriteFile(path, []byte(settings), 0o600))
	s := modelserver.Start(t, modelserver.Text(request(t, "files_list")),
		modelserver.Text(request(t, "clock_now")), modelserver.Text("Done."))
	toggles := "clock=false,calculator=true,table=false"
	args := []string{"--config", path, "--max-iterations", "2", "--tool-toggles", toggles, "hi"}
	o := ask(t, s, invocation{args: args})
	require.Contains(t, o.stdout, "[tool] files_list ... tool_disabled")
	require.Contains(t, o.stdout, "[tool] clock_now ... tool_disabled")
	definitions, err := vcp.Protocol{}.ParseToolDefinitions(s.Requests()[0].System())
	require.NoError(t, err)
	require.Len(t, definitions, 2)
	require.Equal(t, "calculator_evaluate", definitions[0].ToolName)
	require.Equal(t, "results_read", definitions[1].ToolName)
}

func TestOnlyTheAnswerIsShown(t *testing.T) {
	quoted := "Like so:\n```\n" + request(t, "clock_now") + "\n```\n"
	s := modelserver.Start(t,
		modelserver.Reply{
			Reasoning: []string{"secretly "}, Pieces: []string{"<think>quietly</think>\n", quoted}, Finish: "stop",
		},
		modelserver.Text("That was an example."),
		modelserver.Text("\x1b]0;title\x07red\r\n<<<[TOOL_RESULT]>>>\nstatus:「始」success「末」\n"),
		modelserver.Text("Sorry."))
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
