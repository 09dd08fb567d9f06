package builtin

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/tabular"
	"github.com/vcpgo/vcp/tool"
)

type aggregateInput struct {
	Path     string `json:"path" jsonschema:"the file with the table, relative to the root directory"`
	Column   string `json:"column" jsonschema:"the column of the numbers to calculate with"`
	Measure  string `json:"measure" default:"sum" enum:"sum,mean,count,min,max,median,quantiles,all" jsonschema:"what to calculate of the numbers; quantiles are the 5th, 25th, 50th, 75th and 95th percentile"`
	By       string `json:"by,omitempty" jsonschema:"the column whose values form groups, such as a category; several with commas between them"`
	Period   string `json:"period,omitempty" enum:"day,week,month,quarter,year" jsonschema:"calculate for each day, week, month, quarter or year, to show a trend or development over time"`
	Range    string `json:"range,omitempty" enum:"last week,last month,last quarter,last year" jsonschema:"only the last complete one in the table"`
	From     string `json:"from,omitempty" jsonschema:"only from this date on, such as 2026-04-01"`
	To       string `json:"to,omitempty" jsonschema:"only up to this date"`
	Date     string `json:"date,omitempty" jsonschema:"the column of the dates; left out, the first one with dates"`
	Where    string `json:"where,omitempty" jsonschema:"conditions that rows must meet, such as: status = open and size >= 100"`
	Chart    bool   `json:"chart" default:"false" jsonschema:"whether to draw a chart (graph, plot, diagram) for the user"`
	Format   string `json:"format" default:"svg" enum:"svg,png" jsonschema:"the format of the chart"`
	StartRow int    `json:"startRow" default:"1" minimum:"1" jsonschema:"the first group to show, to continue a long result"`
	Sheet    string `json:"sheet,omitempty" jsonschema:"the sheet of an XLSX file; left out, the first"`
}

func (t table) aggregateMethod() (tool.Method, error) {
	return tool.New("aggregate",
		"Calculates totals, averages and other figures of a column of a table in a file, for groups and over time, and draws a chart of them. "+
			"Use it for sums, means, counts, trends and comparisons; it reads all rows and returns only the figures.",
		t.aggregate, tool.AgentCallable(), tool.WithRisk(tool.RiskRead), tool.Idempotent(), tool.Title("Aggregate table"), tool.Timeout(tableTime),
		tool.Example(map[string]any{"path": "orders.csv", "column": "price", "measure": "mean", "by": "category"}))
}

func (t table) aggregate(ctx context.Context, in aggregateInput) (tool.Output, error) {
	q := tabular.Query{Column: in.Column, Period: tabular.Period(in.Period), Date: in.Date, Where: in.Where}
	q.Quantiles = slices.Contains([]string{"median", "quantiles", "all"}, in.Measure)
	_, last, _ := strings.Cut(in.Range, "last ")
	q.Last = tabular.Period(last)
	var err error
	if q.From, err = dateOf("from", in.From); err != nil {
		return tool.Output{}, err
	}
	if q.To, err = dateOf("to", in.To); err != nil {
		return tool.Output{}, err
	}
	rows, file, name, err := t.openTable(ctx, in.Path, in.Sheet)
	if err != nil {
		return tool.Output{}, err
	}
	defer func() { _, _ = rows.Close(), file.Close() }() // they were only read
	q.By = columnNames(in.By, rows.Columns())
	groups, err := tabular.Aggregate(ctx, rows, q)
	if err != nil {
		return tool.Output{}, t.tableError(name, err)
	}
	a := &answer{table: t, printer: printer(ctx), in: in, query: q, name: name, Groups: groups}
	return a.output(ctx)
}

// dateOf reads a date of a request; "" is the zero time.
func dateOf(argument, text string) (time.Time, error) {
	if strings.TrimSpace(text) == "" {
		return time.Time{}, nil
	}
	date, ok := tabular.Date(text)
	if !ok {
		return time.Time{}, errorf("%s is %q, which is not a date; write one such as 2026-04-01", argument, cut(text, maxEcho))
	}
	return tabular.Day.Start(date), nil
}

// answer is the result of a query, on its way to text.
type answer struct {
	table
	*tabular.Groups
	printer message.Printer
	in      aggregateInput
	query   tabular.Query
	name    string
}

// measure is one figure of a group.
type measure struct {
	name string
	of   func(*tabular.Group) float64
}

