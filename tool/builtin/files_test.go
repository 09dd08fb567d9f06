package builtin_test

import (
	"context"
	"fmt"
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

func TestListShowsFilesWithTheirSizes(t *testing.T) {
	for _, test := range []struct {
		name string
		args args
		want string
	}{
		{
			"the root by default", nil,
			".git/\nREADME.md (31 bytes, 4 lines)\nimage.png (14 bytes)\nlatin1.txt (10 bytes)\nmain.go (29 bytes, 3 lines)\nprotocol/",
		},
		{"a directory", args{"path": "protocol"}, "protocol/message.go (38 bytes, 3 lines)\nprotocol/tool.go (17 bytes, 1 line)\nprotocol/vcp/"},
		{
			"a directory with a slash at its end", args{"path": "protocol/"},
			"protocol/message.go (38 bytes, 3 lines)\nprotocol/tool.go (17 bytes, 1 line)\nprotocol/vcp/",
		},
		{
			"a directory with dots in its path", args{"path": "./protocol/../protocol"},
			"protocol/message.go (38 bytes, 3 lines)\nprotocol/tool.go (17 bytes, 1 line)\nprotocol/vcp/",
		},
		{"a slash is the root", args{"path": "/", "glob": "*.md"}, "README.md (31 bytes, 4 lines)"},
		{"several slashes are the root", args{"path": " // ", "glob": "*.md"}, "README.md (31 bytes, 4 lines)"},
		{"a quoted path", args{"path": `"protocol/"`, "glob": "m*"}, "protocol/message.go (38 bytes, 3 lines)"},
		{"a pattern", args{"path": "protocol", "glob": "*.go"}, "protocol/message.go (38 bytes, 3 lines)\nprotocol/tool.go (17 bytes, 1 line)"},
		{"alternatives", args{"glob": "*.{go,md}"}, "README.md (31 bytes, 4 lines)\nmain.go (29 bytes, 3 lines)"},
		{"nested alternatives", args{"glob": "{main.{go,c},*.md}"}, "README.md (31 bytes, 4 lines)\nmain.go (29 bytes, 3 lines)"},
		{
			"recursive", args{"path": "protocol", "recursive": "yes"},
			"protocol/message.go (38 bytes, 3 lines)\nprotocol/tool.go (17 bytes, 1 line)\nprotocol/vcp/\nprotocol/vcp/notes.md (6 bytes, 1 line)\nprotocol/vcp/scan.go (20 bytes, 2 lines)",
		},
		{
			"recursive with a pattern", args{"recursive": "true", "glob": "*.go"},
			"main.go (29 bytes, 3 lines)\nprotocol/message.go (38 bytes, 3 lines)\nprotocol/tool.go (17 bytes, 1 line)\nprotocol/vcp/scan.go (20 bytes, 2 lines)",
		},
		{
			"a pattern with directories is recursive", args{"glob": "protocol/*.go"},
			"protocol/message.go (38 bytes, 3 lines)\nprotocol/tool.go (17 bytes, 1 line)",
		},
		{"a pattern for any directory", args{"glob": "**/*.md"}, "README.md (31 bytes, 4 lines)\nprotocol/vcp/notes.md (6 bytes, 1 line)"},
		{"a pattern with any directory inside", args{"glob": "protocol/**/s*.go"}, "protocol/vcp/scan.go (20 bytes, 2 lines)"},
		{
			"nothing fits", args{"path": "protocol", "glob": "*.rs"},
			"Nothing in protocol/ fits *.rs. There is: message.go, tool.go, vcp/. Subdirectories were not searched; set recursive to true to search them.",
		},
		{
			"nothing fits although subdirectories were searched",
			args{"path": "protocol", "glob": "*.rs", "recursive": "true"},
			"Nothing in protocol/ fits *.rs. There is: message.go, tool.go, vcp/, vcp/notes.md, vcp/scan.go.",
		},
		{
			"nothing fits in a directory without subdirectories", args{"path": "protocol/vcp", "glob": "*.rs"},
			"Nothing in protocol/vcp/ fits *.rs. There is: notes.md, scan.go.",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := newProject(t).call(t, "files_list", test.args)
			require.NoError(t, err)
			assert.Equal(t, test.want, got.Text)
		})
	}
	k := newToolkit(t)
	got, err := k.call(t, "files_list", nil)
	require.NoError(t, err)
	assert.Equal(t, "the root directory is empty.", got.Text)
}

