package builtin_test

import (
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin"
)

// TestFilesOfSizeZeroAreRead reads files whose content the system creates when they are read.
func TestFilesOfSizeZeroAreRead(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	root, err := os.OpenRoot("/proc/self")
	require.NoError(t, err)
	defer root.Close()
	info, err := root.Stat("status")
	require.NoError(t, err)
	require.Zero(t, info.Size())
	files, err := builtin.Files(root)
	require.NoError(t, err)
	k := toolkit{Registry: tool.NewRegistry()}
	require.NoError(t, k.Register(files))

	got, err := k.call(t, "files_read", args{"path": "status"})
	require.NoError(t, err)
	assert.Contains(t, got.Text, "\nPid:\t")
	got, err = k.call(t, "files_read", args{"path": "status", "startLine": "1", "endLine": "1"})
	require.NoError(t, err)
	assert.Regexp(t, `^Name:\t\S+\n\(Line 1 of \d+\.\)$`, got.Text)
	_, err = k.call(t, "files_read", args{"path": "status", "startLine": "5000"})
	require.ErrorContains(t, err, "so there is no line 5000")
	_, err = k.call(t, "files_read", args{"path": "cmdline"})
	require.ErrorContains(t, err, `"cmdline" is a binary file (application/octet-stream); only text in UTF-8 is read`)
	got, err = k.call(t, "files_search", args{"path": "status", "query": "Pid:"})
	require.NoError(t, err)
	assert.Contains(t, got.Text, ": Pid:")
}

// TestFailedReadsNameNoPathOutsideOfTheRoot reads a file that can be opened, but not read at its
// start.
func TestFailedReadsNameNoPathOutsideOfTheRoot(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	root, err := os.OpenRoot("/proc/self")
	require.NoError(t, err)
	defer root.Close()
	files, err := builtin.Files(root)
	require.NoError(t, err)
	k := toolkit{Registry: tool.NewRegistry()}
	require.NoError(t, k.Register(files))
	for method, arguments := range map[string]args{
		"files_read": {"path": "mem"}, "files_search": {"path": "mem", "query": "x"},
	} {
		_, err := k.call(t, method, arguments)
		require.EqualError(t, err, `"mem" cannot be read: input/output error`)
	}
}
