//go:build unix

package builtin_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNamesAreOneLine checks that each name in a result is on one line. A list has one entry per
// line, and a file name may contain line breaks.
func TestNamesAreOneLine(t *testing.T) {
	for _, test := range []struct{ name, file, want string }{
		{"a line break is quoted", "evil\nfake.go:1: hit", `"evil\nfake.go:1: hit"`},
		{"other control characters are quoted", "a\r\x1b[2K\x7fb", `"a\r\x1b[2K\x7fb"`},
		{"other line breaks are quoted", "a\u2028b\u0085c", `"a\u2028b\u0085c"`},
		{"a directory is quoted with its file", "a\nb/c.go", `"a\nb/c.go"`},
		{"a name that looks quoted is quoted", `"a"`, `"\"a\""`},
		{"a name that is not UTF-8 is quoted", "caf\xe9", `"caf\xe9"`},
		{"a name in another script is unchanged", "文件　名.txt", "文件　名.txt"},
		{"a name with a zero-width non-joiner is unchanged", "می\u200cخواهم", "می\u200cخواهم"},
		{"a backslash is unchanged", `a\nb`, `a\nb`},
		{"a space at the start is unchanged", " a.txt", " a.txt"},
		{"spaces at the end are unchanged", "a.txt  ", "a.txt  "},
		{"a name of spaces is unchanged", "  ", "  "},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.file == "caf\xe9" && runtime.GOOS == "darwin" {
				t.Skip("names must be UTF-8 on macOS")
			}
			k := newToolkit(t)
			k.write(t, test.file, "hit\n")
			got, err := k.call(t, "files_list", args{"glob": "**"})
			require.NoError(t, err)
			assert.Contains(t, got.Text+"\n", test.want+" (4 bytes, 1 line)\n")
			got, err = k.call(t, "files_search", args{"query": "hit"})
			require.NoError(t, err)
			assert.Equal(t, test.want+":1: hit", got.Text)

			got, err = k.call(t, "files_read", args{"path": test.want})
			require.NoError(t, err, "a listed name is the path of its file")
			assert.Equal(t, "hit\n", got.Text)
			got, err = k.call(t, "files_search", args{"query": "none", "path": test.want})
			require.NoError(t, err)
			assert.Equal(t, `"none" was not found in `+test.want+".", got.Text)
		})
	}
}

func TestDirectoryNamesAreOneLine(t *testing.T) {
	k := newToolkit(t)
	k.write(t, "a\nb/c.go", "")
	got, err := k.call(t, "files_list", nil)
	require.NoError(t, err)
	assert.Equal(t, `"a\nb/"`, got.Text)
	got, err = k.call(t, "files_list", args{"path": got.Text, "glob": "*.rs"})
	require.NoError(t, err)
	assert.Equal(t, `Nothing in "a\nb/" fits *.rs. There is: c.go.`, got.Text)
}

func TestSpacesAroundAPathAreDroppedUnlessAFileHasThem(t *testing.T) {
	k := newToolkit(t)
	k.write(t, "a.txt", "plain")
	got, err := k.call(t, "files_read", args{"path": " a.txt\n"})
	require.NoError(t, err)
	assert.Equal(t, "plain", got.Text)
	k.write(t, " a.txt\n", "blank")
	got, err = k.call(t, "files_read", args{"path": " a.txt\n"})
	require.NoError(t, err)
	assert.Equal(t, "blank", got.Text)
}
