package builtin_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin"
)

// callFor returns a call of a method with arguments in JSON.
func callFor(found tool.Resolution, arguments string) *tool.Call {
	return &tool.Call{ID: "1", Method: found.Entry, Arguments: []byte(arguments), Progress: func(string) {}}
}

// newProject returns a toolkit with a small tree of files.
func newProject(t testing.TB) toolkit {
	t.Helper()
	k := newToolkit(t)
	k.write(t, "README.md", "# Title\n\nSome text.\nMore Text.\n")
	k.write(t, "main.go", "package main\n\nfunc main() {}\n")
	k.write(t, "protocol/message.go", "package protocol\n\n// Message is text.\n")
	k.write(t, "protocol/tool.go", "package protocol\n")
	k.write(t, "protocol/vcp/scan.go", "package vcp\n// text\n")
	k.write(t, "protocol/vcp/notes.md", "notes\n")
	k.write(t, ".git/config", "text\n")
	k.write(t, "image.png", "\x89PNG\r\n\x1a\n\x00\x00text")
	k.write(t, "latin1.txt", "caf\xe9 text\n")
	return k
}

func TestFilesRefuseBadRequests(t *testing.T) {
	k := newProject(t)
	for _, test := range []struct {
		name, method string
		args         args
		want         string
	}{
		{
			"a path above the root", "files_read",
			args{"path": "../secret"},
			`"../secret" is outside of the root directory, and only what is below it can be reached`,
		},
		{
			"a path that leaves the root through a directory",
			"files_list",
			args{"path": "protocol/../../x"},
			"is outside of the root directory",
		},
		{
			"an absolute path", "files_read",
			args{"path": "/etc/passwd"},
			`"/etc/passwd" is an absolute path: write it relative to the root directory, for example "etc/passwd"`,
		},
		{"only slashes, which mean the root", "files_read", args{"path": "//"}, `"." is a directory`},
		{"an absolute path, quoted", "files_read", args{"path": `"/etc/passwd"`}, `"/etc/passwd" is an absolute path`},
		{
			"a path above the root, quoted",
			"files_read",
			args{"path": `"../secret"`},
			`"../secret" is outside of the root directory`,
		},
		{"an absolute directory", "files_list", args{"path": "/etc"}, "is an absolute path"},
		{"an absolute directory to search", "files_search", args{"path": "/etc", "query": "root"}, "is an absolute path"},
		{
			"a file that does not exist", "files_read",
			args{"path": "none.txt"},
			`there is no "none.txt" below the root directory; files_list lists what there is`,
		},
		{"a directory that does not exist", "files_list", args{"path": "none"}, `there is no "none" below the root directory`},
		{
			"a file that is in another directory", "files_read",
			args{"path": "scan.go"},
			`there is no "scan.go" below the root directory; did you mean "protocol/vcp/scan.go"?`,
		},
		{"a file in the wrong directory", "files_read", args{"path": "vcp/scan.go"}, `did you mean "protocol/vcp/scan.go"?`},
		{"a misspelled file", "files_read", args{"path": "protocol/mesage.go"}, `did you mean "protocol/message.go"?`},
		{"a name that is similar to no other", "files_read", args{"path": "protocol/vcp/read.go"}, `files_list lists`},
		{"a misspelled directory", "files_list", args{"path": "protocl"}, `did you mean "protocol"?`},
		{"a misspelled directory in a path", "files_read", args{"path": "protocl/tool.go"}, `did you mean "protocol/tool.go"?`},
		{"a path in another case", "files_search", args{"path": "Protocol/VCP", "query": "x"}, `did you mean "protocol/vcp"?`},
		{"a path through a file", "files_read", args{"path": "main.go/x"}, `"main.go/x"`},
		{"a NUL in a path", "files_read", args{"path": "a\x00b"}, `cannot be read: invalid argument`},
		{"a directory to read", "files_read", args{"path": "protocol"}, `"protocol" is a directory; files_list lists it`},
		{"a file to list", "files_list", args{"path": "main.go"}, `"main.go" is a file, not a directory; files_read reads it`},
		{
			"a binary file",
			"files_read",
			args{"path": "image.png"},
			`"image.png" (14 bytes) is a binary file (image/png); only text in UTF-8 is read`,
		},
		{
			"another encoding",
			"files_read",
			args{"path": "latin1.txt"},
			`"latin1.txt" (10 bytes) is a binary file, or text that is not in UTF-8`,
		},
		{
			"a binary file to search",
			"files_search",
			args{"path": "image.png", "query": "text"},
			`"image.png" (14 bytes) is a binary file`,
		},
		{
			"a line past the end", "files_read",
			args{"path": "main.go", "startLine": "50"},
			`"main.go" has 3 lines, so there is no line 50; startLine -20 reads the last 20`,
		},
		{
			"lines in the wrong order",
			"files_read",
			args{"path": "main.go", "startLine": "3", "endLine": "2"},
			`endLine 2 is before startLine 3`,
		},
		{
			"lines in the wrong order, from the end", "files_read",
			args{"path": "main.go", "startLine": "-1", "endLine": "-2"},
			`endLine -2 is before startLine -1 in "main.go", which has 3 lines`,
		},
		{
			"an end before the first line", "files_read",
			args{"path": "main.go", "endLine": "-4"},
			`endLine -4 is before startLine 1 in "main.go", which has 3 lines`,
		},
		{
			"a line before the first", "files_read",
			args{"path": "main.go", "startLine": "0"},
			`startLine must not be 0: the first line is 1, and the last line is -1`,
		},
		{
			"a line number that is too large", "files_read",
			args{"path": "main.go", "startLine": "99999999999999999999"},
			`startLine: expected a value that fits int`,
		},
		{"no path to read", "files_read", nil, `path: missing, expected string`},
		{"an empty query", "files_search", args{"query": ""}, `the query is empty`},
		{"a query of two lines", "files_search", args{"query": "a\nb"}, `the query contains a line break`},
		{
			"a query that is too long", "files_search",
			args{"query": strings.Repeat("x", 2000)},
			`the query has 2000 bytes, and at most 1000 are searched for`,
		},
		{"an invalid expression", "files_search", args{"query": "(", "regexp": "true"}, `"(" is not a regular expression`},
		{
			"an expression with too many nested repetitions", "files_search",
			args{"query": "((a{100}){100}){100}", "regexp": "true"},
			`is not a regular expression`,
		},
		{
			"an expression that is too large", "files_search",
			args{"query": "(" + strings.Repeat("a", 500) + "){1000}", "regexp": "true"},
			`is too large: with all repetitions written out, it has about 503000 parts, and the limit is 2000`,
		},
		{"an invalid pattern", "files_list", args{"glob": "[a"}, `"[a" is not a file name pattern`},
		{
			"a pattern with too many alternatives",
			"files_list",
			args{"glob": strings.Repeat("{a,b,c,d}", 20)},
			`too many alternatives`,
		},
		{"a pattern with too many stars", "files_list", args{"glob": strings.Repeat("**/", 30) + "x"}, `too many alternatives`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := k.call(t, test.method, test.args)
			require.ErrorContains(t, err, test.want)
			assert.NotContains(t, err.Error(), k.dir, "no path of the machine reaches the model")
		})
	}
}

