//go:build unix

package process_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/vcpgo/vcp/internal/process"
	"github.com/vcpgo/vcp/internal/process/processtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// script returns a command that runs a shell script.
func script(text string, args ...string) process.Command {
	argv := append([]string{"/bin/sh", "-c", text, "script"}, args...)
	return process.Command{Argv: argv, Env: process.Environment(nil, nil)}
}

func TestRunReturnsOutputAndStatus(t *testing.T) {
	const keptErrors = 16 << 10 // bytes
	longErrors := strings.Repeat("0123456789\n", 3000) + "last\n"
	for _, tt := range []struct {
		name    string
		command process.Command
		want    process.Result
	}{
		{"output, errors and status", script("echo out; echo err >&2; exit 3"), process.Result{
			Output: []byte("out\n"), Errors: "err\n", ExitCode: 3, State: "exit status 3",
		}},
		{"arguments are not read by a shell", script(`printf '%s|' "$@"`, "a b", "$HOME", "`id`", ""), process.Result{
			Output: []byte("a b|$HOME|`id`||"), State: "exit status 0",
		}},
		{"input", func() process.Command {
			c := script("cat")
			c.Input = []byte(strings.Repeat("x", 1<<20))
			return c
		}(), process.Result{Output: []byte(strings.Repeat("x", 1<<20)), State: "exit status 0"}},
		{"input that nobody reads", func() process.Command {
			c := script("exit 0")
			c.Input = []byte(strings.Repeat("x", 1<<20))
			return c
		}(), process.Result{State: "exit status 0"}},
		{"a signal", script("kill -TERM $$"), process.Result{ExitCode: -1, State: "signal: terminated"}},
		{
			"only the end of the errors is kept",
			script(`i=0; while [ $i -lt 3000 ]; do echo 0123456789 >&2; i=$((i+1)); done; echo last >&2`),
			process.Result{Errors: longErrors[len(longErrors)-keptErrors:], State: "exit status 0"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := process.Run(t.Context(), tt.command)
			require.NoError(t, err)
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestTheGroupOfAChildEndsWithTheChild(t *testing.T) {
	got, err := process.Run(t.Context(), script("sleep 600 & echo $!"))
	require.NoError(t, err)
	processtest.RequireGone(t, string(got.Output))
}

func TestACanceledGroupEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	c := script("sleep 600 & echo $! >&2; trap '' TERM INT; while :; do sleep 600; done")
	var child string
	why := errors.New("why")
	c.OnErrorLine = func(line string) {
		child = line
		cancel(why)
	}
	got, err := process.Run(ctx, c)
	require.ErrorIs(t, err, why)
	assert.Equal(t, -1, got.ExitCode)
	processtest.RequireGone(t, child)
	_, err = process.Run(ctx, c)
	require.ErrorIs(t, err, why, "nothing is started after the context has ended")
}

func TestAChildThatPrintsTooMuchIsEnded(t *testing.T) {
	c := script("echo $$ >&2; while :; do echo 0123456789; done")
	c.MaxOutput = 1000
	got, err := process.Run(t.Context(), c)
	var flood *process.OutputError
	require.ErrorAs(t, err, &flood)
	assert.Equal(t, 1000, flood.Limit)
	assert.Len(t, got.Output, 1000)
	processtest.RequireGone(t, got.Errors)

	c = script("printf 0123456789")
	c.MaxOutput = 10
	_, err = process.Run(t.Context(), c)
	require.NoError(t, err, "the limit itself is allowed")
	c.MaxOutput = 9
	_, err = process.Run(t.Context(), c)
	require.ErrorAs(t, err, &flood, "a child that has already ended gets the same error")
}

func TestErrorLinesArePassedOn(t *testing.T) {
	c := script(`echo one >&2; echo >&2; printf 'two\r\n' >&2; printf '%05000d\nthree\r' 1 >&2`)
	var lines []string
	c.OnErrorLine = func(line string) { lines = append(lines, line) }
	_, err := process.Run(t.Context(), c)
	require.NoError(t, err)
	assert.Equal(t, []string{"one", "two", strings.Repeat("0", 4<<10), "three"}, lines)
}

func TestAChildMayContinueInTheBackground(t *testing.T) {
	background, stop := context.WithCancel(t.Context())
	c := script("echo $$; while :; do echo more; sleep 0.01; done")
	c.Until = func(output []byte) bool { return len(output) > 0 }
	c.Linger, c.Background = time.Hour, background
	got, err := process.Run(t.Context(), c)
	require.NoError(t, err)
	pid, _, _ := strings.Cut(string(got.Output), "\n")
	n, err := strconv.Atoi(pid)
	require.NoError(t, err)
	assert.True(t, processtest.Alive(n))
	stop()
	processtest.RequireGone(t, pid)
}

func TestABackgroundChildEndsAfterItsTime(t *testing.T) {
	c := script("echo $$; sleep 600")
	c.Until = func(output []byte) bool { return len(output) > 0 }
	c.Linger = time.Millisecond
	got, err := process.Run(t.Context(), c)
	require.NoError(t, err)
	processtest.RequireGone(t, string(got.Output))
}

func TestNoLineIsPassedOnAfterRunReturned(t *testing.T) {
	background, stop := context.WithCancel(t.Context())
	defer stop()
	c := script(`echo $$; while :; do echo line >&2; done`)
	c.Until = func(output []byte) bool { return len(output) > 0 }
	c.Linger, c.Background = time.Hour, background
	var returned atomic.Bool
	var late atomic.Int32
	c.OnErrorLine = func(string) {
		if returned.Load() {
			late.Add(1)
		}
	}
	got, err := process.Run(t.Context(), c)
	returned.Store(true)
	require.NoError(t, err)
	time.Sleep(20 * time.Millisecond) // the child continues to write lines
	stop()
	processtest.RequireGone(t, string(got.Output))
	assert.Zero(t, late.Load())
}

func TestAProgramThatCannotStartIsAStartError(t *testing.T) {
	c := script("")
	c.Argv[0] = filepath.Join(t.TempDir(), "none")
	_, err := process.Run(t.Context(), c)
	var start *process.StartError
	require.ErrorAs(t, err, &start)
	require.ErrorIs(t, err, os.ErrNotExist)
	c = script("")
	c.Dir = filepath.Join(t.TempDir(), "none")
	_, err = process.Run(t.Context(), c)
	require.ErrorAs(t, err, &start)
}

func TestProgramSearchesNamesInPathOnly(t *testing.T) {
	dir, path := t.TempDir(), t.TempDir()
	t.Setenv("PATH", path)
	write := func(file string, mode os.FileMode) string {
		t.Helper()
		require.NoError(t, os.WriteFile(file, []byte("#!/bin/sh\n"), mode))
		return file
	}
	inDir, inPath := write(filepath.Join(dir, "run"), 0o700), write(filepath.Join(path, "tool"), 0o700)
	python := write(filepath.Join(path, "python3"), 0o700)
	write(filepath.Join(dir, "text"), 0o600)
	for _, tt := range []struct{ name, program, want string }{
		{"a name is searched for in PATH", "tool", inPath},
		{"a path is relative to the directory", "./run", inDir},
		{"an absolute path stays", inDir, inDir},
		{"python3 replaces a python that is not installed", "python", python},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := process.Program(tt.program, dir)
			require.NoError(t, err)
			assert.Equal(t, tt.want, got)
		})
	}
	var missing *process.NotFoundError
	for _, name := range []string{"run", "none", "./none", ""} {
		_, err := process.Program(name, dir)
		require.ErrorAs(t, err, &missing, name)
		assert.Equal(t, name, missing.Name)
	}
	_, err := process.Program("./text", dir)
	require.ErrorIs(t, err, os.ErrPermission)
}

func TestTheEnvironmentHasOnlyAllowedVariables(t *testing.T) {
	t.Setenv("SECRET_KEY", "s3cret")
	t.Setenv("ALLOWED", "yes")
	t.Setenv("LANG", "C")
	child := exec.Cmd{Env: process.Environment([]string{"ALLOWED", "NOT_SET"}, map[string]string{"LANG": "zh", "MINE": "a=b"})}
	env := child.Environ()
	assert.Contains(t, env, "ALLOWED=yes")
	assert.Contains(t, env, "MINE=a=b")
	assert.Contains(t, env, "LANG=zh")
	assert.NotContains(t, env, "LANG=C")
	for _, pair := range env {
		assert.NotContains(t, pair, "s3cret")
		assert.False(t, strings.HasPrefix(pair, "NOT_SET="))
	}
}
