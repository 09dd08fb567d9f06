package terminal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTableAlignsColumns(t *testing.T) {
	for _, tt := range []struct {
		name string
		rows [][]string
		want string
	}{
		{"no rows", nil, ""},
		{"Latin letters", [][]string{{"a", "1", "x"}, {"long", "2", "y"}}, "a     1  x\nlong  2  y\n"},
		{"Chinese characters take two columns", [][]string{{"工具", "1"}, {"a", "2"}}, "工具  1\na     2\n"},
		{
			"no blanks at the end of a line",
			[][]string{{"a", "1", ""}, {"b", "", ""}, {"c", "", "3"}},
			"a  1\nb\nc     3\n",
		},
		{"controls of foreign text are escaped", [][]string{{"a\x1b[2J\u202e\n", "1"}}, `a\x1b[2J\u202e\n  1` + "\n"},
		{"rows of different lengths", [][]string{{"a"}, {"bc", "2"}}, "a\nbc  2\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var table Table
			for _, row := range tt.rows {
				table.Row(row...)
			}
			require.Equal(t, tt.want, table.String())
		})
	}
}
