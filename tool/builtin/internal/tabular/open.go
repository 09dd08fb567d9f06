package tabular

import (
	"context"
	"path"
	"strings"
)

// extensions are the extensions of files that Open reads.
var extensions = []string{".csv", ".tsv", ".tab", ".txt", ".jsonl", ".ndjson", ".json", ".xlsx", ".xlsm"}

// Open begins to read a table. The first row of a table names its columns, except in JSON.
func Open(ctx context.Context, f File, o Options) (Rows, error) {
	switch ext := strings.ToLower(path.Ext(o.Name)); ext {
	case ".csv", ".tsv", ".tab", ".txt":
		return openCSV(ctx, f, o.Name, ext)
	case ".jsonl", ".ndjson", ".json":
		return openJSON(ctx, f, o.Name)
	case ".xlsx", ".xlsm":
		return openXLSX(ctx, f, o)
	default:
		return nil, formatErrorf(o.Name, "does not have the extension of a table; the extensions are %s", strings.Join(extensions, ", "))
	}
}

// usesDecimalComma reports whether numbers of the table have a comma in place of the decimal point,
// as in CSV with semicolons between the cells.
func usesDecimalComma(r Rows) bool {
	c, ok := r.(*csvRows)
	return ok && c.reader.Comma == ';'
}
