//go:build unix

package command_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/command"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// write writes a file and returns its path.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// method loads a file with one method, which has these fields, and returns the method.
func method(t *testing.T, dir, fields string) tool.Method {
	t.Helper()
	path := write(t, dir, "tools.yaml", "tools:\n  - id: t\n    methods:\n      - name: m\n        description: d\n"+fields)
	tools, err := command.Load(path)
	require.NoError(t, err)
	return tools[0].Methods[0]
}

// call runs a method with arguments that its schema accepts. It also returns the reported progress.
func call(ctx context.Context, t *testing.T, m tool.Method, arguments string) (tool.Output, string, error) {
	t.Helper()
	require.NoError(t, m.Parameters.Validate(json.RawMessage(arguments)))
	var progress strings.Builder
	out, err := m.Handler(ctx, &tool.Call{
		ID: "1", Arguments: json.RawMessage(arguments),
		Progress: func(text string) { progress.WriteString(text + ";") },
	})
	return out, progress.String(), err
}

func TestValuesOfSecretVariablesAreSecrets(t *testing.T) {
	t.Setenv("VCP_TEST_TOKEN", "hidden-value")
	t.Setenv("VCP_TEST_LEVEL", "information")
	path := write(t, t.TempDir(), "tools.yaml", "tools:\n  - id: a\n    methods:\n      - name: b\n        description: does b\n"+
		"        run: [sh, -c, env]\n        env: [VCP_TEST_TOKEN, VCP_TEST_LEVEL]\n")
	tools, err := command.Load(path)
	require.NoError(t, err)
	assert.Equal(t, []string{"hidden-value"}, tools[0].Secrets)
}

func TestNewWritesAFileThatRuns(t *testing.T) {
	dir := t.TempDir()
	file, script, err := command.New(dir, "hello-2")
	require.NoError(t, err)
	assert.Equal(t, []string{filepath.Join(dir, "hello-2.yaml"), filepath.Join(dir, "hello-2.sh")},
		[]string{file, script})
	report, err := command.Check(file)
	require.NoError(t, err)
	assert.Empty(t, report.Warnings)
	m := report.Tools[0].Methods[0]
	assert.Equal(t, []any{"hello-2_greet", tool.RiskRead}, []any{m.FullName, m.Risk})
	out, progress, err := call(t.Context(), t, m, `{"name":"Ann $(id)","language":"zh"}`)
	require.NoError(t, err)
	assert.Equal(t, "你好，Ann $(id)！", out.Text)
	assert.Contains(t, progress, `{"name":"Ann $(id)","language":"zh"}`)

	// Each field in the comments of the template exists.
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	_, more, found := strings.Cut(string(text), "# More fields:\n")
	require.True(t, found)
	fields := strings.ReplaceAll("\n"+more, "\n        # ", "\n        ")
	fields = strings.Replace(fields, "[password]", "[name]", 1) // a secret parameter must exist
	write(t, dir, "all.yaml", strings.Replace(string(text), more, fields, 1))
	_, err = command.Check(filepath.Join(dir, "all.yaml"))
	require.NoError(t, err)
}

func TestNewRefusesExistingFilesAndBadNames(t *testing.T) {
	dir := t.TempDir()
	_, _, err := command.New(dir, "hello-2")
	require.NoError(t, err)
	_, _, err = command.New(dir, "hello-2")
	require.ErrorIs(t, err, os.ErrExist)
	write(t, dir, "other.sh", "")
	_, _, err = command.New(dir, "other")
	require.ErrorIs(t, err, os.ErrExist)
	assert.NoFileExists(t, filepath.Join(dir, "other.yaml"))
	for _, name := range []string{"", "../x", "a b", "-a", "a/b", strings.Repeat("a", 41)} {
		_, _, err = command.New(dir, name)
		require.Error(t, err, name)
	}
}
