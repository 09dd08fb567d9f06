//go:build unix

package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/modelserver"
)

// A command that opened the pipe would block until the test fails, because the pipe has no other
// end.
func TestSettingsFilesAreRegularFiles(t *testing.T) {
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
				o := invocation{args: append(flag.args[:len(flag.args):len(flag.args)], path)}.run(t)
				require.Contains(t, []int{exitFailure, exitUsage}, o.status)
				o.failed(t, o.status, path, "a regular file is needed")
			})
		}
	}
}

func TestArgumentFromAPipeIsLimited(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	written := make(chan error, 1)
	go func() { written <- os.WriteFile(pipe, []byte("6*7"), 0o600) }()
	o := invocation{args: []string{"call", "calculator_evaluate", "expression=@" + pipe}}.run(t)
	o.succeeded(t)
	require.Contains(t, o.stdout, "42")
	require.NoError(t, <-written)
	invocation{args: []string{"call", "calculator_evaluate", "expression=@/dev/zero"}}.run(t).
		failed(t, exitFailure, "the argument expression cannot be read from its file", "/dev/zero: larger than 4 MiB")
}

func TestTooLongLineIsAnswered(t *testing.T) {
	r := reading{protocol: protocols[0], jsonl: true}
	var out strings.Builder
	in := io.MultiReader(strings.NewReader(`{"text":"`), io.LimitReader(endless{}, maxLine), strings.NewReader("\"}\n{\"id\":2,\"text\":\"b\"}"))
	err := r.lines(in, "input", &out)
	require.ErrorContains(t, err, "1 of 2 lines could not be read")
	first, second, _ := strings.Cut(out.String(), "\n")
	require.Equal(t, `{"id":null,"error":{"code":"bad_line","message":"line 1: longer than 64 MiB, the most that is read"}}`, first)
	require.Contains(t, second, `{"id":2,`)
}

// endless is text without a line break.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	n := copy(p, "x")
	for n < len(p) {
		n += copy(p[n:], p[:n])
	}
	return n, nil
}

func TestOnlyTheEndOfALongHistoryIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("x", maxHistory)+"\nlast but one\nlast\n"), 0o600))
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	var h history
	require.NoError(t, h.readEnd(f))
	require.Equal(t, []string{"last but one", "last"}, h.lines)
}
