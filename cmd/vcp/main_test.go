package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// binary is the command under test, built once.
var binary string

// buildFlags build it. The revision is omitted, because git refuses to read it if the clone belongs
// to another user.
var buildFlags = []string{"-buildvcs=false"}

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == scriptWorker { // script_run starts its own program
		main()
	}
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "vcp-test")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer func() { _ = os.RemoveAll(dir) }()
		binary = filepath.Join(dir, "vcp")
		build := append(append([]string{"build"}, buildFlags...), "-o", binary, ".")
		if out, err := exec.Command("go", build...).CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "building the command: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

// repository is the root of the module.
const repository = "../.."

// invocation is one run of the binary. The zero value means no input, the root of the module, and
// no OPENAI_ variables.
type invocation struct {
	args  []string
	stdin string
	dir   string
	env   []string
}

type outcome struct {
	stdout, stderr string
	status         int
}

// patience limits how long a test waits. A test that reaches it hangs.
const patience = 2 * time.Minute

func run1(t *testing.T, args ...string) outcome {
	t.Helper()
	return invocation{args: args}.run(t)
}

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

// run runs the command within the test, which is much cheaper than a process with the race
// detector.
func (i invocation) run(t *testing.T) outcome {
	t.Helper()
	here, err := os.Getwd()
	require.NoError(t, err)
	// t.Chdir would stay until the test ends, and tests read files of their own between two runs.
	require.NoError(t, os.Chdir(cmp.Or(i.dir, repository))) //nolint:usetesting // see above
	defer func() { require.NoError(t, os.Chdir(here)) }()   //nolint:usetesting // see above
	env := []string{"HOME=" + t.TempDir(), "TERM=xterm", "NO_COLOR=", "XDG_STATE_HOME=", "XDG_CONFIG_HOME=", "XDG_DATA_HOME=", envBaseURL + "=", envModel + "=", envKey + "="}
	for _, set := range append(env, i.env...) {
		name, value, _ := strings.Cut(set, "=")
		t.Setenv(name, value)
	}
	var stdout, stderr bytes.Buffer
	status := runCommand(i.args, streams{in: strings.NewReader(i.stdin), out: &stdout, err: &stderr})
	return outcome{stdout.String(), stderr.String(), status}
}

// runProcess runs the binary. Its standard output may be a file.
func (i invocation) runProcess(t *testing.T, out *os.File) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := i.command(ctx, t)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(i.stdin), &stdout, &stderr
	if out != nil {
		cmd.Stdout = out
	}
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	require.NoError(t, ctx.Err(), "the command hangs; so far it wrote:\n%s%s", stdout.String(), stderr.String())
	return outcome{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// failed checks that a run ended with a status, and with one line on standard error that contains
// all parts.
func (o outcome) failed(t *testing.T, status int, parts ...string) {
	t.Helper()
	require.Equal(t, status, o.status, "exit status; standard error: %s", o.stderr)
	require.Equal(t, 1, strings.Count(o.stderr, "\n"), "an error is one line: %q", o.stderr)
	require.True(t, strings.HasPrefix(o.stderr, "vcp"), "an error begins with the command: %q", o.stderr)
	for _, part := range parts {
		require.Contains(t, o.stderr, part)
	}
}

// succeeded checks the status and that standard error is empty.
func (o outcome) succeeded(t *testing.T) {
	t.Helper()
	require.Empty(t, o.stderr)
	require.Equal(t, exitOK, o.status)
}

// request writes a request as a model would: name, then pairs of argument and value.
func request(t *testing.T, name string, pairs ...string) string {
	t.Helper()
	r := protocol.ToolRequest{ToolName: name}
	for i := 0; i < len(pairs); i += 2 {
		r.Arguments = append(r.Arguments, protocol.Argument{Name: pairs[i], Value: pairs[i+1]})
	}
	text, err := vcp.Protocol{}.FormatToolRequests([]protocol.ToolRequest{r})
	require.NoError(t, err)
	return text
}
