package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/internal/modelserver"
)

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
	o.reported(t, cli.ExitFailure, "without a finish reason")
	require.Equal(t, "one\n\ntw\n", o.stdout)
	require.Equal(t, 1, s.Left())
}

func TestEmptyInputBeginsNoConversation(t *testing.T) {
	s := modelserver.Start(t)
	ask(t, s, invocation{}).succeeded(t)
	require.Empty(t, s.Requests())
}
