package builtin_test

import (
	"context"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/discovery"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin"
)

// newFullToolkit returns a toolkit with all tools.
func newFullToolkit(t testing.TB) toolkit {
	t.Helper()
	return newToolkitWith(t, func(root *os.Root) ([]tool.Tool, error) {
		return builtin.All(builtin.Options{Root: root})
	})
}

// TestEachMethodIsDefined checks the risk of each method, which methods a model sees by default,
// and that each method has a title, examples and descriptions.
func TestEachMethodIsDefined(t *testing.T) {
	k := newFullToolkit(t)
	want := map[string]tool.Risk{
		"calculator_evaluate": tool.RiskRead,
		"clock_between":       tool.RiskRead, "clock_convert": tool.RiskRead, "clock_now": tool.RiskRead,
		"files_list": tool.RiskRead, "files_read": tool.RiskRead, "files_search": tool.RiskRead,
		"files_write": tool.RiskWrite, "files_edit": tool.RiskWrite,
		"table_describe": tool.RiskRead, "table_rows": tool.RiskRead, "table_aggregate": tool.RiskRead,
		"fetch_get": tool.RiskWrite, "shell_run": tool.RiskDangerous,
	}
	o := discovery.Options{Enabled: true, DefaultToolEnabled: true}
	for _, e := range k.Entries() {
		require.Equal(t, want[e.FullName], e.Risk(), e.FullName)
		require.Equal(t, e.FullName != "shell_run", o.Visible(e), e.FullName)
		require.NotEmpty(t, e.Method.Title, e.FullName)
		require.NotEmpty(t, e.Method.Examples, e.FullName)
		for _, p := range e.Definition("en").Parameters {
			require.NotEmpty(t, p.Description, "%s %s", e.FullName, p.Name)
		}
		delete(want, e.FullName)
	}
	require.Empty(t, want)

	shell, _ := k.Lookup("shell_run")
	require.Equal(t, policy.Ask, policy.Policy{Approve: policy.ApproveAll}.Decide(shell),
		"approving all does not approve the shell")
	o.ToolToggles = discovery.Toggles{"shell": true}
	require.True(t, o.Visible(shell))
}

func TestReadOnlyOmitsMethodsThatDoMoreThanRead(t *testing.T) {
	k := newToolkitWith(t, func(root *os.Root) ([]tool.Tool, error) {
		return builtin.All(builtin.Options{Root: root, ReadOnly: true})
	})
	want := 0
	for _, e := range newFullToolkit(t).Entries() {
		if e.Risk() == tool.RiskRead {
			want++
		}
	}
	require.Len(t, k.Entries(), want)
	for _, e := range k.Entries() {
		require.Equal(t, tool.RiskRead, e.Risk(), e.FullName)
	}
}

func TestShellRunsCommands(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands need a Unix shell")
	}
	t.Setenv("OPENAI_API_KEY", "sk-secret")
	t.Setenv("SOME_TOKEN", "secret")
	k := newFullToolkit(t)
	k.write(t, "a.txt", "one\n")
	for _, tt := range []struct {
		name string
		args args
		want string
	}{
		{"runs in the root directory", args{"command": "ls; cat a.txt"}, "a.txt\none"},
		{"returns errors among the output", args{"command": "echo a; echo b >&2; echo c"}, "a\nb\nc"},
		{"says how the command failed", args{"command": "echo out; exit 3"}, "out\n(exit status 3)"},
		{"says that there is no output", args{"command": "true"}, "(The command printed nothing.)"},
		{"gets no input", args{"command": "read x; echo $?"}, "1"},
		{"sees no secret variables", args{"command": "env | grep -i -e secret -e token -e key; echo end"}, "end"},
		{
			"is ended with its child processes",
			args{"command": "sleep 60 & echo begun; wait", "seconds": "1"},
			"begun\n(ended after 1 second)",
		},
		{"leaves no child process", args{"command": "sleep 60 & echo done"}, "done"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, err := k.call(t, "shell_run", tt.args)
			require.NoError(t, err)
			require.Equal(t, tt.want, out.Text)
		})
	}
	out, err := k.call(t, "shell_run", args{"command": "echo first; yes | head -c 500000; echo last"})
	require.NoError(t, err)
	require.LessOrEqual(t, len(out.Text), 129<<10) // 128 KiB, and the note
	require.True(t, strings.HasPrefix(out.Text, "first\n") && strings.HasSuffix(out.Text, "\nlast"))
	require.Contains(t, out.Text, "bytes are omitted")
	out, err = k.call(t, "shell_run", args{"command": "yes"})
	require.NoError(t, err)
	require.Contains(t, out.Text, "(ended because it printed more than 1048576 bytes)")
	out, err = k.call(t, "shell_run", args{"command": `yes 中 | tr -d '\n'`})
	require.NoError(t, err)
	require.NotContains(t, out.Text, "\uFFFD", "a character is omitted or shown as a whole")

	_, err = k.call(t, "shell_run", args{"command": " "})
	require.ErrorContains(t, err, "the command is empty")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	found, err := k.Resolve("shell_run", "", nil)
	require.NoError(t, err)
	_, err = found.Entry.Method.Handler(ctx, callFor(found, `{"command":"touch made","seconds":5}`))
	require.ErrorIs(t, err, context.Canceled)
	require.NotContains(t, k.names(t), "made")
}