func TestLinksOutOfTheRootAreNotFollowed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("creating links needs special rights on Windows")
	}
	k := newProject(t)
	outside := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(outside, "secret.txt"), []byte("secret text\n"), 0o600))
	for name, target := range map[string]string{
		"out":     outside,
		"out.txt": filepath.Join(outside, "secret.txt"),
		"up":      "..",
		"in.go":   "protocol/tool.go",
		"in":      "protocol/vcp/..",
		"abs.go":  filepath.Join(k.dir, "main.go"),
		"back.go": filepath.Join("..", filepath.Base(k.dir), "main.go"),
		"gone":    "protocol/none.go",
		"loop":    "loop",
		"ping":    "pong",
		"pong":    "ping",
	} {
		require.NoError(t, os.Symlink(target, filepath.Join(k.dir, name)))
	}

	got, err := k.call(t, "files_list", args{"glob": "*o*", "recursive": "true"})
	require.NoError(t, err)
	assert.NotContains(t, got.Text, "secret")
	assert.Contains(t, got.Text, "out (symbolic link)\nout.txt (symbolic link)\n")

	for _, path := range []string{"in.go", "in/tool.go"} {
		got, err = k.call(t, "files_read", args{"path": path})
		require.NoError(t, err)
		assert.Equal(t, "package protocol\n", got.Text, "a link within the root is followed")
	}

	got, err = k.call(t, "files_search", args{"query": "secret"})
	require.NoError(t, err)
	assert.Contains(t, got.Text, "was not found")

	const notFollowed = "leads through a symbolic link that is not followed: a link must not leave the root directory or have an absolute target"
	for _, test := range []struct {
		method string
		args   args
		want   string
	}{
		{"files_read", args{"path": "out.txt"}, notFollowed},
		{"files_read", args{"path": "out/secret.txt"}, notFollowed},
		{"files_list", args{"path": "out"}, notFollowed},
		{"files_list", args{"path": "up"}, notFollowed},
		{"files_search", args{"path": "out", "query": "text"}, notFollowed},
		{"files_search", args{"path": "out.txt", "query": "text"}, notFollowed},
		{"files_read", args{"path": "abs.go"}, notFollowed},
		{"files_read", args{"path": "back.go"}, notFollowed},
		{"files_read", args{"path": "loop"}, `"loop" leads through too many symbolic links, or in a loop of them`},
		{"files_list", args{"path": "ping/x"}, `"ping/x" leads through too many symbolic links, or in a loop of them`},
		{"files_read", args{"path": "gone"}, `"gone" is a symbolic link whose target does not exist`},
		{"files_read", args{"path": "in/none.go"}, `there is no "in/none.go" below the root directory`},
		{"files_read", args{"path": "in/" + strings.Repeat("x", 300)}, `cannot be read: file name too long`},
		{"files_read", args{"path": "in.go/x"}, `there is no "in.go/x": a part of that path is a file`},
	} {
		_, err := k.call(t, test.method, test.args)
		require.ErrorContains(t, err, test.want, "%v", test)
		assert.NotContains(t, err.Error(), filepath.Base(k.dir), "no path of the machine reaches the model")
	}
}