func TestListIsLimited(t *testing.T) {
	k := newToolkit(t)
	for i := range 1005 {
		k.write(t, fmt.Sprintf("f%04d", i), "")
	}
	got, err := k.call(t, "files_list", nil)
	require.NoError(t, err)
	lines := strings.Split(got.Text, "\n")
	assert.Len(t, lines, 1001)
	assert.Equal(t, "(These are 1000 of 1005 entries: choose a subdirectory, or a glob.)", lines[1000])
	got, err = k.call(t, "files_list", args{"glob": "*.go"})
	require.NoError(t, err)
	assert.Contains(t, got.Text, "f0018, f0019 and 985 more.")
}

func TestReadReturnsTheRequestedLines(t *testing.T) {
	long := strings.Repeat("0123456789abcde\n", 20_000) // 320,000 bytes
	for _, test := range []struct {
		name, content string
		args          args
		want          string
	}{
		{"a whole file, unchanged", "a\r\n\tb\n\nc", nil, "a\r\n\tb\n\nc"},
		{"an empty file", "", nil, "(The file is empty.)"},
		{"some lines", "1\n2\n3\n4\n", args{"startLine": "2", "end_line": "3"}, "2\n3\n(Lines 2 to 3 of 4.)"},
		{"lines to the end", "1\n2\n3", args{"startLine": "2"}, "2\n3\n(Lines 2 to 3 of 3.)"},
		{"lines from the start", "1\n2\n3", args{"endLine": "1"}, "1\n(Line 1 of 3.)"},
		{"lines past the end", "1\n2", args{"startLine": "2", "endLine": "99"}, "2\n(Line 2 of 2.)"},
		{"the last lines", "1\n2\n3\n4\n", args{"startLine": "-2"}, "3\n4\n(Lines 3 to 4 of 4.)"},
		{"the last line without a line break", "1\n2\n3", args{"startLine": "-1"}, "3\n(Line 3 of 3.)"},
		{"a start from the end, and an end from the start", "1\n2\n3\n4\n", args{"startLine": "-3", "endLine": "3"}, "2\n3\n(Lines 2 to 3 of 4.)"},
		{"an end from the end", "1\n2\n3\n4\n", args{"endLine": "-3"}, "1\n2\n(Lines 1 to 2 of 4.)"},
		{"a start and an end from the end", "1\n2\n3\n4\n", args{"startLine": "-3", "endLine": "-2"}, "2\n3\n(Lines 2 to 3 of 4.)"},
		{"lines to the last line", "1\n2\n3", args{"startLine": "2", "endLine": "-1"}, "2\n3\n(Lines 2 to 3 of 3.)"},
		{"more lines from the end than there are", "1\n2\n", args{"startLine": "-9"}, "1\n2\n"},
		{"the end of an empty file", "", args{"startLine": "-1", "endLine": "-1"}, "(The file is empty.)"},
		{"a byte order mark is omitted", "\ufeffa\n", nil, "a\n"},
		{"other scripts", "日本語\n", nil, "日本語\n"},
		{
			"a long file is truncated at a line", long, nil,
			long[:128<<10] + "(Lines 1 to 8192 of 20000; to continue, set startLine to 8193; to find a word, use files_search.)",
		},
		{
			"a long file is continued at a line", long, args{"startLine": "19999"},
			"0123456789abcde\n0123456789abcde\n(Lines 19999 to 20000 of 20000.)",
		},
		{
			"a long line is truncated at a character", strings.Repeat("長", 50_000), nil,
			strings.Repeat("長", 43690) + "\n(This line is truncated after 131070 bytes. Line 1 of 1; to find a word, use files_search.)",
		},
		{
			"a line that does not fit follows in the next call", "short\n" + strings.Repeat("x", 140_000), nil,
			"short\n(Line 1 of 2; to continue, set startLine to 2; to find a word, use files_search.)",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			k := newToolkit(t)
			k.write(t, "dir/file.txt", test.content)
			a := args{"path": "dir/file.txt"}
			for name, value := range test.args {
				a[name] = value
			}
			got, err := k.call(t, "files_read", a)
			require.NoError(t, err)
			assert.Equal(t, test.want, got.Text)
		})
	}
}

