package builtin

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool/builtin/internal/tabular"
)

type aggregateInput struct {
	Path     string `json:"path" jsonschema:"the file with the table, relative to the root directory"`
	Column   string `json:"column" jsonschema:"the column of the numbers to calculate with"`
	Measure  string `json:"measure" default:"sum" enum:"sum,mean,count,min,max,median,quantiles,all" jsonschema:"what to calculate of the numbers; quantiles are the 5th, 25th, 50th, 75th and 95th percentile"`
	By       string `json:"by,omitempty" jsonschema:"the column whose values form groups, such as a category; several with commas between them"`
	Period   string `json:"period,omitempty" enum:"day,week,month,quarter,year" jsonschema:"calculate for each day, week, month, quarter or year, to show a trend or development over time"`
	Range    string `json:"range,omitempty" enum:"last week,last month,last quarter,last year" jsonschema:"only the last complete week, month, quarter or year in the table"`
	From     string `json:"from,omitempty" jsonschema:"only from this date on, such as 2026-04-01"`
	To       string `json:"to,omitempty" jsonschema:"only up to this date"`
	Date     string `json:"date,omitempty" jsonschema:"the column of the dates; if omitted, the first one with dates"`
	Where    string `json:"where,omitempty" jsonschema:"conditions that rows must meet, such as: status = open and size >= 100"`
	Chart    bool   `json:"chart" default:"false" jsonschema:"whether to draw a chart (graph, plot, diagram) for the user"`
	Format   string `json:"format" default:"svg" enum:"svg,png" jsonschema:"the format of the chart"`
	StartRow int    `json:"startRow" default:"1" minimum:"1" jsonschema:"the first group to show, to continue a long result"`
	Sheet    string `json:"sheet,omitempty" jsonschema:"the sheet of an XLSX file; if omitted, the first"`
}

// aggregateResult is the result of a query, and what is needed to show it.
type aggregateResult struct {
	table
	*tabular.Groups
	printer message.Printer
	in      aggregateInput
	query   tabular.Query
	name    string // of the file
}

// maxGaps limits the periods without rows that are added to a result.
const maxGaps = 1000

// arrange sorts a result without periods by its first measure, the largest first. A result with
// periods and without groups gets the periods that have no rows, or a note if they exceed maxGaps.
func (r *aggregateResult) arrange() {
	if r.query.Period == "" {
		r.sortByMeasure()
		return
	}
	if len(r.query.By) > 0 || len(r.Groups.Groups) == 0 {
		return
	}
	var filled []tabular.Group
	gaps := 0
	next := r.Groups.Groups[0].Start
	for _, g := range r.Groups.Groups {
		for ; next.Before(g.Start); next = r.query.Period.Next(next) {
			if gaps++; gaps > maxGaps {
				r.Notes = append(r.Notes, sentence("more than %d periods between the first and the last have no rows, and none of "+
					"these is shown; choose a longer period, or a range with from and to", maxGaps))
				return
			}
			filled = append(filled, tabular.Group{Start: next})
		}
		filled = append(filled, g)
		next = r.query.Period.Next(g.Start)
	}
	r.Groups.Groups = filled
}

// sortByMeasure sorts the groups by the first measure, the largest first. It calculates the measure
// once for each group, because a quantile takes long.
func (r *aggregateResult) sortByMeasure() {
	type measured struct {
		group tabular.Group
		value float64
	}
	groups := r.Groups.Groups
	list := make([]measured, len(groups))
	for i := range groups {
		list[i] = measured{groups[i], measures[r.in.Measure][0].value(&groups[i])}
	}
	slices.SortStableFunc(list, func(x, y measured) int { return cmp.Compare(y.value, x.value) })
	for i := range list {
		groups[i] = list[i].group
	}
}

// trend reports whether the result is one measure over time, without groups.
func (r *aggregateResult) trend() bool {
	return r.query.Period != "" && len(r.query.By) == 0 && len(measures[r.in.Measure]) == 1
}

// columns returns the names of the columns of the result.
func (r *aggregateResult) columns(p message.Printer) []string {
	var list []string
	if r.query.Period != "" {
		list = append(list, p.Say(string(r.query.Period)))
	}
	list = append(list, r.By...)
	for _, m := range measures[r.in.Measure] {
		list = append(list, p.Say("%s of %s", p.Say(m.name), r.Column))
	}
	if r.trend() {
		list = append(list, p.Say("change"))
	}
	return list
}

// resultRows returns the rows of the result.
func (r *aggregateResult) resultRows() [][]string {
	rows := [][]string{}
	previous := math.NaN()
	for i := range r.Groups.Groups {
		g := &r.Groups.Groups[i]
		var row []string
		if r.query.Period != "" {
			row = append(row, r.query.Period.Name(g.Start))
		}
		row = append(row, g.Keys...)
		var n float64
		for _, m := range measures[r.in.Measure] {
			n = m.value(g)
			row = append(row, formatValue(n))
		}
		if r.trend() {
			row = append(row, growth(previous, n))
			previous = n
		}
		rows = append(rows, row)
	}
	return rows
}

// heading returns a line that says what was calculated.
func (r *aggregateResult) heading() string {
	say := r.printer.Say
	what := say(r.in.Measure)
	if r.in.Measure == "all" {
		what = say("figures")
	}
	line := say("%s of %s in %s", what, r.Column, displayPath(r.name))
	from, to := strings.TrimSpace(r.in.From), strings.TrimSpace(r.in.To)
	switch {
	case !r.From.IsZero():
		line += say(", %s (%s to %s)", say(r.in.Range), r.From.Format(time.DateOnly), r.To.Format(time.DateOnly))
	case from != "" && to != "":
		line += say(", from %s to %s", from, to)
	case from != "":
		line += say(", from %s", from)
	case to != "":
		line += say(", to %s", to)
	}
	if r.in.Where != "" {
		line += say(", where %s", shorten(text.OneLine(r.in.Where), maxEcho))
	}
	if r.Selected == r.Rows {
		return line + say(", of all %v:", plural(r.Rows, "%d row")) + "\n"
	}
	return line + say(", of %v of %d:", plural(r.Selected, "%d row"), r.Rows) + "\n"
}

// summary returns the sum, count or mean of all groups together, if the measure is one of these or
// "all". For a trend it also says how the value went from the first to the last period, if both
// have numbers. A single group, and groups without numbers, have no summary.
func (r *aggregateResult) summary() string {
	groups := r.Groups.Groups
	all := tabular.Group{}
	for _, g := range groups {
		all.Count, all.Sum = all.Count+g.Count, all.Sum+g.Sum
	}
	if len(groups) < 2 || all.Count == 0 {
		return ""
	}
	text, say := "", r.printer.Say
	switch r.in.Measure {
	case "sum", "all":
		text = say("All together: sum %s, mean %s.", formatValue(all.Sum), formatMean(all.Mean())) + "\n"
	case "count":
		text = say("All together: count %d.", all.Count) + "\n"
	case "mean":
		text = say("Mean of all rows: %s.", formatMean(all.Mean())) + "\n"
	}
	if !r.trend() {
		return text
	}
	m, first, last := measures[r.in.Measure][0], &groups[0], &groups[len(groups)-1]
	from, to := m.value(first), m.value(last)
	if math.IsNaN(from) || math.IsNaN(to) {
		return text
	}
	text += say("From %s to %s the value went from %s to %s",
		r.query.Period.Name(first.Start), r.query.Period.Name(last.Start), formatValue(from), formatValue(to))
	if c := growth(from, to); c != "" {
		text += say(" (%s)", c)
	}
	return text + say(".") + "\n"
}
