//go:build unix

package document_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/document"
)

// A wrong OpenFile would block here, because opening a pipe waits for its other end.
func TestOnlyRegularFilesAreOpened(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, syscall.Mkfifo(path("pipe"), 0o600))
	require.NoError(t, os.Symlink(path("pipe"), path("link")))
	require.NoError(t, os.WriteFile(path("file"), []byte("a: 1"), 0o600))
	require.NoError(t, os.Symlink(path("file"), path("good")))
	socket, err := net.Listen("unix", path("socket"))
	require.NoError(t, err)
	defer socket.Close()
	// With a reader, opening the pipe for writing would succeed without blocking.
	pipeWithReader := path("pipe with reader")
	require.NoError(t, syscall.Mkfifo(pipeWithReader, 0o600))
	reader, err := os.OpenFile(pipeWithReader, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	require.NoError(t, err)
	defer reader.Close()

	for _, tt := range []struct{ name, path, want string }{
		{"a pipe", path("pipe"), "it is a pipe"},
		{"a link to a pipe", path("link"), "it is a pipe"},
		{"a pipe that someone reads", pipeWithReader, "it is a pipe"},
		{"a directory", dir, "it is a directory"},
		{"a socket", path("socket"), "it is a socket"},
		{"a device that is empty", "/dev/null", "it is a device"},
		{"a device without end", "/dev/zero", "it is a device"},
		{"a terminal", "/dev/ptmx", "it is a device"},
	} {
		for name, flag := range map[string]int{
			"reading": os.O_RDONLY, "appending": os.O_WRONLY | os.O_APPEND | os.O_CREATE,
		} {
			t.Run(tt.name+" is refused for "+name, func(t *testing.T) {
				_, err := document.OpenFile(tt.path, flag, 0o600)
				require.ErrorIs(t, err, document.ErrNotRegular)
				require.ErrorContains(t, err, tt.path)
				require.ErrorContains(t, err, tt.want)
			})
		}
	}
	t.Run("a file is read through a link", func(t *testing.T) {
		data, err := document.ReadFile(path("good"), 4)
		require.NoError(t, err)
		require.Equal(t, "a: 1", string(data))
		_, err = document.ReadFile(path("good"), 3)
		require.ErrorContains(t, err, "larger than 3 bytes")
	})
	t.Run("a file that does not exist may be created", func(t *testing.T) {
		_, err := document.ReadFile(path("new"), 3)
		require.ErrorIs(t, err, os.ErrNotExist)
		f, err := document.OpenFile(path("new"), os.O_WRONLY|os.O_CREATE, 0o600)
		require.NoError(t, err)
		require.NoError(t, f.Close())
	})
	t.Run("a document is loaded only from a regular file", func(t *testing.T) {
		v, err := document.Load(path("file"))
		require.NoError(t, err)
		require.Equal(t, "1", v.Field("a").Text)
		_, err = document.Load(path("pipe"))
		require.ErrorIs(t, err, document.ErrNotRegular)
	})
	t.Run("reading stops at the limit", func(t *testing.T) {
		zero, err := os.Open("/dev/zero")
		require.NoError(t, err)
		defer zero.Close()
		_, err = document.Read(zero)
		require.ErrorContains(t, err, "larger than 1 MiB")
		_, err = document.Read(strings.NewReader("a: 1"))
		require.NoError(t, err)
	})
}
