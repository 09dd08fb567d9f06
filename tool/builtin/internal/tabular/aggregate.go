package tabular

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"time"
)

// The limits of the groups of one query.
const (
	maxGroups     = 10_000
	maxGroupBytes = 8 << 20 // bytes of the keys of all groups
	maxKey        = 200     // bytes of one value in a key
)

// Aggregate calculates the groups of a query in one pass over the rows. It returns an error when
// ctx ends.
func Aggregate(ctx context.Context, rows Rows, q Query) (*Groups, error) {
	a := &aggregation{query: q, sketches: newSketches(), buckets: map[int64]*bucket{}}
	rows, err := a.prepare(rows)
	if err != nil {
		return nil, err
	}
	if err := eachRow(ctx, rows, a.add); err != nil {
		return nil, err
	}
	a.result.Notes = rows.Notes()
	return a.finish(), nil
}

// aggregation is one run of a query.
type aggregation struct {
	query        Query
	filter       rowFilter
	column, date int   // indexes of the columns; date is -1 if the query needs no dates
	by           []int // indexes of the columns Query.By
	decimalComma bool
	key          []byte // a buffer for the key of a group
	sketches     *sketches
	// buckets contains the groups of each period that Query.Last can still select, by the first day
	// of the period. Without Last there is at most one bucket.
	buckets    map[int64]*bucket
	groups     int       // in all buckets
	groupBytes int       // bytes of their keys
	newest     time.Time // the first day of the newest period, if Query.Last is set
	slashDate  string    // the first date such as 03/04/2026, which can be read in two ways
	result     Groups
}

// bucket contains the groups and counters of the rows in one period of Query.Last. Without Last, it
// contains those of all rows.
type bucket struct {
	groups                      map[string]*Group
	selected, empty, notNumbers int
	notANumber                  string // the first selected cell that is not a number
}

// prepare resolves the names in the query. The rows that it returns include those that it read to
// find the column of the dates.
func (a *aggregation) prepare(rows Rows) (Rows, error) {
	q := &a.query
	var err error
	if a.filter, err = newFilter(q.Where, rows); err != nil {
		return nil, err
	}
	columns := rows.Columns()
	if a.column, err = Column(columns, q.Column); err != nil {
		return nil, err
	}
	a.result.Column, a.decimalComma, a.date = columns[a.column], usesDecimalComma(rows), -1
	if a.by, err = columnIndexes(columns, q.By); err != nil {
		return nil, err
	}
	for _, i := range a.by {
		a.result.By = append(a.result.By, columns[i])
	}
	if q.Last != "" && !(q.From.IsZero() && q.To.IsZero()) {
		return nil, errorf("a range such as \"last %s\" cannot be used together with `from` or `to`; give one of them", string(q.Last))
	}
	if q.Period == "" && q.Last == "" && q.From.IsZero() && q.To.IsZero() {
		return rows, nil
	}
	if q.Date != "" {
		a.date, err = Column(columns, q.Date)
	} else {
		rows, a.date, err = firstDates(rows)
	}
	if err != nil {
		return nil, err
	}
	a.result.Date = rows.Columns()[a.date]
	return rows, nil
}

// add adds a row to its group if the query selects the row.
func (a *aggregation) add(cells []string) error {
	a.result.Rows++
	var date time.Time
	if a.date >= 0 {
		cell := cellAt(cells, a.date)
		var ok bool
		if date, ok = Date(cell); !ok {
			if a.result.NotDates++; a.slashDate == "" && looksLikeSlashDate(cell) {
				a.slashDate = cell
			}
			return nil
		}
		if a.result.FirstDate.IsZero() || date.Before(a.result.FirstDate) {
			a.result.FirstDate = date
		}
		if date.After(a.result.LastDate) {
			a.result.LastDate = date
		}
	}
	b := a.bucketOf(date)
	if b == nil || !a.filter.selects(cells) {
		return nil
	}
	g, err := a.group(b, cells, date)
	if err != nil {
		return err
	}
	b.selected++
	cell := strings.TrimSpace(cellAt(cells, a.column))
	n, ok := Number(cell, a.decimalComma)
	switch {
	case ok:
		g.add(n)
	case cell == "":
		b.empty++
	default:
		if b.notNumbers++; b.notANumber == "" {
			b.notANumber = beginning(cell, maxExample)
		}
	}
	return nil
}

// bucketOf returns the bucket for a row with the given date, or nil if the query excludes the date.
func (a *aggregation) bucketOf(date time.Time) *bucket {
	q := &a.query
	var start time.Time
	switch {
	case q.Last != "":
		if start = q.Last.Start(date); start.After(a.newest) {
			a.newest = start
			a.prune()
		} else if start.Before(q.Last.Previous(a.newest)) {
			return nil
		}
	case !q.From.IsZero() && date.Before(q.From), !q.To.IsZero() && Day.Start(date).After(q.To):
		return nil
	}
	b := a.buckets[start.Unix()]
	if b == nil {
		b = &bucket{groups: map[string]*Group{}}
		a.buckets[start.Unix()] = b
	}
	return b
}

