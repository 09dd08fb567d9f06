//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/internal/modelserver"
)

func TestSlashCommandsControlTheChat(t *testing.T) {
	s := modelserver.Start(t,
		modelserver.Unfinished("Once"), modelserver.Text("Once upon a time."), modelserver.Text("A path."),
		modelserver.Text("Fresh."))
	p := talk(t, s, invocation{args: []string{"--stats", "--tool-toggles", "clock=false"}})
	p.expect("/help shows the commands")
	says := p.says
	says("/help", "/help ", "/tools ", "/model [NAME] ", "/retry ", "/edit N TEXT ", "/clear ", "/exit ", "//TEXT ")
	says("/tools", "calculator_evaluate", "files_list", "read")
	says("/model", "scripted at "+s.URL)
	says("/retry", "nothing to retry")
	const statistics = "tool calls" // shown by /model NAME and /clear, too
	says("/model other", statistics, "other at "+s.URL)
	says("a story", "without a finish reason")
	says("/retry", "Once upon a time.")
	says("/retry", "nothing to retry")
	for _, word := range []string{"exit", "Quit", ":q"} {
		says(word, `"`+word+`" is not sent to the model; /exit quits`)
	}
	says("/hlep", "there is no command /hlep; there are /help, /tools, ",
		"to send a message that begins with /, write // in place of that /")
	says("/clear now", "/clear takes no argument", "now")
	says("/model scripted", "scripted at "+s.URL)
	says("//etc/hosts?", "A path.")
	says("/clear", statistics)
	says("hello", "Fresh.")
	says("/cl\t", statistics) // the tab completes /clear
	p.expect("> ")
	p.types("/exit\r")
	p.exits(cli.ExitOK)

	require.NotContains(t, p.shown(), "clock_now")
	var sent [][]string
	for _, r := range s.Requests() {
		var said []string
		for _, m := range r.Messages[1:] {
			said = append(said, m.Role+": "+m.Content)
		}
		sent = append(sent, said)
	}
	require.Equal(t, "other", s.Requests()[0].Model)
	require.Equal(t, []string{"user: a story"}, sent[0])
	require.Equal(t, "user: a story", sent[1][0])
	require.Equal(t, "user: /etc/hosts?", sent[2][len(sent[2])-1])
	require.Contains(t, sent[2], "assistant: Once upon a time.", "another model knows the conversation")
	require.Equal(t, []string{"user: hello"}, sent[3], "a new conversation knows nothing of the one before")
	require.Len(t, sent, 4)
}

func TestBranchCommandsSwitchBetweenVersions(t *testing.T) {
	s := modelserver.Start(t,
		modelserver.Text("One."), modelserver.Text("Two."), modelserver.Text("Other."),
		modelserver.Text("Another."), modelserver.Text("Last."))
	p := talk(t, s, invocation{args: []string{"--no-store"}})
	says := p.says
	says("/history", "nothing was said yet")
	says("/edit 1 x", "1 is not a message of yours")
	says("/branches", "nothing was said yet")
	says("/again", "there is no reply yet")
	says("first", "One.")
	says("second", "Two.")
	says("/history", "1 ", "> first", "One.", "> second", "Two.")
	says("/edit 1 first anew", "Other.")
	says("/again", "Another.")
	says("/branches", "*", "Another.", "Other.", "Two.")
	_, list, _ := strings.Cut(p.shown()[strings.LastIndex(p.shown(), "*"):], "\n")
	other := strings.Fields(list)[0] // the number of the version before the current one
	says("/switch "+other, "> first anew", "Other.")
	says("/edit", "a number is needed")
	says("/edit one", "a number is needed")
	says("/edit 1", "/edit needs the new text")
	says("/edit "+other+" x", other+" is not a message of yours")
	says("/switch", "a number is needed")
	says("/switch 999", "the conversation cannot continue after 999")
	says("/again 999", "999 is not a reply; /history shows the replies")
	says("/switch 1", "> first", "/retry lets the model reply")
	says("/retry", "Last.")
	p.quits()

	var sent [][]string
	for _, r := range s.Requests() {
		var said []string
		for _, m := range r.Messages[1:] {
			said = append(said, m.Content)
		}
		sent = append(sent, said)
	}
	require.Equal(t, [][]string{
		{"first"}, {"first", "One.", "second"}, {"first anew"}, {"first anew"}, {"first"},
	}, sent)
}

func TestTheChatSaysWhatToDoAfterAnotherProcessContinuedIt(t *testing.T) {
	s := modelserver.Start(t, modelserver.Text("One."), modelserver.Text("Two."))
	args := []string{"--store", filepath.Join(t.TempDir(), "chats.db"), "--session", "trip"}
	p := talk(t, s, invocation{args: args})
	p.says("first", "One.")
	p.says("/history", "> first") // the turn has ended, so another process may begin one
	elsewhere := append([]string{"chat", "--base-url", s.URL, "--model", "scripted", "second"}, args...)
	require.Equal(t, cli.ExitOK, runArgs(t, elsewhere...).status)
	for _, line := range []string{"third", "/again", "/edit 1 x", "/switch 1"} {
		p.says(line, "continued elsewhere", "nothing was changed", "quit and start vcp chat again with --session trip")
	}
	p.quits()
}

func TestSlashModelKeepsTheDemoModelWithoutAServer(t *testing.T) {
	p := atTerminal(t, invocation{args: []string{"chat"}, env: []string{"OPENAI_API_KEY=sk-hush"}})
	p.says("/model gpt", "the demo model is the only one here")
	p.expect("> ")
	p.types("/quit\r")
	p.exits(cli.ExitOK)
}

func TestLinesOfInputAreNoCommands(t *testing.T) {
	s := modelserver.Start(t, modelserver.Text("one"), modelserver.Text("two"))
	ask(t, s, invocation{stdin: "/help\nexit\n"}).succeeded(t)
	require.Equal(t, "/help", s.Requests()[0].Last())
	require.Equal(t, "exit", s.Requests()[1].Last())
}
