package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat/sqlitestore"
	"github.com/vcpgo/vcp/internal/requesttest"
	"github.com/vcpgo/vcp/protocol/vcp"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
)

// binary is the command under test: this test binary, which is the command if its first argument is
// not a flag of go test. Building another binary would take longer than most tests.
var binary string

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-test.") {
		main()
	}
	var err error
	if binary, err = os.Executable(); err != nil {
		log.Fatal(err)
	}
	os.Exit(m.Run())
}

// repository is the root of the module.
const repository = "../.."

// invocation is one run of the command. It has no OPENAI_ variables, unless env sets them.
type invocation struct {
	args  []string
	stdin string
	dir   string   // the working directory; "" means the root of the module
	env   []string // in addition to, or in place of, the variables that each run has
	out   *os.File // standard output; nil means outcome.stdout
}

// outcome is what a run wrote, and its exit status.
type outcome struct {
	stdout, stderr string
	status         int
}

// patience is how long a test waits for the command, which takes seconds at most unless it hangs.
const patience = 2 * time.Minute

// runArgs runs the command with arguments.
func runArgs(t *testing.T, args ...string) outcome {
	t.Helper()
	return invocation{args: args}.run(t)
}

// command returns the process of the invocation, which is not started.
func (i invocation) command(ctx context.Context, t *testing.T) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(ctx, binary, i.args...)
	cmd.Dir = i.dir
	if cmd.Dir == "" {
		cmd.Dir = repository
	}
	home := t.TempDir()
	// By default a program with the race detector sleeps a second before it exits.
	cmd.Env = append([]string{"HOME=" + home, "TERM=xterm", "PATH=" + os.Getenv("PATH"), "GORACE=atexit_sleep_ms=0"}, i.env...)
	return cmd
}

// run runs the command in the process of the test, which is much cheaper than a separate process.
func (i invocation) run(t *testing.T) outcome {
	t.Helper()
	here, err := os.Getwd()
	require.NoError(t, err)
	// t.Chdir would stay until the test ends, and tests read files of their own between two runs.
	require.NoError(t, os.Chdir(cmp.Or(i.dir, repository))) //nolint:usetesting // see above
	defer func() { require.NoError(t, os.Chdir(here)) }()   //nolint:usetesting // see above
	home := t.TempDir
	// homeWithStore is for Linux; on other systems the store is in another directory.
	if len(i.args) > 0 && i.args[0] == "chat" && runtime.GOOS == "linux" {
		home = func() string { return homeWithStore(t) }
	}
	env := []string{
		"HOME=" + home(), "XDG_STATE_HOME=", "XDG_CONFIG_HOME=", "XDG_DATA_HOME=",
		"TERM=xterm", "NO_COLOR=", "LC_ALL=C",
		configuration.EnvBaseURL + "=", configuration.EnvModel + "=", configuration.EnvKey + "=",
	}
	for _, set := range append(env, i.env...) {
		name, value, _ := strings.Cut(set, "=")
		t.Setenv(name, value)
	}
	var stdout, stderr bytes.Buffer
	std := cli.Streams{In: strings.NewReader(i.stdin), Out: &stdout, Err: &stderr}
	if i.out != nil {
		std.Out = i.out
	}
	status := runCommand(i.args, std)
	return outcome{stdout.String(), stderr.String(), status}
}

// emptyStore returns the bytes of a store without conversations. Most chats of the tests begin with
// a copy of the store, because making its tables takes longer than the rest of a chat.
var emptyStore = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "vcp-store-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, "empty.db")
	store, err := sqlitestore.Open(context.Background(), file, sqlitestore.Options{})
	if err != nil {
		return nil, err
	}
	if err := store.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
})

// homeWithStore returns a home directory that contains an empty store of conversations.
func homeWithStore(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	store, err := emptyStore()
	require.NoError(t, err)
	dir := filepath.Join(home, ".local", "share", "vcp")
	require.NoError(t, os.MkdirAll(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "conversations.db"), store, 0o600))
	return home
}

// runProcess runs the command in a separate process.
func (i invocation) runProcess(t *testing.T) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := i.command(ctx, t)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(i.stdin), &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	require.NoError(t, ctx.Err(), "the command hangs; so far it wrote:\n%s%s", stdout.String(), stderr.String())
	return outcome{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// reported checks that a run ended with the exit status, and wrote one line to standard error that
// contains all parts.
func (o outcome) reported(t *testing.T, status int, parts ...string) {
	t.Helper()
	require.Equal(t, status, o.status, "exit status; standard error: %s", o.stderr)
	require.Equal(t, 1, strings.Count(o.stderr, "\n"), "standard error has one line: %q", o.stderr)
	require.True(t, strings.HasPrefix(o.stderr, "vcp"), "the line begins with the command: %q", o.stderr)
	for _, part := range parts {
		require.Contains(t, o.stderr, part)
	}
}

// succeeded checks that the exit status is 0, and that standard error is empty.
func (o outcome) succeeded(t *testing.T) {
	t.Helper()
	require.Empty(t, o.stderr)
	require.Equal(t, cli.ExitOK, o.status)
}

// request returns a request in the VCP dialect. pairs are as in requesttest.Text.
func request(t *testing.T, name string, pairs ...string) string {
	t.Helper()
	return requesttest.Text(t, vcp.Protocol{}, name, pairs...)
}

// textOfFile returns the text of a file.
func textOfFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}
