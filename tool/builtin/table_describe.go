package builtin

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin/internal/tabular"
)

const (
	// maxCategories limits the different values of a column of texts. If a column has more, its
	// description shows none of them.
	maxCategories = 50
	// maxTopValue limits a value that a description shows, in characters.
	maxTopValue = 40
	// maxColumnNames limits a description that shows only the names of the columns, in characters.
	maxColumnNames = 4000
)

type describeInput struct {
	Path  string `json:"path" jsonschema:"the file with the table: CSV, TSV, JSON lines or XLSX, relative to the root directory"`
	Sheet string `json:"sheet,omitempty" jsonschema:"the sheet of an XLSX file; if omitted, the first"`
}

func (t table) describeMethod() (tool.Method, error) {
	return tool.New("describe",
		"Describes a table in a file: how many rows it has, its columns and what is in them. Use it first, to learn the names of the columns.",
		t.describe, tool.AgentCallable(), tool.WithRisk(tool.RiskRead), tool.Idempotent(),
		tool.Title("Describe table"), tool.Timeout(tableTime),
		tool.Example(map[string]any{"path": "orders.csv"}))
}

func (t table) describe(ctx context.Context, in describeInput) (tool.Output, error) {
	rows, file, name, err := t.openTable(ctx, in.Path, in.Sheet)
	if err != nil {
		return tool.Output{}, err
	}
	defer file.Close()
	d, err := tabular.Describe(ctx, rows)
	if err != nil {
		return tool.Output{}, t.tableError(name, err)
	}
	say := printer(ctx)
	head := say.Say("%s has %v and %v:", displayPath(name), plural(d.Rows, "%d row"),
		plural(len(d.Columns), "%d column"))
	p := page{
		printer: say, head: head + "\n",
		what: sentence("Columns"), first: 1, all: len(d.Columns), foot: notes(say, d.Notes),
	}
	for _, c := range d.Columns {
		p.lines = append(p.lines, "- "+describeColumn(say, c, d.RankError > 0))
	}
	text, shown := p.text(fits(ctx))
	if shown < len(p.lines) { // a description has no second page: it shows only the names of the columns
		var names []string
		for _, c := range d.Columns {
			names = append(names, c.Name)
		}
		text = p.head + "- " + shorten(strings.Join(names, "\n- "), maxColumnNames)
	}
	return tool.Output{Text: text, Details: d}, nil
}

// describeColumn returns one line about a column. estimated reports that its median is an estimate.
func describeColumn(p message.Printer, c tabular.ColumnSummary, estimated bool) string {
	var parts []string
	switch c.Kind {
	case tabular.Numbers:
		median := sentence("median %s", formatValue(c.Median))
		if estimated {
			median = sentence("median about %s", formatValue(c.Median))
		}
		parts = append(parts, p.Say("%s to %s, sum %s, mean %s, %v",
			formatValue(c.Min), formatValue(c.Max), formatValue(c.Sum), formatMean(c.Mean), median))
	case tabular.Dates:
		parts = append(parts, p.Say("%s to %s", c.First.Format(time.DateOnly), c.Last.Format(time.DateOnly)))
	case tabular.Texts:
		parts = append(parts, describeTexts(p, c))
	}
	if c.Other > 0 {
		parts = append(parts, p.Say("%v of another kind, such as %q", plural(c.Other, "%d cell"), c.Example))
	}
	if c.Empty > 0 {
		parts = append(parts, p.Say("%v", plural(c.Empty, "%d empty cell")))
	}
	return p.Say("%s (%s): %s", c.Name, p.Say(string(c.Kind)), strings.Join(parts, p.Say("; ")))
}

// describeTexts returns what values a column of texts contains.
func describeTexts(p message.Printer, c tabular.ColumnSummary) string {
	if c.More {
		return p.Say("many different or long values")
	}
	if c.Different > maxCategories { // such a column usually contains names or IDs
		return p.Say("%v", plural(c.Different, "%d different value"))
	}
	var top []string
	for _, v := range c.Top {
		top = append(top, fmt.Sprintf("%q (%d)", shorten(v.Value, maxTopValue), v.Count))
	}
	text := p.Say("%v: %s", plural(c.Different, "%d different value"), strings.Join(top, ", "))
	if c.Different > len(c.Top) {
		text += p.Say(" and others")
	}
	return text
}
