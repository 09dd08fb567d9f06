//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"golang.org/x/term"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/internal/modelserver"
)

const (
	ctrlC = "\x03"
	ctrlD = "\x04"
	up    = "\x1b[A"
)

// person types at a terminal on which the command runs, and sees its screen.
type person struct {
	t          *testing.T
	cmd        *exec.Cmd
	terminal   *os.File    // the person's side
	tty        *os.File    // the command's side
	modeBefore *term.State // the mode of the terminal before the command started

	mu     sync.Mutex
	screen strings.Builder
	read   int           // the offset in screen after the text that expect found last
	more   chan struct{} // contains one token if the screen has grown
	ended  chan struct{} // closed when the terminal can no longer be read
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
	p.modeBefore, err = term.GetState(int(tty.Fd()))
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

// says types a line at the prompt, and expects the parts on the screen after it, in this order.
func (p *person) says(line string, parts ...string) {
	p.t.Helper()
	p.expect("> ")
	p.types(line + "\r")
	p.expect("\n") // what follows is the answer, not the line as it is typed
	for _, part := range parts {
		p.expect(part)
	}
}

// exits waits for the end of the command. It checks the exit status, and that the command has
// restored the terminal.
func (p *person) exits(status int) {
	p.t.Helper()
	_ = p.cmd.Wait()
	require.Equal(p.t, status, p.cmd.ProcessState.ExitCode(), "exit status; the screen:\n%s", p.shown())
	modeAfter, err := term.GetState(int(p.tty.Fd()))
	require.NoError(p.t, err)
	require.Equal(p.t, p.modeBefore, modeAfter, "the terminal's mode")
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