func TestSearchFindsLines(t *testing.T) {
	const omitted = "\n(Omitted, because they are binary, larger than 4194304 bytes or unreadable: 2 files.)"
	for _, test := range []struct {
		name string
		args args
		want string
	}{
		{
			"plain text", args{"query": "text"},
			"README.md:3: Some text.\nprotocol/message.go:3: // Message is text.\nprotocol/vcp/scan.go:2: // text" + omitted,
		},
		{"in a directory", args{"query": "text", "path": "protocol"}, "protocol/message.go:3: // Message is text.\nprotocol/vcp/scan.go:2: // text"},
		{"in files that fit", args{"query": "text", "glob": "*.md"}, "README.md:3: Some text."},
		{"in a single file", args{"query": "Text", "path": "README.md"}, "README.md:4: More Text."},
		{"in any letter case", args{"query": "TEXT", "path": "README.md", "ignore_case": "true"}, "README.md:3: Some text.\nREADME.md:4: More Text."},
		{"plain text is not read as an expression", args{"query": "main()", "glob": "*.go"}, "main.go:3: func main() {}"},
		{
			"an expression", args{"query": `^package \w+$`, "regexp": "true", "path": "protocol"},
			"protocol/message.go:1: package protocol\nprotocol/tool.go:1: package protocol\nprotocol/vcp/scan.go:1: package vcp",
		},
		{
			"an expression in any letter case",
			args{"query": "^# t", "regexp": "true", "ignoreCase": "true", "path": "README.md"},
			"README.md:1: # Title",
		},
		{"the directory .git, if it is named", args{"query": "text", "path": ".git"}, ".git/config:1: text"},
		{"nothing", args{"query": "absent", "path": "protocol"}, `"absent" was not found in protocol.`},
		{
			"nothing, because an expression is searched for as plain text",
			args{"query": "^pack.*", "path": "protocol"},
			`"^pack.*" was not found in protocol. It was searched for as plain text; if it is a regular expression, set regexp to true.`,
		},
		{
			"found only in another case", args{"query": "TEXT", "path": "README.md"},
			`"TEXT" was not found in README.md. If case is ignored, the search finds 2 matching lines, the first in README.md line 3; set ignoreCase to true.`,
		},
		{
			"an expression that matches only in another case",
			args{"query": "^PACKAGE", "regexp": "true", "path": "protocol"},
			`"^PACKAGE" was not found in protocol. If case is ignored, the search finds 3 matching lines, the first in protocol/message.go line 1; set ignoreCase to true.`,
		},
		{
			"the number of matches", args{"query": "text", "path": "protocol", "count": "true"},
			"2 matching lines in 2 files:\nprotocol/message.go: 1\nprotocol/vcp/scan.go: 1",
		},
		{
			"the number of matches in any letter case",
			args{"query": "text", "path": "README.md", "count": "true", "ignoreCase": "true"},
			"2 matching lines in 1 file:\nREADME.md: 2",
		},
		{
			"the number of matches, if there are none", args{"query": "absent", "path": "README.md", "count": "true"},
			`"absent" was not found in README.md.`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := newProject(t).call(t, "files_search", test.args)
			require.NoError(t, err)
			assert.Equal(t, test.want, got.Text)
		})
	}
}

func TestSearchIsLimited(t *testing.T) {
	k := newToolkit(t)
	k.write(t, "many.txt", strings.Repeat("hit\n", 300))
	k.write(t, "wide.txt", "hit "+strings.Repeat("長", 5000)+"\n")
	got, err := k.call(t, "files_search", args{"query": "hit"})
	require.NoError(t, err)
	lines := strings.Split(got.Text, "\n")
	assert.Len(t, lines, 201)
	assert.Contains(t, lines[200], "These are 200 of 301 matching lines.")
	got, err = k.call(t, "files_search", args{"query": "hit", "count": "true"})
	require.NoError(t, err)
	assert.Equal(t, "301 matching lines in 2 files:\nmany.txt: 300\nwide.txt: 1", got.Text)

	got, err = k.call(t, "files_search", args{"query": "hit", "glob": "wide*"})
	require.NoError(t, err)
	assert.Less(t, len(got.Text), 1000)

	k.write(t, "large.txt", strings.Repeat("x", 5<<20)+"\nhit\n")
	got, err = k.call(t, "files_search", args{"query": "hit", "glob": "large*"})
	require.NoError(t, err)
	assert.Contains(t, got.Text, "1 files")
	_, err = k.call(t, "files_search", args{"query": "hit", "path": "large.txt"})
	assert.ErrorContains(t, err, "files of at most 4194304 are searched")
}

