//go:build unix

package builtin_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool/builtin"
)

func TestOnlyOrdinaryFilesAreOpened(t *testing.T) {
	k := newToolkit(t)
	require.NoError(t, syscall.Mkfifo(filepath.Join(k.dir, "pipe"), 0o600))
	k.write(t, "a.txt", "text\n")

	_, err := k.call(t, "files_read", args{"path": "pipe"})
	require.ErrorContains(t, err, `"pipe" is not an ordinary file`)
	got, err := k.call(t, "files_search", args{"query": "text"})
	require.NoError(t, err)
	assert.Equal(t, "a.txt:1: text", got.Text)
	got, err = k.call(t, "files_list", nil)
	require.NoError(t, err)
	assert.Equal(t, "a.txt (5 bytes, 1 line)\npipe", got.Text)
}

// TestWalkDoesNotWaitForAPipe replaces a directory by a pipe after the walk has seen it, and before
// the walk opens it. A walk that waited for a writer of the pipe would never end.
func TestWalkDoesNotWaitForAPipe(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o755))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	partial, err := builtin.Walk(t.Context(), root, func(name string, _ fs.DirEntry) error {
		require.NoError(t, os.Remove(filepath.Join(dir, name)))
		return syscall.Mkfifo(filepath.Join(dir, name), 0o600)
	})
	require.NoError(t, err)
	require.True(t, partial, "the walk is incomplete, because the pipe is not a directory")
}

func TestLinkedDirectoryIsListed(t *testing.T) {
	k := newToolkit(t)
	k.write(t, "dir/a.txt", "text\n")
	require.NoError(t, os.Symlink("dir", filepath.Join(k.dir, "link")))
	got, err := k.call(t, "files_list", args{"path": "link"})
	require.NoError(t, err)
	assert.Equal(t, "link/a.txt (5 bytes, 1 line)", got.Text)
}

func TestAWriteDoesNotWaitForAPipe(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "sub"), 0o600))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	require.Error(t, builtin.OpenBelow(root, "sub"))
}