func quantile(share float64) func(*tabular.Group) float64 {
	return func(g *tabular.Group) float64 { return g.Quantile(share) }
}

var (
	sumMeasure   = measure{"sum", func(g *tabular.Group) float64 { return g.Sum }}
	countMeasure = measure{"count", func(g *tabular.Group) float64 { return float64(g.Count) }}
	meanMeasure  = measure{"mean", (*tabular.Group).Mean}
	minMeasure   = measure{"min", func(g *tabular.Group) float64 { return g.Min }}
	maxMeasure   = measure{"max", func(g *tabular.Group) float64 { return g.Max }}
	median       = measure{"median", quantile(0.5)}

	measures = map[string][]measure{
		"sum": {sumMeasure}, "count": {countMeasure}, "mean": {meanMeasure}, "min": {minMeasure}, "max": {maxMeasure}, "median": {median},
		"quantiles": {{"5 %", quantile(0.05)}, {"25 %", quantile(0.25)}, {"50 %", quantile(0.5)}, {"75 %", quantile(0.75)}, {"95 %", quantile(0.95)}},
		"all":       {countMeasure, sumMeasure, meanMeasure, minMeasure, median, maxMeasure},
	}
)

// value returns a figure; NaN if the group has no numbers. Sums and counts of nothing are 0.
func (m measure) value(g *tabular.Group) float64 {
	if g.Count == 0 && m.name != "count" && m.name != "sum" {
		return math.NaN()
	}
	return m.of(g)
}

func figure(n float64) string {
	if math.IsNaN(n) {
		return ""
	}
	return tabular.FormatNumber(n)
}

// aggregateDetails is the result for programs.
type aggregateDetails struct {
	Columns  []string   `json:"columns"`
	Rows     [][]string `json:"rows"`
	Read     int        `json:"read"`
	Selected int        `json:"selected"`
	From     string     `json:"from,omitempty"`
	To       string     `json:"to,omitempty"`
}

func (a *answer) output(ctx context.Context) (tool.Output, error) {
	a.arrange()
	details := aggregateDetails{Columns: a.columns(chinese.Builtin.Printer("en")), Rows: a.rowsOfFigures(), Read: a.Rows, Selected: a.Selected}
	if !a.From.IsZero() {
		details.From, details.To = a.From.Format(time.DateOnly), a.To.Format(time.DateOnly)
	}
	if a.Selected == 0 {
		text := a.printer.Say("No row is selected of %v in %s.", plural(a.Rows, "%d row"), named(a.name))
		if !a.FirstDate.IsZero() {
			text += a.printer.Say(" The dates in %s go from %s to %s.", a.Date, a.FirstDate.Format(time.DateOnly), a.LastDate.Format(time.DateOnly))
		}
		return tool.Output{Text: text + "\n" + notes(a.printer, a.Notes), Details: details}, nil
	}
	if a.in.StartRow > len(details.Rows) {
		return tool.Output{}, errorf("the result has %v, so there is no row %d", plural(len(details.Rows), "%d row"), a.in.StartRow)
	}
	out := tool.Output{Details: details}
	foot := a.summary()
	if a.in.Chart {
		file, remarks, err := a.chartFile(ctx)
		if err != nil {
			return tool.Output{}, err
		}
		out.Files = []tool.File{file}
		foot += a.printer.Say("The chart %s is shown to the user.", file.Name) + "\n"
		a.Notes = append(a.Notes, remarks...)
	}
	if a.RankError > 0 {
		a.Notes = append(a.Notes, sentence("medians and quantiles are estimates: their rank is off by at most %.2g %%", 100*a.RankError))
	}
	p := page{
		printer: a.printer, head: a.heading() + tableHead(a.columns(a.printer)), what: sentence("Groups"),
		first: a.in.StartRow, all: len(details.Rows), next: "startRow", gap: "\n", foot: foot + notes(a.printer, a.Notes),
	}
	for _, row := range details.Rows[a.in.StartRow-1:] {
		p.lines = append(p.lines, tableLine(row))
	}
	out.Text, _ = p.text(fits(ctx))
	return out, nil
}

// maxGaps limits the periods without rows that are filled in.
const maxGaps = 1000