func TestFilesRefuseBadRequests(t *testing.T) {
	k := newProject(t)
	for _, test := range []struct {
		name, method string
		args         args
		want         string
	}{
		{
			"a path above the root", "files_read", args{"path": "../secret"},
			`"../secret" is outside of the root directory, and only what is below it can be reached`,
		},
		{"a path that leaves the root through a directory", "files_list", args{"path": "protocol/../../x"}, "is outside of the root directory"},
		{
			"an absolute path", "files_read", args{"path": "/etc/passwd"},
			`"/etc/passwd" is an absolute path: write it relative to the root directory, for example "etc/passwd"`,
		},
		{"only slashes, which mean the root", "files_read", args{"path": "//"}, `"." is a directory`},
		{"an absolute path, quoted", "files_read", args{"path": `"/etc/passwd"`}, `"/etc/passwd" is an absolute path`},
		{"a path above the root, quoted", "files_read", args{"path": `"../secret"`}, `"../secret" is outside of the root directory`},
		{"an absolute directory", "files_list", args{"path": "/etc"}, "is an absolute path"},
		{"an absolute directory to search", "files_search", args{"path": "/etc", "query": "root"}, "is an absolute path"},
		{
			"a file that does not exist", "files_read", args{"path": "none.txt"},
			`there is no "none.txt" below the root directory; files_list lists what there is`,
		},
		{"a directory that does not exist", "files_list", args{"path": "none"}, `there is no "none" below the root directory`},
		{
			"a file that is in another directory", "files_read", args{"path": "scan.go"},
			`there is no "scan.go" below the root directory; did you mean "protocol/vcp/scan.go"?`,
		},
		{"a file in the wrong directory", "files_read", args{"path": "vcp/scan.go"}, `did you mean "protocol/vcp/scan.go"?`},
		{"a misspelled file", "files_read", args{"path": "protocol/mesage.go"}, `did you mean "protocol/message.go"?`},
		{"a file of another name in the same directory", "files_read", args{"path": "protocol/vcp/read.go"}, `files_list lists`},
		{"a misspelled directory", "files_list", args{"path": "protocl"}, `did you mean "protocol"?`},
		{"a misspelled directory in a path", "files_read", args{"path": "protocl/tool.go"}, `did you mean "protocol/tool.go"?`},
		{"a path in another case", "files_search", args{"path": "Protocol/VCP", "query": "x"}, `did you mean "protocol/vcp"?`},
		{"a path through a file", "files_read", args{"path": "main.go/x"}, `"main.go/x"`},
		{"a NUL in a path", "files_read", args{"path": "a\x00b"}, `cannot be read: invalid argument`},
		{"a directory to read", "files_read", args{"path": "protocol"}, `"protocol" is a directory; files_list lists it`},
		{"a file to list", "files_list", args{"path": "main.go"}, `"main.go" is a file, not a directory; files_read reads it`},
		{"a binary file", "files_read", args{"path": "image.png"}, `"image.png" (14 bytes) is a binary file (image/png); only text in UTF-8 is read`},
		{"another encoding", "files_read", args{"path": "latin1.txt"}, `"latin1.txt" (10 bytes) is a binary file, or text that is not in UTF-8`},
		{"a binary file to search", "files_search", args{"path": "image.png", "query": "text"}, `"image.png" (14 bytes) is a binary file`},
		{
			"a line past the end", "files_read", args{"path": "main.go", "startLine": "50"},
			`"main.go" has 3 lines, so there is no line 50; startLine -20 reads the last 20`,
		},
		{"lines in the wrong order", "files_read", args{"path": "main.go", "startLine": "3", "endLine": "2"}, `endLine 2 is before startLine 3`},
		{
			"lines in the wrong order, from the end", "files_read",
			args{"path": "main.go", "startLine": "-1", "endLine": "-2"},
			`endLine -2 is before startLine -1 in "main.go", which has 3 lines`,
		},
		{
			"an end before the first line", "files_read", args{"path": "main.go", "endLine": "-4"},
			`endLine -4 is before startLine 1 in "main.go", which has 3 lines`,
		},
		{
			"a line before the first", "files_read", args{"path": "main.go", "startLine": "0"},
			`startLine must not be 0: the first line is 1, and the last line is -1`,
		},
		{
			"a line number that is too large", "files_read",
			args{"path": "main.go", "startLine": "99999999999999999999"}, `startLine: expected a value that fits int`,
		},
		{"no path to read", "files_read", nil, `path: missing, expected string`},
		{"an empty query", "files_search", args{"query": ""}, `the query is empty`},
		{"a query of two lines", "files_search", args{"query": "a\nb"}, `the query contains a line break`},
		{
			"a query that is too long", "files_search", args{"query": strings.Repeat("x", 2000)},
			`the query has 2000 bytes, and at most 1000 are searched for`,
		},
		{"an invalid expression", "files_search", args{"query": "(", "regexp": "true"}, `"(" is not a regular expression`},
		{
			"an expression with too many nested repetitions", "files_search",
			args{"query": "((a{100}){100}){100}", "regexp": "true"}, `is not a regular expression`,
		},
		{
			"an expression that is too large", "files_search",
			args{"query": "(" + strings.Repeat("a", 500) + "){1000}", "regexp": "true"},
			`is too large: with all repetitions written out, it has about 503000 parts, and the limit is 2000`,
		},
		{"an invalid pattern", "files_list", args{"glob": "[a"}, `"[a" is not a file name pattern`},
		{"a pattern with too many alternatives", "files_list", args{"glob": strings.Repeat("{a,b,c,d}", 20)}, `too many alternatives`},
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
		{"files_read", args{"path": "gone"}, `"gone" is a symbolic link to what does not exist`},
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

func TestFilesEndWithTheirContext(t *testing.T) {
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
