package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/modelserver"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// kindsOf reads lines of events. It returns their kinds and the last event. A kind that occurs
// several times in a row counts once.
func kindsOf(t *testing.T, stdout string) (kinds []string, last map[string]any) {
	t.Helper()
	for line := range strings.Lines(stdout) {
		last = map[string]any{}
		require.NoError(t, json.Unmarshal([]byte(line), &last), line)
		kind, ok := last["kind"].(string)
		require.True(t, ok, line)
		if len(kinds) == 0 || kinds[len(kinds)-1] != kind {
			kinds = append(kinds, kind)
		}
	}
	return kinds, last
}

func TestChatPrintsEventsAsJSON(t *testing.T) {
	call := modelserver.Text("Wait. " + request(t, "calculator_evaluate", "expression", "6*7"))
	s := modelserver.Start(t, call, modelserver.Text("It is 42."))
	o := ask(t, s, invocation{args: []string{"--json", "how much?"}})
	require.Equal(t, cli.ExitOK, o.status, o.stderr)
	kinds, last := kindsOf(t, o.stdout)
	require.Equal(t, []string{
		"text", "request_started", "argument_delta", "request_done", "tool_started", "tool_done", "iteration_done",
		"text", "iteration_done", "run_done",
	}, kinds)
	require.Equal(t, "done", last["stop"])
	require.Contains(t, o.stdout, `"result":"6*7 = 42"`)
}

func TestChatAsJSONShowsHowItFailed(t *testing.T) {
	o := ask(t, modelserver.Start(t, modelserver.Unfinished("tw")), invocation{args: []string{"--json", "hi"}})
	require.Equal(t, cli.ExitFailure, o.status)
	_, last := kindsOf(t, o.stdout)
	require.Equal(t, []any{"run_done", "incomplete"}, []any{last["kind"], last["stop"]})
	require.Contains(t, o.stderr, "finish reason")

	// The server has no reply to the second message.
	o = ask(t, modelserver.Start(t, modelserver.Text("One.")), invocation{args: []string{"--json"}, stdin: "a\nb\n"})
	require.Equal(t, cli.ExitFailure, o.status)
	_, last = kindsOf(t, o.stdout)
	require.Equal(t, "model_error", last["stop"])
	require.NotEmpty(t, last["error"])
}
