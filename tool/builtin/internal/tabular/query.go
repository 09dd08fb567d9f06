package tabular

import (
	"time"

	"github.com/vcpgo/vcp/internal/message"
)

// Query says what Aggregate calculates from a table.
type Query struct {
	// Column is the column of the numbers.
	Column string
	// By are columns; rows with the same values form a group.
	By []string
	// Period forms groups by the calendar as well; "" means no such groups.
	Period Period
	// Date is the column of the dates; "" is the first column with dates, if one is needed.
	Date string
	// From and To limit the dates, both inclusive; zero means no limit. Last selects the last whole
	// week, month, quarter or year in the dates of the table. If the period before an incomplete
	// one has no rows, Last selects the incomplete one. Last cannot be used with From or To.
	From, To time.Time
	Last     Period
	// Where selects rows, as in: region = North and amount > 100.
	Where string
	// Quantiles must be set if Group.Quantile will be called.
	Quantiles bool
}

// Groups are the result of a query.
type Groups struct {
	// Column, By and Date are the names of the columns as the table has them.
	Column, Date string
	By           []string
	// Groups are sorted by period and then by keys.
	Groups []Group
	// Rows is how many rows were read, and Selected how many of them are in a group.
	Rows, Selected int
	// Empty counts selected rows with nothing in Column, NotNumbers those with a text that is no
	// number, and NotDates rows without a date.
	Empty, NotNumbers, NotDates int
	// From and To are the first and last day of the period that Query.Last selected. FirstDate and
	// LastDate are the first and last date of all rows.
	From, To, FirstDate, LastDate time.Time
	// RankError is how far the rank of a quantile may be off, as a fraction of the numbers of its
	// group; 0 means exact.
	RankError float64
	// Notes say what a person should know about the result, such as omitted rows.
	Notes []*message.Text
}
