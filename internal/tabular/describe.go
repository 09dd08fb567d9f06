package tabular

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/text"
)

const (
	maxDistinct      = 1 << 16 // different values that Describe counts, in all columns together
	maxDistinctValue = 100     // bytes of a value that it counts
	maxTop           = 5       // the most frequent values that it returns for a column
	maxExample       = 40      // bytes of a cell that is shown as an example
)

// Kind is what the cells of a column are.
type Kind string

// The kinds of columns.
const (
	Numbers Kind = "number"
	Dates   Kind = "date"
	Texts   Kind = "text"
	Blank   Kind = "empty"
)

// ColumnSummary describes a column.
type ColumnSummary struct {
	Name string `json:"name"`
	Kind Kind   `json:"kind"`
	// Filled counts cells that are not empty, and Other those of them that are not of the Kind.
	Filled int `json:"filled"`
	Empty  int `json:"empty"`
	Other  int `json:"other"`
	// Example is a cell that is not of the Kind.
	Example string `json:"example,omitempty"`
	// Numbers: all 0 if the column has no numbers.
	Sum    float64 `json:"sum"`
	Mean   float64 `json:"mean"`
	Min    float64 `json:"min"`
	Median float64 `json:"median"`
	Max    float64 `json:"max"`
	// Dates.
	First time.Time `json:"first,omitzero"`
	Last  time.Time `json:"last,omitzero"`
	// Texts: the number of different values, and the most frequent ones. More says that there are
	// more than were counted; then Top is empty.
	Different int          `json:"different"`
	More      bool         `json:"more,omitempty"`
	Top       []ValueCount `json:"top,omitempty"`
}

// ValueCount is a value and how often it occurs.
type ValueCount struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

// Description describes a table.
type Description struct {
	Rows    int             `json:"rows"`
	Columns []ColumnSummary `json:"columns"`
	// RankError is how far the rank of a median may be off, as a share; 0 means exact.
	RankError float64         `json:"rankError"`
	Notes     []*message.Text `json:"notes,omitempty"`
}

// columnState collects the summary of a column while its table is read.
type columnState struct {
	filled, numbers, dates int
	sum                    sum
	min, max               float64
	first, last            time.Time
	sketch                 *sketch
	values                 map[string]int
	more                   bool
	notNumber, notDate     string
}

// Describe reads a whole table. It ends with ctx.
func Describe(ctx context.Context, rows Rows) (*Description, error) {
	d := &Description{}
	shared, states := newSketches(), []*columnState{}
	decimalComma := usesDecimalComma(rows)
	err := eachRow(ctx, rows, func(cells []string) error {
		d.Rows++
		for len(states) < len(cells) {
			states = append(states, &columnState{sketch: shared.newSketch(), values: map[string]int{}})
		}
		for i, cell := range cells {
			if cell = strings.TrimSpace(cell); cell != "" {
				states[i].add(cell, decimalComma, maxDistinct/max(len(cells), 1))
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, name := range rows.Columns() {
		if i == len(states) {
			states = append(states, &columnState{})
		}
		d.Columns = append(d.Columns, states[i].summary(name, d.Rows))
		if s := states[i].sketch; s != nil {
			d.RankError = max(d.RankError, s.rankError())
		}
	}
	d.Notes = rows.Notes()
	return d, nil
}

func (s *columnState) add(cell string, decimalComma bool, most int) {
	s.filled++
	n, isNumber := Number(cell, decimalComma)
	if isNumber {
		if s.numbers++; s.numbers == 1 {
			s.min, s.max = n, n
		}
		s.min, s.max = min(s.min, n), max(s.max, n)
		s.sum.add(n)
		s.sketch.add(n)
	} else if s.notNumber == "" {
		s.notNumber = beginning(cell, maxExample)
	}
	if t, ok := Date(cell); ok && !isNumber {
		if s.dates++; s.first.IsZero() || t.Before(s.first) {
			s.first = t
		}
		if t.After(s.last) {
			s.last = t
		}
	} else if s.notDate == "" {
		s.notDate = beginning(cell, maxExample)
	}
	if s.more {
		return
	}
	if _, known := s.values[cell]; known {
		s.values[cell]++
	} else if len(cell) > maxDistinctValue || len(s.values) >= most {
		s.more, s.values = true, nil
	} else {
		s.values[strings.Clone(cell)] = 1
	}
}

// summary decides on the kind. A few cells of another kind do not change it, but they are counted.
func (s *columnState) summary(name string, rows int) ColumnSummary {
	c := ColumnSummary{Name: name, Kind: Texts, Filled: s.filled, Empty: rows - s.filled}
	switch {
	case s.filled == 0:
		c.Kind = Blank
	case 10*s.numbers >= 9*s.filled:
		c.Kind, c.Other, c.Example = Numbers, s.filled-s.numbers, s.notNumber
		c.Sum, c.Min, c.Max, c.Median = s.sum.value(), s.min, s.max, s.sketch.quantile(0.5)
		c.Mean = c.Sum / float64(s.numbers)
	case 10*s.dates >= 9*s.filled:
		c.Kind, c.Other, c.Example, c.First, c.Last = Dates, s.filled-s.dates, s.notDate, s.first, s.last
	}
	if c.More = s.more; s.more || c.Kind != Texts {
		return c
	}
	c.Different = len(s.values)
	for _, value := range slices.SortedFunc(maps.Keys(s.values), func(a, b string) int {
		return cmp.Or(s.values[b]-s.values[a], strings.Compare(a, b))
	})[:min(len(s.values), maxTop)] {
		c.Top = append(c.Top, ValueCount{text.Valid(value), s.values[value]})
	}
	return c
}
