package builtin

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/chinese"
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
