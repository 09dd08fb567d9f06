package main

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/internal/modelserver"
)

func TestAtTheIterationLimitTheModelAnswersWithoutTools(t *testing.T) {
	call := modelserver.Text(request(t, "calculator_evaluate", "expression", "1+1"))
	s := modelserver.Start(t, call, call, modelserver.Text("I give up: 2."))
	o := ask(t, s, invocation{args: []string{"--max-iterations", "2", "go"}})
	o.reported(t, cli.ExitOK, "the limit", "--max-iterations is 2")
	require.Equal(t, 2, strings.Count(o.stdout, "... ok"))
	require.True(t, strings.HasSuffix(o.stdout, "\nI give up: 2.\n"), o.stdout)
	sent := s.Requests()
	require.Len(t, sent, 3)
	require.NotContains(t, sent[2].System(), "calculator_evaluate")
	require.Contains(t, sent[2].Last(), "1+1 = 2", "no result is lost")
}

func TestAnEarlyEndIsExplained(t *testing.T) {
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
		{
			"calls",
			[]string{"--max-calls", "1"},
			[]modelserver.Reply{sum(1), modelserver.Text("2.")},
			cli.ExitOK,
			[]string{"--max-calls is 1"},
		},
		{
			"requests of a reply",
			[]string{"--max-requests", "1"},
			[]modelserver.Reply{
				modelserver.Text(request(t, "clock_now") + request(t, "clock_now")), modelserver.Text("Late."),
			},
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
			ask(t, s, invocation{args: append(tt.args, "go")}).reported(t, tt.status, tt.want...)
			require.Zero(t, s.Left())
		})
	}
}
