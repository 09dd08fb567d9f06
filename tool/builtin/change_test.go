package builtin_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin"
)

// newFilesToolkit returns a toolkit with only the files tool, which has all its methods.
func newFilesToolkit(t testing.TB) toolkit {
	t.Helper()
	return newToolkitWith(t, func(root *os.Root) ([]tool.Tool, error) {
		files, err := builtin.Files(root, builtin.Writable())
		return []tool.Tool{files}, err
	})
}

// read returns the content of a file.
func (k toolkit) read(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(k.dir, filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(data)
}

// names returns the paths of all files below dir, including temporary files that a failed call did
// not remove.
func (k toolkit) names(t testing.TB) (list []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(k.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(k.dir, path)
			list = append(list, filepath.ToSlash(rel))
		}
		return err
	}))
	return list
}

// previewOf returns the preview of a call, which a person sees before approving it.
func (k toolkit) previewOf(t testing.TB, method string, a args) (string, error) {
	t.Helper()
	found, err := k.Resolve(method, "", nil)
	require.NoError(t, err)
	return found.Entry.Method.Preview(t.Context(), []byte(objectOfStrings(t, a)))
}

func TestMethodsThatWriteHaveTheRiskWrite(t *testing.T) {
	k := newFilesToolkit(t)
	for _, name := range []string{"files_write", "files_edit"} {
		e, ok := k.Lookup(name)
		require.True(t, ok)
		require.Equal(t, tool.RiskWrite, e.Risk())
		require.NotNil(t, e.Method.Preview)
		require.False(t, e.Method.Idempotent)
	}
	_, ok := newToolkit(t).Lookup("files_write")
	require.False(t, ok, "without Writable, the tool has no method that writes")
}

func TestWriteMakesAndReplacesFiles(t *testing.T) {
	k := newFilesToolkit(t)
	a := args{"path": "notes/deep/todo.md", "content": "- milk\n"}
	shown, err := k.previewOf(t, "files_write", a)
	require.NoError(t, err)
	require.Equal(t, "new file notes/deep/todo.md (7 bytes, 1 line)", shown)
	require.Empty(t, k.names(t), "a preview changes nothing")
	out, err := k.call(t, "files_write", a)
	require.NoError(t, err)
	require.Equal(t, "Made notes/deep/todo.md: it has 7 bytes now.", out.Text)
	require.Equal(t, "- milk\n", k.read(t, "notes/deep/todo.md"))

	require.NoError(t, os.Chmod(filepath.Join(k.dir, "notes", "deep", "todo.md"), 0o640))
	a["content"] = "- milk\n- bread\n"
	shown, err = k.previewOf(t, "files_write", a)
	require.NoError(t, err)
	require.Equal(t, "--- notes/deep/todo.md\n+++ notes/deep/todo.md\n@@ -1,1 +1,2 @@\n - milk\n+- bread\n", shown)
	out, err = k.call(t, "files_write", a)
	require.NoError(t, err)
	require.Equal(t, "Replaced notes/deep/todo.md: it has 15 bytes now.", out.Text)
	require.Equal(t, "- milk\n- bread\n", k.read(t, "notes/deep/todo.md"))
	require.Equal(t, []string{"notes/deep/todo.md"}, k.names(t), "no other file remains")
	if runtime.GOOS != "windows" {
		info, err := os.Stat(filepath.Join(k.dir, "notes", "deep", "todo.md"))
		require.NoError(t, err)
		require.Equal(t, fs.FileMode(0o640), info.Mode().Perm(), "the permissions are kept")
	}
}

func TestEditReplacesOneText(t *testing.T) {
	for _, tt := range []struct{ name, content, old, new, wantContent, want string }{
		{"a word", "port: 8080\nhost: a\n", "8080", "9090", "port: 9090\nhost: a\n", "Edited f at line 1."},
		{"lines", "a\nb\nc\n", "b\nc\n", "x\n", "a\nx\n", "Edited f at line 2."},
		{"an empty new text", "a\nb\n", "\nb", "", "a\n", "Edited f at line 1."},
		{"the line ends of the file are kept", "a\r\nb\r\nc\r\n", "a\nb\n", "x\ny\n", "x\r\ny\r\nc\r\n", "Edited f at line 1."},
		{"a file without a last line end", "a\nb", "b", "c", "a\nc", "Edited f at line 2."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := newFilesToolkit(t)
			k.write(t, "f", tt.content)
			out, err := k.call(t, "files_edit", args{"path": "f", "oldText": tt.old, "newText": tt.new})
			require.NoError(t, err)
			require.Equal(t, tt.want, out.Text)
			require.Equal(t, tt.wantContent, k.read(t, "f"))
			require.Equal(t, []string{"f"}, k.names(t))
		})
	}
}

