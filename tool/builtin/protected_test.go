package builtin_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin"
)

func TestProtectedFilesAreNotChanged(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("creating links needs special rights on Windows")
	}
	outside := t.TempDir()
	var k toolkit
	var protected []string
	k = newToolkitWith(t, func(root *os.Root) ([]tool.Tool, error) {
		files, err := builtin.Files(root, builtin.WritableExcept(func() []string { return protected }))
		return []tool.Tool{files}, err
	})
	for _, name := range []string{"tools.yaml", "Plugin/a/plugin-manifest.json", "run.sh", "free.txt", "tools.yaml.bak", "Plugins/x"} {
		k.write(t, name, "old")
	}
	require.NoError(t, os.Symlink(filepath.Join(k.dir, "run.sh"), filepath.Join(outside, "link.sh")))
	require.NoError(t, os.Symlink(k.dir, filepath.Join(outside, "root")))
	require.NoError(t, os.Symlink(filepath.Join("root", "later.yaml"), filepath.Join(outside, "later")))
	require.NoError(t, os.Symlink("loop", filepath.Join(outside, "loop")))
	require.NoError(t, os.Symlink(filepath.Join(k.dir, "Plugin"), filepath.Join(outside, "plugins")))
	require.NoError(t, os.Symlink("plugins/../parent.yaml", filepath.Join(outside, "parent")))
	working, err := os.Getwd()
	require.NoError(t, err)
	relative, err := filepath.Rel(working, filepath.Join(k.dir, "late", "config.yaml"))
	require.NoError(t, err)
	protected = []string{
		filepath.Join(k.dir, "tools.yaml"),
		filepath.Join(outside, "root", "Plugin"), // by way of a link to the root
		filepath.Join(outside, "link.sh"),        // a link to run.sh
		relative,                                 // does not exist
		filepath.Join(outside, "later"),          // a link to a file that does not exist
		filepath.Join(outside, "loop"),           // a link to itself
		filepath.Join(outside, "parent"),         // a link to a missing file in the parent of a link's target
		outside + "/plugins/../above.yaml",       // not cleaned
		filepath.Join(outside, "else"),
		filepath.Join(k.dir, "secrets.yaml"), // in another letter case below
	}
	before := k.names(t)
	for _, path := range []string{
		"tools.yaml", "Tools.YAML", "./tools.yaml", "Plugin/a/plugin-manifest.json", "Plugin/new/deep/file", "Plugin", "run.sh", "late/config.yaml",
		"later.yaml", "parent.yaml", "above.yaml", "\u017fecret\u017f.yaml",
	} {
		t.Run(path, func(t *testing.T) {
			write := args{"path": path, "content": "new"}
			_, err := k.call(t, "files_write", write)
			require.ErrorContains(t, err, "decides what this program runs or records")
			_, err = k.previewOf(t, "files_write", write)
			require.ErrorContains(t, err, "decides what this program runs or records")
			_, err = k.call(t, "files_edit", args{"path": path, "oldText": "old", "newText": "new"})
			require.Error(t, err) // it may also say that the file does not exist
		})
	}
	require.Equal(t, before, k.names(t))
	for _, path := range []string{"free.txt", "tools.yaml.bak", "Plugins/x", "late/other.yaml"} {
		_, err := k.call(t, "files_write", args{"path": path, "content": "new"})
		require.NoError(t, err)
		require.Equal(t, "new", k.read(t, path))
	}
}

func TestFilesTakeOneOption(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	require.NoError(t, err)
	defer root.Close()
	protect := builtin.WritableExcept(func() []string { return []string{"tools.yaml"} })
	_, err = builtin.Files(root, protect, builtin.Writable())
	require.ErrorContains(t, err, "one of Writable and WritableExcept")
}