// prune removes the buckets of periods that can no longer be the last complete one.
func (a *aggregation) prune() {
	oldest := a.query.Last.Previous(a.newest).Unix()
	unused := map[*sketch]bool{}
	for start, b := range a.buckets {
		if start >= oldest {
			continue
		}
		delete(a.buckets, start)
		for key, g := range b.groups {
			a.groups--
			a.groupBytes -= len(key)
			unused[g.sketch] = true
		}
	}
	a.sketches.drop(unused)
}

// group returns the group of a row in a bucket, and creates it if it does not exist.
func (a *aggregation) group(b *bucket, cells []string, date time.Time) (*Group, error) {
	a.key = a.key[:0]
	var start time.Time
	if a.query.Period != "" {
		start = a.query.Period.Start(date)
		a.key = binary.AppendVarint(a.key, start.Unix())
	}
	for _, i := range a.by {
		cell := cellAt(cells, i)
		cell = cell[:min(len(cell), maxKey)]
		a.key = append(binary.AppendUvarint(a.key, uint64(len(cell))), cell...) // the length shows where the cell ends
	}
	if g := b.groups[string(a.key)]; g != nil { // the conversion allocates nothing
		return g, nil
	}
	if a.groups++; a.groups > maxGroups {
		return nil, errorf("there are more than %d groups; group by a column with fewer different values, by a longer period, "+
			"or select rows with where", maxGroups)
	}
	if a.groupBytes += len(a.key); a.groupBytes > maxGroupBytes {
		return nil, errorf("the names of the groups have more than %d bytes; group by a column with shorter values, "+
			"or select rows with where", maxGroupBytes)
	}
	g := &Group{Start: start}
	for _, i := range a.by {
		cell := cellAt(cells, i)
		g.Keys = append(g.Keys, beginning(cell, maxKey))
	}
	if a.query.Quantiles {
		g.sketch = a.sketches.newSketch()
	}
	b.groups[string(a.key)] = g
	return g, nil
}

// finish returns the result after the last row.
func (a *aggregation) finish() *Groups {
	r := &a.result
	chosen := a.chosen()
	if chosen != nil {
		r.Selected, r.Empty, r.NotNumbers = chosen.selected, chosen.empty, chosen.notNumbers
		for _, g := range chosen.groups {
			if g.sketch != nil {
				r.RankError = max(r.RankError, g.sketch.rankError())
			}
			r.Groups = append(r.Groups, *g)
		}
	}
	slices.SortFunc(r.Groups, func(x, y Group) int {
		return cmp.Or(x.Start.Compare(y.Start), slices.Compare(x.Keys, y.Keys))
	})
	if r.NotNumbers > 0 {
		r.Notes = append(r.Notes, sentence("%d of the selected rows have no number in %s, for example %q; they are omitted",
			r.NotNumbers, r.Column, chosen.notANumber))
	}
	if r.Empty > 0 {
		r.Notes = append(r.Notes, sentence("%d of the selected rows have nothing in %s; they are omitted", r.Empty, r.Column))
	}
	if r.NotDates > 0 {
		note := sentence("%d rows have no date in %s; they are omitted", r.NotDates, r.Date)
		if a.slashDate != "" {
			note = sentence("%v; dates such as %s could be read in two ways, and are not read: write them as 2026-04-03", note, a.slashDate)
		}
		r.Notes = append(r.Notes, note)
	}
	return r
}

// chosen returns the bucket of the rows that the query selects, or nil if no row is within its
// dates. If Query.Last is set, chosen sets the dates in the result, and adds a note if the newest
// period is incomplete.
func (a *aggregation) chosen() *bucket {
	last, r := a.query.Last, &a.result
	if last == "" {
		return a.buckets[time.Time{}.Unix()]
	}
	if a.newest.IsZero() {
		return nil
	}
	start := a.newest
	if end := last.Next(start).AddDate(0, 0, -1); Day.Start(r.LastDate).Before(end) {
		if earlier := last.Previous(start); a.buckets[earlier.Unix()] != nil {
			r.Notes = append(r.Notes, sentence(
				"the dates end on %s, so %s is not complete and the %v before it is taken; set from and to for another range",
				r.LastDate.Format(time.DateOnly), last.Name(start), sentence(string(last))))
			start = earlier
		} else {
			r.Notes = append(r.Notes, sentence("the dates end on %s, so %s is not complete",
				r.LastDate.Format(time.DateOnly), last.Name(start)))
		}
	}
	r.From, r.To = start, last.Next(start).AddDate(0, 0, -1)
	return a.buckets[start.Unix()]
}
