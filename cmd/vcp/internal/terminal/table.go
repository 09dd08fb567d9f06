package terminal

import (
	"strings"

	"github.com/mattn/go-runewidth"
)

// Table aligns the cells of rows. It measures them in columns of a terminal; a Chinese character
// takes two. The zero value is an empty table.
type Table struct {
	rows   [][]string
	widths []int // of the widest cell of each column
}

// Row adds a row. Cells may be foreign text, of which the table shows what Visible returns.
func (t *Table) Row(cells ...string) {
	row := make([]string, len(cells))
	for i, cell := range cells {
		if i == len(t.widths) {
			t.widths = append(t.widths, 0)
		}
		row[i] = Visible(cell)
		t.widths[i] = max(t.widths[i], tableWidth.StringWidth(row[i]))
	}
	t.rows = append(t.rows, row)
}

// String returns one line for each row, with two blanks between columns.
func (t *Table) String() string {
	var b strings.Builder
	for _, row := range t.rows {
		pending := 0 // blanks before the next cell that is not empty
		for i, cell := range row {
			if cell != "" {
				b.WriteString(strings.Repeat(" ", pending))
				b.WriteString(cell)
				pending = 0
			}
			pending += t.widths[i] - tableWidth.StringWidth(cell) + columnGap
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// columnGap is the number of blanks between columns.
const columnGap = 2

// tableWidth measures text on a terminal that shows characters of ambiguous width narrow.
var tableWidth = runewidth.Condition{}
