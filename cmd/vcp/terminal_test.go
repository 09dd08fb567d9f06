//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"golang.org/x/term"

	"github.com/vcpgo/vcp/internal/modelserver"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

const (
	ctrlC = "\x03"
	ctrlD = "\x04"
	up    = "\x1b[A"
)

// person types at a terminal on which the command runs, and sees its screen.
type person struct {
	t        *testing.T
	cmd      *exec.Cmd
	terminal *os.File // the person's side
	tty      *os.File // the command's side
	before   *term.State

	mu     sync.Mutex
	screen strings.Builder
	read   int           // the offset on the screen after the text that expect found last
	more   chan struct{} // contains one token if the screen has grown
	ended  chan struct{} // closed when the command has ended and its output was read
}

// atTerminal starts the command on a new terminal.
func atTerminal(t *testing.T, i invocation) *person {
	t.Helper()
	return startAtTerminal(t, i, nil)
}

// startAtTerminal starts the command on a new terminal. wire changes the command or the terminal
// before the start; it may be nil.
func startAtTerminal(t *testing.T, i invocation, wire func(cmd *exec.Cmd, tty *os.File)) *person {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	terminal, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo terminals here: ", err)
	}
	t.Cleanup(func() {
		_ = terminal.Close()
		_ = tty.Close()
	})
	require.NoError(t, pty.Setsize(terminal, &pty.Winsize{Rows: 40, Cols: 160}))
	p := &person{
		t: t, cmd: i.command(ctx, t), terminal: terminal, tty: tty,
		more: make(chan struct{}, 1), ended: make(chan struct{}),
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = tty, tty, tty
	// Ctrl-C must reach only the command.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if wire != nil {
		wire(p.cmd, tty)
	}
	p.before, err = term.GetState(int(tty.Fd()))
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	go p.watch()
	return p
}

