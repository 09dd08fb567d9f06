package tabular

import (
	"errors"
	"io"
	"slices"
	"strings"
)

// maxPeeked limits the rows that are examined to find the column of the dates.
const maxPeeked = 50

// firstDates returns the index of the first column with dates in at least 80 % of its filled cells.
// It reads some rows; the returned Rows starts with these.
func firstDates(rows Rows) (_ Rows, column int, err error) {
	p := &peekedRows{Rows: rows}
	size := 0
	for len(p.kept) < maxPeeked && size < maxRow {
		cells, err := rows.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, 0, err
		}
		p.kept = append(p.kept, slices.Clone(cells))
		for i, c := range cells {
			size += len(c)
			p.kept[len(p.kept)-1][i] = strings.Clone(c)
		}
	}
	columns := rows.Columns()
	for i := range columns {
		dates, filled := 0, 0
		for _, cells := range p.kept {
			if cell := cellAt(cells, i); cell != "" {
				filled++
				if _, ok := Date(cell); ok {
					dates++
				}
			}
		}
		if dates > 0 && 10*dates >= 8*filled {
			return p, i, nil
		}
	}
	return nil, 0, errorf("no column has dates such as 2026-04-03 in its first rows; name the column of the dates with `date`. "+
		"The columns are %v", columnList(columns))
}