// TestLinkSwappedAfterTheCheckIsNotFollowed opens a path that became a link to the outside after it
// was checked.
func TestLinkSwappedAfterTheCheckIsNotFollowed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("creating links needs special rights on Windows")
	}
	k, outside := newProject(t), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(outside, "tool.go"), []byte("secret"), 0o600))
	root, err := os.OpenRoot(k.dir)
	require.NoError(t, err)
	defer root.Close()
	require.NoError(t, builtin.OpenChecked(root, "protocol/tool.go"))
	require.NoError(t, os.RemoveAll(filepath.Join(k.dir, "protocol")))
	require.NoError(t, os.Symlink(outside, filepath.Join(k.dir, "protocol")))
	require.Error(t, builtin.OpenChecked(root, "protocol/tool.go"))
	require.NoError(t, os.Symlink(filepath.Join(outside, "tool.go"), filepath.Join(k.dir, "link.go")))
	require.Error(t, builtin.OpenChecked(root, "link.go"))
}

func TestFileMethodsReturnWhenTheContextEnds(t *testing.T) {
	k := newProject(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for method, arguments := range map[string]string{
		"files_list":   `{"path":".","recursive":true}`,
		"files_read":   `{"path":"main.go","startLine":1}`,
		"files_search": `{"path":".","query":"text","regexp":false,"ignoreCase":false}`,
	} {
		found, err := k.Resolve(method, "", nil)
		require.NoError(t, err)
		_, err = found.Entry.Method.Handler(ctx, callFor(found, arguments))
		assert.ErrorIs(t, err, context.Canceled, method)
	}
}
