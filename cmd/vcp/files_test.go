//go:build unix

package main

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/modelserver"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// A command that opened the pipe would block until the test fails, because the pipe has no other
// end.
func TestFilesThatFlagsNameAreRegularFiles(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.yaml")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	for _, flag := range []struct {
		name string
		args []string // before the path
	}{
		{"--config of chat", []string{"chat", "--config"}},
		{"--config of tools", []string{"tools", "--config"}},
		{"--config of prompt", []string{"prompt", "--config"}},
		{"--config of call", []string{"call", "clock_now", "--config"}},
		{"--preset", []string{"chat", "--preset"}},
		{"--audit", []string{"chat", "--base-url", modelserver.Start(t).URL, "--model", "m", "--audit"}},
	} {
		for _, path := range []string{pipe, "/dev/null", "/dev/zero", "/dev/tty", filepath.Dir(pipe) + "/"} {
			t.Run(flag.name+" refuses "+filepath.Base(path), func(t *testing.T) {
				o := invocation{args: slices.Concat(flag.args, []string{path})}.run(t)
				require.Contains(t, []int{cli.ExitFailure, cli.ExitUsage}, o.status)
				o.reported(t, o.status, path, "a regular file is needed")
			})
		}
	}
}

func TestAnArgumentFileMayBeAPipeAndIsLimited(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	written := make(chan error, 1)
	go func() { written <- os.WriteFile(pipe, []byte("6*7"), 0o600) }()
	o := invocation{args: []string{"call", "calculator_evaluate", "expression=@" + pipe}}.run(t)
	o.succeeded(t)
	require.Contains(t, o.stdout, "42")
	require.NoError(t, <-written)
	invocation{args: []string{"call", "calculator_evaluate", "expression=@/dev/zero"}}.run(t).
		reported(t, cli.ExitFailure, "the argument expression cannot be read from its file", "/dev/zero: larger than 4 MiB")
}
