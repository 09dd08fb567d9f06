package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/internal/modelserver"
)

func TestAModelWithoutAServerIsNamedWithItsVariable(t *testing.T) {
	o := invocation{args: []string{"chat", "hi"}, env: []string{"OPENAI_MODEL=abc"}}.run(t)
	o.reported(t, cli.ExitUsage, `OPENAI_MODEL is "abc"`, "--base-url")
	require.NotContains(t, o.stderr, "--model")
}

func TestRefusedAccessSaysWhatIsWrongWithTheKey(t *testing.T) {
	for _, tt := range []struct {
		name     string
		args     []string
		env      []string
		want     []string
		unwanted string
	}{
		{
			"no key",
			nil, nil,
			[]string{"no API key was sent", "set OPENAI_API_KEY", "--api-key-env"},
			"check the API key",
		},
		{"a key of blanks", nil, []string{"OPENAI_API_KEY= "}, []string{"set OPENAI_API_KEY"}, "check the API key"},
		{"a key", nil, []string{"OPENAI_API_KEY=sk-hush"}, []string{"check the API key"}, "was sent"},
		{
			"a key in another variable",
			[]string{"--api-key-env", "MY_KEY"},
			[]string{"MY_KEY=sk-hush"},
			[]string{"check the API key"},
			"was sent",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := modelserver.Start(t, modelserver.Failure(401, "who are you"))
			o := ask(t, s, invocation{args: append(tt.args, "--model", "m", "hi"), env: tt.env})
			o.reported(t, cli.ExitFailure, append(tt.want, "who are you")...)
			require.NotContains(t, o.stderr, tt.unwanted)
			require.NotContains(t, o.stderr, "hush")
		})
	}
}

func TestTheErrorForATooLongConversationNamesAFlag(t *testing.T) {
	for _, message := range []string{
		"This model's maximum context length is 4096 tokens", "the request exceeds the available context size", "context_length_exceeded",
	} {
		o := ask(t, modelserver.Start(t, modelserver.Failure(400, message)), invocation{args: []string{"--model", "m", "hi"}})
		o.reported(t, cli.ExitFailure, message, "--history-tokens")
	}
}

func TestAKeyAloneSelectsNoServer(t *testing.T) {
	o := invocation{args: []string{"chat", "What is 2*3?"}, env: []string{"OPENAI_API_KEY=sk-hush"}}.run(t)
	o.reported(t, cli.ExitOK, "demo model")
	require.Contains(t, o.stdout, "6")
}

func TestAPresetDecidesHowTheModelIsAsked(t *testing.T) {
	t.Run("the model's name chooses a preset", func(t *testing.T) {
		s := modelserver.Start(t, modelserver.Text("hi"))
		ask(t, s, invocation{args: []string{"--model", "gemma3:4b", "hi"}}).succeeded(t)
		require.Empty(t, s.Requests()[0].System(), "Gemma takes no system message")
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
	t.Run("list shows the presets", func(t *testing.T) {
		o := invocation{args: []string{"chat", "--preset", "list"}}.run(t)
		o.succeeded(t)
		require.Regexp(t, `(?m)^magistral +Mistral's reasoning models +magistral\*$`, o.stdout)
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

func TestTheEnvironmentNamesServerModelAndKey(t *testing.T) {
	s := modelserver.Start(t, modelserver.Text("hello"), modelserver.Text("hello"), modelserver.Text("hello"))
	env := []string{"OPENAI_BASE_URL=" + s.URL, "OPENAI_MODEL=from-env", "OPENAI_API_KEY=sk-1", "OTHER=sk-2"}
	invocation{args: []string{"chat", "hi"}, env: env}.run(t).succeeded(t)
	args := []string{"chat", "--model", "from-flag", "--api-key-env", "OTHER", "hi"}
	invocation{args: args, env: env}.run(t).succeeded(t)
	invocation{args: []string{"chat", "--api-key-env", "", "hi"}, env: env}.run(t).succeeded(t)
	sent := s.Requests()
	require.Equal(t, "from-env", sent[0].Model)
	require.Equal(t, "Bearer sk-1", sent[0].Header.Get("Authorization"))
	require.Equal(t, "from-flag", sent[1].Model)
	require.Equal(t, "Bearer sk-2", sent[1].Header.Get("Authorization"))
	require.Empty(t, sent[2].Header.Get("Authorization"))
}
