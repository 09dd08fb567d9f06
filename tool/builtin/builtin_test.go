package builtin_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin"
	"github.com/vcpgo/vcp/tool/schema"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// args are the arguments of a request, as text.
type args map[string]string

// toolkit is a registry with the tools of a test. Their root directory is dir.
type toolkit struct {
	*tool.Registry
	dir string
}

// newToolkit returns a toolkit with the tools of builtin.Tools.
func newToolkit(t testing.TB) toolkit {
	t.Helper()
	return newToolkitWith(t, builtin.Tools)
}

// newToolkitWith returns a toolkit with the tools that build returns for an empty directory.
func newToolkitWith(t testing.TB, build func(*os.Root) ([]tool.Tool, error)) toolkit {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, root.Close()) })
	tools, err := build(root)
	require.NoError(t, err)
	k := toolkit{tool.NewRegistry(), dir}
	require.NoError(t, k.Register(tools...))
	return k
}

// write creates a file below the root, and the directories of its path.
func (k toolkit) write(t testing.TB, name, content string) {
	t.Helper()
	name = filepath.Join(k.dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, []byte(content), 0o644))
}

// call converts arguments from text to typed values, as an engine does, and runs a method with
// them.
func (k toolkit) call(t testing.TB, method string, a args) (tool.Output, error) {
	t.Helper()
	found, err := k.Resolve(method, "", nil)
	require.NoError(t, err)
	object, err := typedObject(found, a)
	if err != nil {
		return tool.Output{}, err
	}
	return found.Entry.Method.Handler(t.Context(),
		&tool.Call{ID: "1", Method: found.Entry, Arguments: object, Progress: func(string) {}})
}

// objectOfStrings returns arguments as a JSON object of strings.
func objectOfStrings(t testing.TB, a args) string {
	t.Helper()
	object, err := json.Marshal(a)
	require.NoError(t, err)
	return string(object)
}

// typedObject converts arguments to a JSON object, as the method's schema requires them.
func typedObject(found tool.Resolution, a args) (json.RawMessage, error) {
	var texts []schema.Text
	for name, value := range a {
		texts = append(texts, schema.Text{Name: name, Value: value})
	}
	object, _, err := found.Entry.Method.Parameters.Object(texts)
	return object, err
}

func TestToolsReturnsDescribedMethodsThatOnlyRead(t *testing.T) {
	k := newToolkit(t)
	var names []string
	for _, e := range k.Entries() {
		names = append(names, e.FullName)
		d := e.Definition("en")
		assert.True(t, e.Method.AgentCallable, e.FullName)
		assert.Equal(t, tool.RiskRead, e.Risk(), e.FullName)
		assert.NotEmpty(t, e.Method.Title, e.FullName)
		assert.NotEmpty(t, d.Description, e.FullName)
		assert.NotEmpty(t, d.Examples, e.FullName)
		for _, p := range d.Parameters {
			assert.NotEmpty(t, p.Description, "%s %s", e.FullName, p.Name)
			assert.NotEmpty(t, p.Type, "%s %s", e.FullName, p.Name)
		}
	}
	assert.Equal(t, []string{
		"calculator_evaluate", "clock_between", "clock_convert", "clock_now", "files_list", "files_read", "files_search",
	}, names)
}

func TestWithoutARootThereIsNoFilesTool(t *testing.T) {
	tools, err := builtin.Tools(nil)
	require.NoError(t, err)
	assert.Len(t, tools, 2)
	_, err = builtin.Files(nil)
	assert.Error(t, err)
}
