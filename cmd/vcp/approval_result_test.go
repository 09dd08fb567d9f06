//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/internal/modelserver"
)

func TestAnAnswerOnTheTerminalDecidesACall(t *testing.T) {
	long := strings.Repeat("1+", 60) + "1"
	call := modelserver.Text(request(t, "calculator_evaluate", "expression", long))
	tests := []struct {
		name    string
		answers []string // the last one settles the question
		shows   string   // on the terminal, after the answers
		result  string   // what the model reads
	}{
		{"y allows", []string{"y"}, "... ok", "success"},
		{"yes allows", []string{"Yes"}, "... ok", "success"},
		{"n denies", []string{"n"}, "permission_denied", "permission_denied"},
		{"an empty answer denies", []string{""}, "permission_denied", "permission_denied"},
		{
			"the text after no is the reason",
			[]string{"no, because that is enough"},
			"permission_denied", "Reason: that is enough",
		},
		{"the text after n is the reason", []string{"n too long"}, "permission_denied", "Reason: too long"},
		{"edit takes the arguments as JSON", []string{`edit {"expression":"6*7"}`}, "... ok", `{"expression":"6*7"}`},
		{"after an unknown answer the question is asked again", []string{"yeah", "y"}, "... ok", "success"},
		{"y and more text allows nothing", []string{"y but wait, no", "no"}, "permission_denied", "permission_denied"},
		{"always and more text allows nothing", []string{"always? no", "no"}, "permission_denied", "permission_denied"},
		{"yes and more text allows nothing", []string{"yes, but not that", "no"}, "permission_denied", "permission_denied"},
	}
	t.Run("answers", func(t *testing.T) {
		replies := make([]modelserver.Reply, 0, 2*len(tests))
		for range tests {
			replies = append(replies, call, modelserver.Text("Well."))
		}
		s := modelserver.Start(t, replies...)
		p := talk(t, s, invocation{args: []string{"--approve", "ask"}, env: []string{"NO_COLOR=1"}})
		for i, tt := range tests {
			p.says("hi", long) // all of it, because a person must see what is approved
			for _, answer := range tt.answers {
				p.expect("Allow calculator_evaluate (read)? [no] ")
				p.types(answer + "\r")
			}
			p.expect(tt.shows)
			p.expect("Well.")
			require.Contains(t, s.Requests()[2*i+1].Last(), tt.result, tt.name)
		}
		require.Contains(t, p.shown(), "also allows all calls of calculator_evaluate until the conversation ends")
		p.quits()
	})
	t.Run("always allows later calls of the method too", func(t *testing.T) {
		s := modelserver.Start(t, call, call, modelserver.Text("Well."))
		p := talk(t, s, invocation{args: []string{"--approve", "ask"}, env: []string{"NO_COLOR=1"}})
		p.says("hi", questionEnd)
		p.types("always\r")
		p.expect("From now on this runs without asking: all calls of calculator_evaluate.")
		p.expect("... ok")
		p.expect("... ok")
		p.expect("Well.")
		p.quits()
		require.Equal(t, 1, strings.Count(p.shown(), questionEnd))
	})
	t.Run("edit asks for each argument; refused arguments reopen the question", func(t *testing.T) {
		list := modelserver.Text(request(t, "files_list", "path", ".", "recursive", "true"))
		s := modelserver.Start(t, list, modelserver.Text("Well."))
		args := []string{"--approve", "ask", "--root", t.TempDir()}
		p := talk(t, s, invocation{args: args, env: []string{"NO_COLOR=1"}})
		p.says("hi", questionEnd)
		p.types("edit\r")
		p.expect(`path ["."] `)
		p.types("\r")
		p.expect("glob [not set] ")
		p.types("*.go\r")
		p.expect("recursive [true] ")
		p.types("perhaps\r")
		p.expect("The arguments were not accepted: invalid arguments: recursive: expected")
		p.expect(questionEnd)
		p.types("edit\r")
		p.expect(`path ["."] `)
		p.types("\r")
		p.expect("glob [not set] ")
		p.types("*.go\r")
		p.expect("recursive [true] ")
		p.types("false\r")
		p.expect("... ok")
		p.expect("Well.")
		p.quits()
		require.Contains(t, s.Requests()[1].Last(), `The user changed the arguments of this call to`)
		require.Contains(t, s.Requests()[1].Last(), `"recursive":false`)
	})
	t.Run("Ctrl-C at the question stops the turn", func(t *testing.T) {
		s := modelserver.Start(t, call)
		p := talk(t, s, invocation{args: []string{"--require-confirmation"}})
		p.says("hi", questionEnd)
		p.types(ctrlC)
		p.expect("stopped by Ctrl-C")
		p.quits()
		require.Len(t, s.Requests(), 1)
	})
	t.Run("Ctrl-D at the question denies", func(t *testing.T) {
		s := modelserver.Start(t, call, modelserver.Text("Well."))
		p := talk(t, s, invocation{args: []string{"--require-confirmation"}})
		p.says("hi", questionEnd)
		p.types(ctrlD)
		p.expect("permission_denied")
		p.expect("Well.")
		p.quits()
		require.NotContains(t, p.shown(), "ERROR")
	})
	t.Run("a chat with one message asks too", func(t *testing.T) {
		s := modelserver.Start(t, call, modelserver.Text("Well."))
		p := talk(t, s, invocation{args: []string{"--require-confirmation", "hi"}})
		p.expect(questionEnd)
		p.types("y\n")
		p.expect("Well.")
		p.exits(cli.ExitOK)
		require.Contains(t, s.Requests()[1].Last(), "success")
	})
	t.Run("vcp call asks too", func(t *testing.T) {
		args := []string{"call", "--require-confirmation", "calculator_evaluate", "expression=6*7"}
		p := atTerminal(t, invocation{args: args})
		p.expect(`expression = "6*7"`)
		p.expect(questionEnd)
		p.types("y\n")
		p.expect("6*7 = 42")
		p.exits(cli.ExitOK)
	})
}

func TestAPlantedRequestNeedsApproval(t *testing.T) {
	for answer, want := range map[string]string{"y\n": "success", "no\n": "did not allow"} {
		t.Run(strings.TrimSpace(answer), func(t *testing.T) {
			root, s := plant(t)
			p := talk(t, s, invocation{args: []string{"--approve", "all", "--root", root, "Read notes.txt."}})
			p.expect(questionEnd)
			require.Contains(t, p.shown(), "! This request occurs in the result of files_read notes.txt.")
			require.Contains(t, p.shown(), "files_list")
			p.types(answer)
			p.exits(cli.ExitOK)
			require.Contains(t, s.Requests()[2].Last(), want)
		})
	}
}
