package builtin_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadReturnsTheRequestedLines(t *testing.T) {
	long := strings.Repeat("0123456789abcde\n", 20_000) // 320,000 bytes
	for _, test := range []struct {
		name, content string
		args          args
		want          string
	}{
		{"a whole file, unchanged", "a\r\n\tb\n\nc", nil, "a\r\n\tb\n\nc"},
		{"an empty file", "", nil, "(The file is empty.)"},
		{"some lines", "1\n2\n3\n4\n", args{"startLine": "2", "endLine": "3"}, "2\n3\n(Lines 2 to 3 of 4.)"},
		{"lines to the end", "1\n2\n3", args{"startLine": "2"}, "2\n3\n(Lines 2 to 3 of 3.)"},
		{"lines from the start", "1\n2\n3", args{"endLine": "1"}, "1\n(Line 1 of 3.)"},
		{"lines past the end", "1\n2", args{"startLine": "2", "endLine": "99"}, "2\n(Line 2 of 2.)"},
		{"the last lines", "1\n2\n3\n4\n", args{"startLine": "-2"}, "3\n4\n(Lines 3 to 4 of 4.)"},
		{"the last line without a line break", "1\n2\n3", args{"startLine": "-1"}, "3\n(Line 3 of 3.)"},
		{
			"a start from the end, and an end from the start",
			"1\n2\n3\n4\n",
			args{"startLine": "-3", "endLine": "3"},
			"2\n3\n(Lines 2 to 3 of 4.)",
		},
		{"an end from the end", "1\n2\n3\n4\n", args{"endLine": "-3"}, "1\n2\n(Lines 1 to 2 of 4.)"},
		{
			"a start and an end from the end",
			"1\n2\n3\n4\n",
			args{"startLine": "-3", "endLine": "-2"},
			"2\n3\n(Lines 2 to 3 of 4.)",
		},
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
			"a long file is continued at a line", long,
			args{"startLine": "19999"},
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
