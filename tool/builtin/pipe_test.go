//go:build unix

package builtin_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOnlyOrdinaryFilesAreOpened(t *testing.T) {
	k := newKit(t)
	require.NoError(t, syscall.Mkfifo(filepath.Join(k.dir, "pipe"), 0o600))
	k.write(t, "a.txt", "text\n")

	_, err := k.call(t, "files_read", args{"path": "pipe"})
	require.ErrorContains(t, err, `"pipe" is no ordinary file`)
	got, err := k.call(t, "files_search", args{"query": "text"})
	require.NoError(t, err)
	assert.Equal(t, "a.txt:1: text", got.Text)
	got, err = k.call(t, "files_list", nil)
	require.NoError(t, err)
	assert.Equal(t, "a.txt\npipe", got.Text)
}