func TestRefusedChangesChangeNothing(t *testing.T) {
	const code = "func a() {\n\treturn 1\n}\n\nfunc b() {\n\treturn 1\n}\n"
	for _, tt := range []struct {
		name, method string
		args         args
		want         string
	}{
		{
			"a text that occurs twice", "files_edit",
			args{"path": "code.go", "oldText": "return 1", "newText": "x"},
			`oldText occurs 2 times in "code.go", in lines 2, 6, and it must occur once`,
		},
		{
			"a text whose occurrences overlap",
			"files_edit",
			args{"path": "aaa", "oldText": "aa", "newText": "x"},
			"oldText occurs 2 times",
		},
		{
			"a text that is similar to a line", "files_edit",
			args{"path": "code.go", "oldText": "func bb() {", "newText": "x"},
			`oldText does not occur in "code.go"; the nearest line is line 5: "func b() {"`,
		},
		{
			"a text with other white space", "files_edit",
			args{"path": "code.go", "oldText": "func b() {\n  return 1", "newText": "x"},
			"line 5 differs from it only in white space",
		},
		{
			"a text that is not similar to any line", "files_edit",
			args{"path": "code.go", "oldText": "長い", "newText": "x"},
			"read the file with files_read",
		},
		{"an empty text", "files_edit", args{"path": "code.go", "oldText": "", "newText": "x"}, "oldText is empty"},
		{"no change", "files_edit", args{"path": "code.go", "oldText": "a", "newText": "a"}, "are equal"},
		{
			"a file that does not exist",
			"files_edit",
			args{"path": "cod.go", "oldText": "a", "newText": "b"},
			`did you mean "code.go"?`,
		},
		{"the same content", "files_write", args{"path": "code.go", "content": code}, "has this content already"},
		{"a directory", "files_write", args{"path": "dir", "content": "x"}, "is a directory"},
		{"the root", "files_write", args{"path": ".", "content": "x"}, "is a directory"},
		{"below a file", "files_write", args{"path": "code.go/x", "content": "x"}, "a part of that path is a file"},
		{"a binary file", "files_write", args{"path": "bin", "content": "x"}, "only text is changed"},
		{"a path above the root", "files_write", args{"path": "../x", "content": "x"}, "is outside of the root directory"},
		{
			"a path that leaves the root through a directory", "files_write",
			args{"path": "dir/../../x", "content": "x"},
			"is outside of the root directory",
		},
		{"an absolute path", "files_write", args{"path": "/etc/passwd", "content": "x"}, "is an absolute path"},
		{"a path with NUL", "files_write", args{"path": "a\x00b", "content": "x"}, ""}, // any error
		{
			"a program that git runs",
			"files_write",
			args{"path": ".git/hooks/pre-commit", "content": "x"},
			"below a directory .git",
		},
		{
			"a directory .git in capitals",
			"files_write",
			args{"path": "dir/.GIT/config", "content": "x"},
			"below a directory .git",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := newFilesToolkit(t)
			k.write(t, "code.go", code)
			k.write(t, "aaa", "aaa")
			k.write(t, "dir/f", "f")
			k.write(t, "bin", "a\x00b")
			before := k.names(t)
			_, err := k.previewOf(t, tt.method, tt.args)
			require.ErrorContains(t, err, tt.want, "the preview of an impossible change fails")
			_, err = k.call(t, tt.method, tt.args)
			require.ErrorContains(t, err, tt.want)
			require.NotContains(t, err.Error(), k.dir, "no path of the machine reaches the model")
			require.Equal(t, before, k.names(t))
			require.Equal(t, code, k.read(t, "code.go"))
		})
	}
}

// TestOccurrencesAreCountedInOnePass counts overlapping occurrences. A time in proportion to their
// number, multiplied by their length or by the length of the file, would exceed the time limit of
// the tests.
func TestOccurrencesAreCountedInOnePass(t *testing.T) {
	k := newFilesToolkit(t)
	const size = 4 << 20
	k.write(t, "f", strings.Repeat("a", size))
	for _, length := range []int{2, size / 2} {
		_, err := k.call(t, "files_edit", args{"path": "f", "oldText": strings.Repeat("a", length), "newText": "x"})
		require.ErrorContains(t, err,
			fmt.Sprintf("oldText occurs %d times in \"f\", in lines 1, 1, 1, 1, 1 and more", size-length+1))
	}
}

func TestAFileThatChangesIsNotOverwritten(t *testing.T) {
	k := newFilesToolkit(t)
	k.write(t, "f", "old\n")
	found, err := k.Resolve("files_edit", "", nil)
	require.NoError(t, err)
	ctx := &changingContext{Context: t.Context(), change: func() { k.write(t, "f", "another\n") }}
	_, err = found.Entry.Method.Handler(ctx, callFor(found, `{"path":"f","oldText":"old","newText":"new"}`))
	require.ErrorContains(t, err, "another program changed it")
	require.Equal(t, "another\n", k.read(t, "f"))
	require.Equal(t, []string{"f"}, k.names(t))
}

// changingContext calls change when its method Err is called for the third time, and at each later
// call. The first two calls come while the file is read, and the third comes before the new file
// replaces it.
type changingContext struct {
	context.Context
	checks int
	change func()
}

func (c *changingContext) Err() error {
	if c.checks++; c.checks > 2 {
		c.change()
	}
	return nil
}

// TestLawEditNeedsOneOccurrence edits files that contain the old text any number of times. (A law
// is a property that rapid checks with generated inputs.)
func TestLawEditNeedsOneOccurrence(t *testing.T) {
	k := newFilesToolkit(t)
	rapid.Check(t, func(r *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "\n", " ", "長", "ab"}), 1, 40).Draw(r, "text"), "")
		old := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "\n", "長"}), 1, 4).Draw(r, "old"), "")
		k.write(t, "f", text)
		n := 0
		for i := range text {
			if strings.HasPrefix(text[i:], old) {
				n++
			}
		}
		_, err := k.call(t, "files_edit", args{"path": "f", "oldText": old, "newText": "X"})
		if (n == 1) != (err == nil) {
			r.Fatalf("%q occurs %d times in %q: %v", old, n, text, err)
		}
		if n > 1 {
			require.ErrorContains(r, err, fmt.Sprintf("oldText occurs %d times", n))
		}
		want := text
		if n == 1 {
			want = strings.Replace(text, old, "X", 1)
		}
		require.Equal(r, want, k.read(t, "f"))
	})
}
