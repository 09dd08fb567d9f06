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
	maxDistinctValue = 100     // bytes of the longest value that Describe counts
	maxTop           = 5       // the most frequent values that Describe returns for a column
	maxExample       = 40      // bytes of a cell that is shown as an example
)

// Kind is the kind of the values in a column.
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
	// Filled counts the cells that are not empty, and Other the filled cells that are not of the
	// Kind.
	Filled int `json:"filled"`
	Empty  int `json:"empty"`
	Other  int `json:"other"`
	// Example is a cell that is not of the Kind.
	Example string `json:"example,omitempty"`
	// Sum, Mean, Min, Median and Max are 0 unless Kind is Numbers.
	Sum    float64 `json:"sum"`
	Mean   float64 `json:"mean"`
	Min    float64 `json:"min"`
	Median float64 `json:"median"`
	Max    float64 `json:"max"`
	// First and Last are zero unless Kind is Dates.
	First time.Time `json:"first,omitzero"`
	Last  time.Time `json:"last,omitzero"`
	// For Texts, Different is the number of different values, and Top the most frequent ones. More
	// means, for each Kind, that the column has too many or too long values to count; then
	// Different and Top are zero.
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
	// RankError is how far the rank of a median may be off, as a fraction of the numbers of its
	// column; 0 means exact.
	RankError float64         `json:"rankError"`
	Notes     []*message.Text `json:"notes,omitempty"`
}

// columnState collects the summary of a column while its table is read.
type columnState struct {
	filled, dates int
	numbers       Group
	first, last   time.Time
	values        map[string]int // how often each value occurs; nil if more is set
	more          bool           // there are too many or too long values to count
	notNumber     string         // the first cell that is not a number
	notDate       string         // the first cell that is not a date
}

// Describe reads a whole table and returns a summary of each column. It returns an error when ctx
// ends.
func Describe(ctx context.Context, rows Rows) (*Description, error) {
	d := &Description{}
	shared, states := newSketches(), []*columnState{}
	decimalComma := usesDecimalComma(rows)
	err := eachRow(ctx, rows, func(cells []string) error {
		d.Rows++
		for len(states) < len(cells) {
			states = append(states, &columnState{numbers: Group{sketch: shared.newSketch()}, values: map[string]int{}})
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
		if s := states[i].numbers.sketch; s != nil {
			d.RankError = max(d.RankError, s.rankError())
		}
	}
	d.Notes = rows.Notes()
	return d, nil
}

// add adds a cell that is not empty. It counts up to maxValues different values.
func (s *columnState) add(cell string, decimalComma bool, maxValues int) {
	s.filled++
	n, isNumber := Number(cell, decimalComma)
	if isNumber {
		s.numbers.add(n)
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
	} else if len(cell) > maxDistinctValue || len(s.values) >= maxValues {
		s.more, s.values = true, nil
	} else {
		s.values[strings.Clone(cell)] = 1
	}
}

// summary returns the summary of the column. Its kind is Numbers or Dates if at least 90 % of the
// filled cells are of this kind.
func (s *columnState) summary(name string, rows int) ColumnSummary {
	n := &s.numbers
	c := ColumnSummary{Name: name, Kind: Texts, Filled: s.filled, Empty: rows - s.filled}
	switch {
	case s.filled == 0:
		c.Kind = Blank
	case 10*n.Count >= 9*s.filled:
		c.Kind, c.Other, c.Example = Numbers, s.filled-n.Count, s.notNumber
		c.Sum, c.Mean, c.Min, c.Median, c.Max = n.Sum, n.Mean(), n.Min, n.Quantile(0.5), n.Max
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