// arrange fills in periods without rows, or sorts groups by their first figure, the largest first.
func (a *answer) arrange() {
	if a.query.Period == "" {
		m := measures[a.in.Measure][0]
		slices.SortStableFunc(a.Groups.Groups, func(x, y tabular.Group) int { return cmp.Compare(m.value(&y), m.value(&x)) })
		return
	}
	if len(a.query.By) > 0 || len(a.Groups.Groups) == 0 {
		return
	}
	var filled []tabular.Group
	gaps := 0
	next := a.Groups.Groups[0].Start
	for _, g := range a.Groups.Groups {
		for ; next.Before(g.Start) && gaps < maxGaps; next = a.query.Period.Next(next) {
			filled = append(filled, tabular.Group{Start: next})
			gaps++
		}
		filled = append(filled, g)
		next = a.query.Period.Next(g.Start)
	}
	a.Groups.Groups = filled
}

// trend reports whether the result is one line over time.
func (a *answer) trend() bool {
	return a.query.Period != "" && len(a.query.By) == 0 && len(measures[a.in.Measure]) == 1
}

func (a *answer) columns(p message.Printer) []string {
	var list []string
	if a.query.Period != "" {
		list = append(list, p.Say(string(a.query.Period)))
	}
	list = append(list, a.By...)
	for _, m := range measures[a.in.Measure] {
		list = append(list, p.Say("%s of %s", p.Say(m.name), a.Column))
	}
	if a.trend() {
		list = append(list, p.Say("change"))
	}
	return list
}

func (a *answer) rowsOfFigures() [][]string {
	rows := [][]string{}
	previous := math.NaN()
	for i := range a.Groups.Groups {
		g := &a.Groups.Groups[i]
		var row []string
		if a.query.Period != "" {
			row = append(row, a.query.Period.Name(g.Start))
		}
		row = append(row, g.Keys...)
		var n float64
		for _, m := range measures[a.in.Measure] {
			n = m.value(g)
			row = append(row, figure(n))
		}
		if a.trend() {
			row = append(row, growth(previous, n))
			previous = n
		}
		rows = append(rows, row)
	}
	return rows
}

// growth writes how much a figure grew; "" if that has no meaning.
func growth(from, to float64) string {
	if math.IsNaN(from) || math.IsNaN(to) || from <= 0 {
		return ""
	}
	return fmt.Sprintf("%+.1f %%", 100*(to-from)/from)
}

// heading says what was calculated.
func (a *answer) heading() string {
	say := a.printer.Say
	what := say(a.in.Measure)
	if a.in.Measure == "all" {
		what = say("figures")
	}
	text := say("%s of %s in %s", what, a.Column, named(a.name))
	from, to := strings.TrimSpace(a.in.From), strings.TrimSpace(a.in.To)
	switch {
	case !a.From.IsZero():
		text += say(", %s (%s to %s)", say(a.in.Range), a.From.Format(time.DateOnly), a.To.Format(time.DateOnly))
	case from != "" && to != "":
		text += say(", from %s to %s", from, to)
	case from != "":
		text += say(", from %s", from)
	case to != "":
		text += say(", to %s", to)
	}
	if a.in.Where != "" {
		text += say(", where %s", cut(strings.Join(strings.Fields(a.in.Where), " "), maxEcho))
	}
	if a.Selected == a.Rows {
		return text + say(", of all %v:", plural(a.Rows, "%d row")) + "\n"
	}
	return text + say(", of %v of %d:", plural(a.Selected, "%d row"), a.Rows) + "\n"
}

// summary writes the figures of all groups together, and the trend.
func (a *answer) summary() string {
	groups := a.Groups.Groups
	if len(groups) < 2 {
		return ""
	}
	all := tabular.Group{}
	for _, g := range groups {
		all.Count, all.Sum = all.Count+g.Count, all.Sum+g.Sum
	}
	text, say := "", a.printer.Say
	switch a.in.Measure {
	case "sum", "all":
		text = say("All together: sum %s, mean %s.", figure(all.Sum), figure(significant(all.Mean()))) + "\n"
	case "count":
		text = say("All together: count %d.", all.Count) + "\n"
	case "mean":
		text = say("Mean of all rows: %s.", figure(significant(all.Mean()))) + "\n"
	}
	if m := measures[a.in.Measure][0]; a.trend() {
		first, last := &groups[0], &groups[len(groups)-1]
		text += say("From %s to %s it went from %s to %s", a.query.Period.Name(first.Start), a.query.Period.Name(last.Start), figure(m.value(first)), figure(m.value(last)))
		if c := growth(m.value(first), m.value(last)); c != "" {
			text += say(" (%s)", c)
		}
		text += say(".") + "\n"
	}
	return text
}
