package tabular

import (
	"errors"
	"io"
	"slices"
	"strings"
)

// peeked is how many rows are examined to find the column of the dates.
const peeked = 50

// peekedRows returns rows that were read already, and then the others.
type peekedRows struct {
	Rows
	kept [][]string
}

func (p *peekedRows) Next() ([]string, error) {
	if len(p.kept) > 0 {
		first := p.kept[0]
		p.kept = p.kept[1:]
		return first, nil
	}
	return p.Rows.Next()
}

// firstDates finds the first column with dates. It returns the rows from the first one on, as if
// none had been read.
func firstDates(rows Rows) (Rows, int, error) {
	p := &peekedRows{Rows: rows}
	size := 0
	for len(p.kept) < peeked && size < maxRow {
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
	return nil, 0, queryErrorf("no column has dates such as 2026-04-03 in its first rows; name the column of the dates with date. "+
		"The columns are %v", columnList(columns))
}
