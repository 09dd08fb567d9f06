package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/protocol/hermes"
)

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
		{
			"a preset that names no protocol",
			request(t, "calculator_evaluate", "expression", "6*7"),
			[]string{"--model", "m"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := modelserver.Start(t, modelserver.Text(tt.call), modelserver.Text("It is 42."))
			o := ask(t, s, invocation{args: append(tt.args, "--calls", "text", "--protocol", "auto", "How much?")})
			o.succeeded(t)
			require.Contains(t, o.stdout, "It is 42.")
			require.Contains(t, s.Requests()[1].Last(), "42")
		})
	}
}

func TestAPresetWithAnUnknownProtocolIsRefused(t *testing.T) {
	preset := filepath.Join(t.TempDir(), "p.yaml")
	require.NoError(t, os.WriteFile(preset, []byte("protocol: herms\n"), 0o600))
	s := modelserver.Start(t, modelserver.Text("x"))
	o := ask(t, s, invocation{args: []string{"--model", "m", "--preset", preset, "--protocol", "auto", "hi"}})
	require.NotEqual(t, cli.ExitOK, o.status)
	require.Contains(t, o.stderr, `protocol is "herms"; allowed is vcp, hermes or qwencoder`)
}

func TestToolsMayBeCalledNatively(t *testing.T) {
	call := modelserver.Calls(modelserver.ToolCall{
		ID: "a", Name: "calculator_evaluate", Arguments: `{"expression":"6*7"}`,
	})
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
			modelserver.Text(request(t, "calculator_evaluate", "expression", "6*7")),
			modelserver.Text("42."), modelserver.Text("Bye."))
		o := ask(t, s, invocation{args: []string{"--calls", "auto"}, stdin: "hi\nbye\n"})
		o.succeeded(t)
		require.Contains(t, o.stdout, "[tool] calculator_evaluate")
		require.Len(t, s.Requests(), 4, "the refused one, two for the first message, one for the second")
	})
}