func (p *person) watch() {
	defer close(p.ended)
	buffer := make([]byte, 4096)
	for {
		n, err := p.terminal.Read(buffer)
		p.mu.Lock()
		p.screen.Write(buffer[:n])
		p.mu.Unlock()
		select {
		case p.more <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// shown returns everything that was on the screen.
func (p *person) shown() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.screen.String()
}

// expect waits until text is shown, after the text that the last call of expect found.
func (p *person) expect(text string) {
	p.t.Helper()
	late := time.After(patience)
	for {
		shown := p.shown()
		if at := strings.Index(shown[p.read:], text); at >= 0 {
			p.read += at + len(text)
			return
		}
		select {
		case <-p.more:
		case <-p.ended:
			p.t.Fatalf("the command ended without showing %q; the screen:\n%s", text, p.shown())
		case <-late:
			p.t.Fatalf("%q is not shown; the screen:\n%q", text, p.shown())
		}
	}
}

func (p *person) types(text string) {
	p.t.Helper()
	_, err := p.terminal.WriteString(text)
	require.NoError(p.t, err)
}

// says types a line at the prompt and expects the parts of the answer.
func (p *person) says(line string, parts ...string) {
	p.t.Helper()
	p.expect("> ")
	p.types(line + "\r")
	p.expect("\n") // what follows is the answer, not the line as it is typed
	for _, part := range parts {
		p.expect(part)
	}
}

// exits waits for the end of the command, which restores the terminal.
func (p *person) exits(status int) {
	p.t.Helper()
	_ = p.cmd.Wait()
	require.Equal(p.t, status, p.cmd.ProcessState.ExitCode(), "exit status; the screen:\n%s", p.shown())
	after, err := term.GetState(int(p.tty.Fd()))
	require.NoError(p.t, err)
	require.Equal(p.t, p.before, after, "the terminal's mode")
}

// quits ends the command with Ctrl-D at its prompt.
func (p *person) quits() {
	p.t.Helper()
	p.expect("> ")
	p.types(ctrlD)
	p.exits(cli.ExitOK)
}

// talk starts a chat with a scripted server.
func talk(t *testing.T, s *modelserver.Server, i invocation) *person {
	t.Helper()
	i.args = append([]string{"chat", "--base-url", s.URL, "--model", "scripted"}, i.args...)
	return atTerminal(t, i)
}

func TestCtrlDQuits(t *testing.T) {
	s := modelserver.Start(t, modelserver.Text("Hello."), modelserver.Text(request(t, "clock_now")), modelserver.Text("Late."))
	p := talk(t, s, invocation{})
	p.expect("scripted at " + s.URL)
	p.expect("Ctrl-C stops an answer")
	p.says("hi", "Hello.")
	p.expect("> ")
	p.types("\r") // an empty message
	p.says("and the time?", "clock_now")
	p.expect("ok")
	p.expect("Late.")
	p.quits()
	sent := s.Requests()
	require.Len(t, sent, 3)
	require.Equal(t, "and the time?", sent[1].Last())
	require.Len(t, sent[1].Messages, 4)
}

func TestModelNameCannotSteerTheTerminal(t *testing.T) {
	s := modelserver.Start(t)
	s.SetModels("good\x1b]0;title\x07\u202e\n> all is well")
	p := atTerminal(t, invocation{args: []string{"chat", "--base-url", s.URL}, env: []string{"NO_COLOR=1"}})
	p.expect(`Talking with good]0;title > all is well at ` + s.URL + ". Ctrl-C stops an answer")
	p.quits()
}

func TestAChatBeginsInTheLanguageOfTheLocale(t *testing.T) {
	s := modelserver.Start(t)
	p := talk(t, s, invocation{env: []string{"LC_ALL=zh_CN.UTF-8"}})
	p.expect("正在与 " + s.URL + " 上的 scripted 对话。")
	p.quits()
}

func TestResultCannotSteerTheTerminal(t *testing.T) {
	dir := t.TempDir()
	const content = "one\ttwo\n\x1b]0;title\x07\u202ethree ❤\ufe0f\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte(content), 0o600))
	call := invocation{args: []string{"call", "--root", dir, "files_read", "path=a.txt"}}
	p := atTerminal(t, call)
	p.expect("]0;titlethree ❤\ufe0f")
	p.exits(cli.ExitOK)
	require.NotContains(t, p.shown(), "\x1b")
	require.NotContains(t, p.shown(), "\u202e")

	o := call.run(t)
	o.succeeded(t)
	require.Contains(t, o.stdout, content, "a program is given the bytes as they are")
}

func TestCtrlCStopsTheAnswer(t *testing.T) {
	s := modelserver.Start(t, modelserver.Stalled("Once upon a time"), modelserver.Text("Well then."))
	p := talk(t, s, invocation{})
	p.says("a story", "upon a")
	p.types(ctrlC)
	p.expect("stopped by Ctrl-C")
	p.says("hello?", "Well then.")
	p.expect("> ")
	p.types(ctrlC)
	p.expect("once more quits")
	p.expect("> ")
	p.types("not now") // only a message between the two matters, not a key
	p.types(ctrlC)
	p.exits(cli.ExitOK)
}

func TestSlashCommandsControlTheChat(t *testing.T) {
	s := modelserver.Start(t,
		modelserver.Unfinished("Once"), modelserver.Text("Once upon a time."), modelserver.Text("A path."), modelserver.Text("Fresh."))
	p := talk(t, s, invocation{args: []string{"--stats", "--tool-toggles", "clock=false"}})
	p.expect("/help shows the commands")
	says := p.says
	says("/help", "/help ", "/tools ", "/model [NAME] ", "/retry ", "/edit N TEXT ", "/clear ", "/exit ", "//TEXT ")
	says("/tools", "calculator_evaluate", "files_list", "read")
	says("/model", "scripted at "+s.URL)
	says("/retry", "nothing to retry")
	says("/model other", "tool calls", "other at "+s.URL)
	says("a story", "without a finish reason")
	says("/retry", "Once upon a time.")
	says("/retry", "nothing to retry")
	for _, word := range []string{"exit", "Quit", ":q"} {
		says(word, `"`+word+`" is not sent to the model; /exit quits`)
	}
	says("/hlep", "there is no command /hlep; there are /help, /tools, ", "a message that begins with / is typed with //")
	says("/clear now", "/clear takes no argument", "now")
	says("/model scripted", "scripted at "+s.URL)
	says("//etc/hosts?", "A path.")
	says("/clear", "tool calls")
	says("hello", "Fresh.")
	says("/cl\t", "tool calls")
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
		modelserver.Text("One."), modelserver.Text("Two."), modelserver.Text("Other."), modelserver.Text("Another."), modelserver.Text("Last."))
	p := talk(t, s, invocation{args: []string{"--no-store"}})
	says := p.says
	says("/history", "nothing was said yet")
	says("/edit 1 x", "1 is not a message of yours")
	says("/branches", "nothing was said yet")
	says("/again", "there is no such reply")
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
	says("/again 999", "there is no such reply")
	says("/switch 1", "> first", "/retry has it answered")
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
	require.Equal(t, [][]string{{"first"}, {"first", "One.", "second"}, {"first anew"}, {"first anew"}, {"first"}}, sent)
}

func TestModelKeepsTheDemoModelWithoutAServer(t *testing.T) {
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

func TestCtrlCTwiceQuits(t *testing.T) {
	s := modelserver.Start(t, modelserver.Stalled("Once upon a time"))
	p := talk(t, s, invocation{})
	p.says("a story", "upon a")
	p.types(ctrlC)
	p.expect("> ")
	p.types(ctrlC)
	p.exits(cli.ExitOK)
}

func TestMessageResetsCtrlC(t *testing.T) {
	s := modelserver.Start(t, modelserver.Text("Hello."))
	p := talk(t, s, invocation{})
	p.expect("> ")
	p.types(ctrlC)
	p.expect("once more quits")
	p.says("hi", "Hello.")
	p.expect("> ")
	p.types(ctrlC)
	p.expect("once more quits")
	p.quits()
}

func TestCtrlCEndsAChatWithOneMessage(t *testing.T) {
	s := modelserver.Start(t, modelserver.Stalled("Once upon a time"))
	p := talk(t, s, invocation{args: []string{"a story"}})
	p.expect("upon a")
	p.types(ctrlC)
	p.expect("vcp chat: stopped by Ctrl-C")
	p.exits(cli.ExitFailure)
}

func TestCtrlCTwiceQuitsOnAPlainTerminal(t *testing.T) {
	s := modelserver.Start(t, modelserver.Stalled("Once upon a time"))
	p := talk(t, s, invocation{env: []string{"TERM=dumb"}})
	p.expect("> ")
	p.types("a story\n")
	p.expect("upon a")
	p.types(ctrlC)
	p.expect("stopped by Ctrl-C")
	p.expect("> ")
	p.types(ctrlC)
	p.exits(cli.ExitOK)
}

func TestHistoryOfMessagesIsKept(t *testing.T) {
	home := t.TempDir()
	env := []string{"HOME=" + home, "XDG_STATE_HOME=" + filepath.Join(home, "state")}
	s := modelserver.Start(t, modelserver.Text("One."), modelserver.Text("Two."))
	p := talk(t, s, invocation{env: env})
	p.says("the first question", "One.")
	p.quits()

	path := filepath.Join(home, "state", "vcp", "history")
	requirePrivate(t, path)
	require.NoError(t, os.WriteFile(path, append([]byte(strings.Repeat("long ", 2000)+"\n"), "the first question\n"...), 0o600))

	p = talk(t, s, invocation{env: env})
	p.expect("> ")
	p.types(up)
	p.expect("the first question")
	p.types("\r")
	p.expect("Two.")
	p.quits()
	require.Equal(t, "the first question", s.Requests()[1].Last())
}

func TestAChatNeedsNoHistoryFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	s := modelserver.Start(t, modelserver.Text("One."))
	p := talk(t, s, invocation{env: []string{"XDG_STATE_HOME=" + file}})
	p.expect("history of messages is not kept")
	p.says("hi", "One.")
	p.quits()
}

func TestColorsNeedATerminal(t *testing.T) {
	for _, tt := range []struct {
		name    string
		env     []string
		colored bool
	}{
		{"a terminal has colors", nil, true},
		{"NO_COLOR is respected", []string{"NO_COLOR=1"}, false},
		{"an empty NO_COLOR is ignored", []string{"NO_COLOR="}, true},
		{"a dumb terminal has no colors", []string{"TERM=dumb"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := modelserver.Start(t,
				modelserver.Reply{Reasoning: []string{"Hm."}, Pieces: []string{request(t, "clock_now")}, Finish: "stop"}, modelserver.Text("Late."))
			p := talk(t, s, invocation{args: []string{"hi"}, env: tt.env})
			p.expect("[reasoning]")
			p.expect("Late.")
			p.exits(cli.ExitOK)
			require.Equal(t, tt.colored, strings.Contains(p.shown(), "\x1b["))
		})
	}
}

func TestTheDemoModelServesUntilCtrlC(t *testing.T) {
	p := atTerminal(t, invocation{args: []string{"demo-model"}})
	p.expect("The demo model vcp-demo-planner, a small rule-based planner, serves at ")
	p.expect("/v1")
	_, url, _ := strings.Cut(p.shown(), "serves at ")
	o := invocation{args: []string{"chat", "--base-url", strings.TrimSpace(url), "What is 17*23?"}}.run(t)
	o.succeeded(t)
	require.Contains(t, o.stdout, "391")
	p.types(ctrlC)
	p.exits(cli.ExitOK)
}
