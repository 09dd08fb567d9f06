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
	defer func() { _, _ = rows.Close(), file.Close() }() // only read, so an error means nothing
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
