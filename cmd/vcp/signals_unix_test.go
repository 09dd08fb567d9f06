//go:build unix

package main

import (
	"bufio"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestASignalEndsTheProgramAndItsChildren(t *testing.T) {
	for name, end := range map[string]os.Signal{
		"Ctrl-C": os.Interrupt, "the end of the terminal": syscall.SIGHUP, "kill": syscall.SIGTERM,
	} {
		t.Run(name, func(t *testing.T) {
			if signal.Ignored(end) {
				t.Skip("the tests were started with the signal ignored, as by nohup, so the command ignores it, too")
			}
			dir := t.TempDir()
			pipe := filepath.Join(dir, "pipe")
			require.NoError(t, syscall.Mkfifo(pipe, 0o600))
			// The child keeps the pipe open as long as it lives.
			script := "exec > " + pipe + "\necho started\nexec sleep 600\n"
			require.NoError(t, os.WriteFile(filepath.Join(dir, "s.sh"), []byte(script), 0o600))
			tools := filepath.Join(dir, "tools.yaml")
			require.NoError(t, os.WriteFile(tools, []byte(`tools:
  - id: slow
    methods:
      - {name: go, description: Sleeps., risk: read, timeout: 600s, run: [sh, s.sh]}
`), 0o600))
			args := []string{"call", "--no-config", "--root", dir, "--tools", tools, "slow_go"}
			cmd := invocation{args: args}.command(t.Context(), t)
			require.NoError(t, cmd.Start())
			child, err := os.OpenFile(pipe, os.O_RDONLY, 0)
			require.NoError(t, err)
			defer child.Close()
			require.NoError(t, child.SetReadDeadline(time.Now().Add(patience)))
			output := bufio.NewReader(child)
			line, err := output.ReadString('\n')
			require.NoError(t, err)
			require.Equal(t, "started\n", line)
			require.NoError(t, cmd.Process.Signal(end))
			rest, err := io.ReadAll(output)
			require.NoError(t, err, "the child still lives")
			require.Empty(t, rest)
			require.Error(t, cmd.Wait())
		})
	}
}
