package builtin

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin/internal/tabular"
)

func (t table) aggregateMethod() (tool.Method, error) {
	return tool.New("aggregate",
		"Calculates totals, averages and other figures of a column of a table in a file, for groups and over time, and draws a chart of them. "+
			"Use it for sums, means, counts, trends and comparisons; it reads all rows and returns only the figures.",
		t.aggregate, tool.AgentCallable(), tool.WithRisk(tool.RiskRead), tool.Idempotent(),
		tool.Title("Aggregate table"), tool.Timeout(tableTime),
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
	defer file.Close()
	q.By = columnNames(in.By, rows.Columns())
	groups, err := tabular.Aggregate(ctx, rows, q)
	if err != nil {
		return tool.Output{}, t.tableError(name, err)
	}
	a := &aggregateResult{table: t, printer: printer(ctx), in: in, query: q, name: name, Groups: groups}
	return a.output(ctx)
}

// dateOf reads the date in text, the value of the given argument. It returns the zero time if text
// is blank.
func dateOf(argument, text string) (time.Time, error) {
	if strings.TrimSpace(text) == "" {
		return time.Time{}, nil
	}
	date, ok := tabular.Date(text)
	if !ok {
		return time.Time{}, errorf("%s is %q, which is not a date; write one such as 2026-04-01", argument, shorten(text, maxEcho))
	}
	return tabular.Day.Start(date), nil
}

// aggregateDetails are the details of a result of table_aggregate, for programs.
type aggregateDetails struct {
	Columns  []string   `json:"columns"`
	Rows     [][]string `json:"rows"`
	Read     int        `json:"read"`
	Selected int        `json:"selected"`
	From     string     `json:"from,omitempty"`
	To       string     `json:"to,omitempty"`
}

// output returns the result for a model and for programs, with the chart if it was requested.
func (r *aggregateResult) output(ctx context.Context) (tool.Output, error) {
	r.arrange()
	details := aggregateDetails{
		Columns: r.columns(chinese.Builtin.Printer("en")), Rows: r.resultRows(), Read: r.Rows, Selected: r.Selected,
	}
	if !r.From.IsZero() {
		details.From, details.To = r.From.Format(time.DateOnly), r.To.Format(time.DateOnly)
	}
	if r.Selected == 0 {
		text := r.printer.Say("None of %v in %s is selected.", plural(r.Rows, "%d row"), displayPath(r.name))
		if !r.FirstDate.IsZero() {
			text += r.printer.Say(" The dates in %s go from %s to %s.", r.Date, r.FirstDate.Format(time.DateOnly),
				r.LastDate.Format(time.DateOnly))
		}
		return tool.Output{Text: text + "\n" + notes(r.printer, r.Notes), Details: details}, nil
	}
	if r.in.StartRow > len(details.Rows) {
		return tool.Output{}, errorf("the result has %v, so there is no row %d",
			plural(len(details.Rows), "%d row"), r.in.StartRow)
	}
	out := tool.Output{Details: details}
	foot := r.summary()
	if r.in.Chart {
		file, remarks, err := r.chartFile(ctx)
		if err != nil {
			return tool.Output{}, err
		}
		out.Files = []tool.File{file}
		foot += r.printer.Say("The chart %s is shown to the user.", file.Name) + "\n"
		r.Notes = append(r.Notes, remarks...)
	}
	if r.RankError > 0 {
		r.Notes = append(r.Notes, sentence("medians and quantiles are estimates: their rank is off by at most %.2g %%", 100*r.RankError))
	}
	p := page{
		printer: r.printer, head: r.heading() + tableHead(r.columns(r.printer)), what: sentence("Groups"),
		first: r.in.StartRow, all: len(details.Rows), next: "startRow", gap: "\n",
		foot: foot + notes(r.printer, r.Notes),
	}
	for _, row := range details.Rows[r.in.StartRow-1:] {
		p.lines = append(p.lines, tableLine(row))
	}
	out.Text, _ = p.text(fits(ctx))
	return out, nil
}
