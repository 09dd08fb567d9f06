package builtin

import (
	"context"
	"strings"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin/internal/tabular"
)

type rowsInput struct {
	Path       string `json:"path" jsonschema:"the file with the table, relative to the root directory"`
	Where      string `json:"where,omitempty" jsonschema:"conditions that rows must meet, such as: status = open and size >= 100 and note contains late"`
	Columns    string `json:"columns,omitempty" jsonschema:"the columns to show, with commas between them; if omitted, all"`
	Sort       string `json:"sort,omitempty" jsonschema:"a column to sort by"`
	Descending bool   `json:"descending" default:"false" jsonschema:"whether the largest come first"`
	StartRow   int    `json:"startRow" default:"1" minimum:"1" jsonschema:"the first row to show, counted from 1 among those that match"`
	Limit      int    `json:"limit" default:"20" minimum:"1" maximum:"200" jsonschema:"how many rows to show"`
	Sheet      string `json:"sheet,omitempty" jsonschema:"the sheet of an XLSX file; if omitted, the first"`
}

// rowsDetails are the details of a result of table_rows, for programs.
type rowsDetails struct {
	Columns  []string   `json:"columns"`
	Rows     [][]string `json:"rows"`
	Matching int        `json:"matching"`
}

func (t table) rowsMethod() (tool.Method, error) {
	return tool.New("rows",
		"Shows single rows of a table in a file, filtered and sorted. For totals or averages use table_aggregate, which does not show rows.",
		t.rows, tool.AgentCallable(), tool.WithRisk(tool.RiskRead), tool.Idempotent(), tool.Title("Show table rows"),
		tool.Timeout(tableTime),
		tool.Example(map[string]any{
			"path": "orders.csv", "where": "status = open", "sort": "price", "descending": true, "limit": 5,
		}))
}

func (t table) rows(ctx context.Context, in rowsInput) (tool.Output, error) {
	rows, file, name, err := t.openTable(ctx, in.Path, in.Sheet)
	if err != nil {
		return tool.Output{}, err
	}
	defer file.Close()
	found, err := tabular.Select(ctx, rows, tabular.Selection{
		Where: in.Where, Columns: columnNames(in.Columns, rows.Columns()),
		Sort: in.Sort, Descending: in.Descending, Start: in.StartRow, Limit: in.Limit,
	})
	if err != nil {
		return tool.Output{}, t.tableError(name, err)
	}
	say, details := printer(ctx), rowsDetails{found.Columns, found.Rows, found.Matching}
	switch {
	case found.Matching == 0:
		text := say.Say("None of %v matches the condition in where. table_describe shows what is in the columns.", plural(found.Read, "%d row"))
		return tool.Output{Text: text + "\n" + notes(say, found.Notes), Details: details}, nil
	case len(found.Rows) == 0:
		return tool.Output{}, errorf("%v match, so there is no row %d", plural(found.Matching, "%d row"), in.StartRow)
	}
	p := page{
		printer: say, head: tableHead(found.Columns), what: sentence("Rows"), first: in.StartRow, all: found.Matching,
		next: "startRow", gap: "\n",
		foot: notes(say, found.Notes),
	}
	for _, row := range found.Rows {
		p.lines = append(p.lines, tableLine(row))
	}
	text, _ := p.text(fits(ctx))
	return tool.Output{Text: text, Details: details}, nil
}

// columnNames splits a list of names at its commas, unless the whole list is the name of a column.
func columnNames(list string, columns []string) []string {
	if strings.TrimSpace(list) == "" {
		return nil
	}
	if _, err := tabular.Column(columns, list); err == nil {
		return []string{list}
	}
	var names []string
	for name := range strings.SplitSeq(list, ",") {
		if strings.TrimSpace(name) != "" {
			names = append(names, name)
		}
	}
	return names
}
