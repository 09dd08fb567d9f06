//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"golang.org/x/term"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// newFile returns a new file, which is closed when the test ends.
func newFile(t *testing.T) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func TestQuestionNeedsTheControllingTerminal(t *testing.T) {
	for _, tt := range []struct {
		name, why string
		wire      func(cmd *exec.Cmd, tty *os.File)
	}{
		{"standard input is not a terminal", "standard input is not a terminal", func(cmd *exec.Cmd, _ *os.File) {
			cmd.Stdin = strings.NewReader("y\n")
			cmd.SysProcAttr.Ctty = 1 // standard output
		}},
		{"there is no controlling terminal", "not the controlling terminal", func(cmd *exec.Cmd, _ *os.File) {
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		}},
	} {
		t.Run("chat: "+tt.name, func(t *testing.T) {
			s, i := chatThatCalls(t, request(t, "calculator_evaluate", "expression", "6*7"))
			p := startAtTerminal(t, i, tt.wire)
			p.expect(tt.why)
			p.exits(cli.ExitUsage)
			require.Empty(t, s.Requests())
			require.NotContains(t, p.shown(), questionEnd)
		})
		t.Run("call: "+tt.name, func(t *testing.T) {
			args := []string{"call", "--approve", "ask", "calculator_evaluate", "expression=6*7"}
			p := startAtTerminal(t, invocation{args: args}, tt.wire)
			p.expect(tt.why)
			p.exits(cli.ExitUsage)
			require.NotContains(t, p.shown(), questionEnd)
			require.NotContains(t, p.shown(), "42")
		})
	}
}

func TestUnusableTerminalDenies(t *testing.T) {
	for _, tt := range []struct {
		name, why string
		wire      func(t *testing.T, tty *os.File)
	}{
		{"another program reads single keys", "another program is using the terminal", func(t *testing.T, tty *os.File) {
			t.Helper()
			_, err := term.MakeRaw(int(tty.Fd()))
			require.NoError(t, err)
		}},
		{"the screen has too few rows", "too small to show a call (80 columns, 4 rows)", func(t *testing.T, tty *os.File) {
			t.Helper()
			require.NoError(t, pty.Setsize(tty, &pty.Winsize{Rows: 4, Cols: 80}))
		}},
		{"the screen has too few columns", "too small to show a call (20 columns, 24 rows)", func(t *testing.T, tty *os.File) {
			t.Helper()
			require.NoError(t, pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: 20}))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, i := chatThatCalls(t, request(t, "calculator_evaluate", "expression", "6*7"))
			p := startAtTerminal(t, i, func(_ *exec.Cmd, tty *os.File) { tt.wire(t, tty) })
			p.expect(tt.why)
			p.expect("Well.")
			p.exits(cli.ExitOK)
			require.NotContains(t, p.shown(), questionEnd)
			require.Contains(t, s.Requests()[1].Last(), "permission_denied")
		})
	}
}
