package tabular

import (
	"cmp"
	"container/heap"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/text"
)

// The limits of the rows that Select keeps at once.
const (
	maxSelected   = 2000     // rows
	maxKeptBytes  = 16 << 20 // bytes of all rows
	maxCell       = 500      // bytes of one cell that Select returns
	maxSortedText = 200      // bytes of a cell that count for the order
)

// Selection says which rows Select returns.
type Selection struct {
	// Where selects rows, as Query.Where does.
	Where string
	// Columns are the columns to return, in this order. An empty list means all columns.
	Columns []string
	// Sort is a column to sort by; "" keeps the order of the table. Numbers come first, then dates,
	// then text, and empty cells last, also if Descending is set.
	Sort       string
	Descending bool
	// Start is the number of the first row to return, counted from 1 among the rows that Where
	// selects. Limit is how many rows to return.
	Start, Limit int
}

// Selected are rows of a table.
type Selected struct {
	Columns []string
	Rows    [][]string
	// Read is how many rows the table has, and Matching how many of them Where selects.
	Read, Matching int
	Notes          []*message.Text
}

// Select returns some rows of a table. It reads the whole table, because it also counts the rows.
// It returns an error when ctx ends.
func Select(ctx context.Context, rows Rows, s Selection) (*Selected, error) {
	filter, err := newFilter(s.Where, rows)
	if err != nil {
		return nil, err
	}
	if s.Start+s.Limit-1 > maxSelected {
		return nil, errorf("row %d is too far: only the first %d rows can be returned; select fewer rows with where",
			s.Start+s.Limit-1, maxSelected)
	}
	sortBy := -1
	if s.Sort != "" {
		if sortBy, err = Column(rows.Columns(), s.Sort); err != nil {
			return nil, err
		}
	}
	indexes, err := columnIndexes(rows.Columns(), s.Columns)
	if err != nil {
		return nil, err
	}
	out := &Selected{}
	top := &topRows{limit: s.Start + s.Limit - 1}
	decimalComma := usesDecimalComma(rows)
	err = eachRow(ctx, rows, func(cells []string) error {
		if out.Read++; !filter.selects(cells) {
			return nil
		}
		out.Matching++
		row := sortedRow{order: out.Matching}
		if sortBy >= 0 {
			row.key = keyOf(cellAt(cells, sortBy), decimalComma, s.Descending)
		}
		return top.add(row, cells, indexes)
	})
	if err != nil {
		return nil, err
	}
	columns := rows.Columns()
	out.Notes = rows.Notes()
	for _, i := range indexes {
		out.Columns = append(out.Columns, columns[i])
	}
	if len(indexes) == 0 {
		out.Columns = columns
	}
	slices.SortFunc(top.rows, sortedRow.compare)
	for _, row := range top.rows[min(s.Start-1, len(top.rows)):] {
		for len(row.cells) < len(out.Columns) { // a column that JSON got after this row
			row.cells = append(row.cells, "")
		}
		out.Rows = append(out.Rows, row.cells)
	}
	return out, nil
}

// sortKey is what decides the place of a cell in the sort order.
type sortKey struct {
	class      int // 0 for a number, 1 for a date, 2 for a text, 3 for an empty cell
	number     float64
	date       time.Time
	text       string
	descending bool
}

func keyOf(cell string, decimalComma, descending bool) sortKey {
	cell = strings.TrimSpace(cell)
	k := sortKey{descending: descending}
	if n, ok := Number(cell, decimalComma); ok {
		k.number = n
		return k
	}
	if t, ok := Date(cell); ok {
		k.class, k.date = 1, t
		return k
	}
	if k.class = 2; cell == "" {
		k.class = 3
	}
	k.text = cell[:min(len(cell), maxSortedText)]
	return k
}

func (k sortKey) compare(other sortKey) int {
	if k.class != other.class {
		return cmp.Compare(k.class, other.class)
	}
	c := cmp.Or(cmp.Compare(k.number, other.number), k.date.Compare(other.date), strings.Compare(k.text, other.text))
	if k.descending {
		return -c
	}
	return c
}

type sortedRow struct {
	key   sortKey
	order int // the row's number among the selected rows of the table
	cells []string
	size  int // of the cells, in bytes
}

func (r sortedRow) compare(other sortedRow) int {
	return cmp.Or(r.key.compare(other.key), cmp.Compare(r.order, other.order))
}

// topRows keeps the rows that come first in the sort order. It is a heap with the last of these
// rows on top.
type topRows struct {
	rows  []sortedRow
	limit int // the number of rows to keep
	size  int // of rows, in bytes
}

func (t *topRows) Len() int           { return len(t.rows) }
func (t *topRows) Less(i, j int) bool { return t.rows[i].compare(t.rows[j]) > 0 }
func (t *topRows) Swap(i, j int)      { t.rows[i], t.rows[j] = t.rows[j], t.rows[i] }
func (t *topRows) Push(x any)         { t.rows = append(t.rows, x.(sortedRow)) }

func (t *topRows) Pop() any {
	last := t.rows[len(t.rows)-1]
	t.rows = t.rows[:len(t.rows)-1]
	return last
}

// add keeps a row if it is among the first ones so far: its cells at the indexes, or all if there
// are no indexes.
func (t *topRows) add(row sortedRow, cells []string, indexes []int) error {
	if t.limit <= 0 || len(t.rows) == t.limit && row.compare(t.rows[0]) >= 0 {
		return nil
	}
	keep := func(cell string) {
		cell = strings.Clone(text.Valid(text.TruncateBytes(cell, maxCell)))
		row.size += len(cell) + 16 // 16 bytes for the string header
		row.cells = append(row.cells, cell)
	}
	if len(indexes) == 0 {
		for _, cell := range cells {
			keep(cell)
		}
	}
	for _, i := range indexes {
		keep(cellAt(cells, i))
	}
	row.key.text = strings.Clone(row.key.text)
	heap.Push(t, row)
	if t.size += row.size; len(t.rows) > t.limit {
		t.size -= heap.Pop(t).(sortedRow).size
	}
	if t.size > maxKeptBytes {
		return errorf("the rows have more than %d bytes; name the columns that you need, or ask for fewer rows", maxKeptBytes)
	}
	return nil
}
