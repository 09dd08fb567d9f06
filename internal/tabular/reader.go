package tabular

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/vcpgo/vcp/internal/message"
)

// The limits of a table.
const (
	maxRow     = 1 << 20 // bytes of one row
	MaxColumns = 1000
	maxName    = 200 // bytes of a column's name
)

// Rows reads a table. It is not safe for concurrent use.
type Rows interface {
	// Columns returns the names of the columns, each once. A table of JSON objects gets further
	// columns while it is read.
	Columns() []string
	// Next returns the cells of the next row, in the order of Columns; cells that a row lacks are
	// "". The slice is valid until the next call. After the last row the error is io.EOF.
	Next() ([]string, error)
	// Notes say what a person should know of what was read so far, such as rows with a wrong number
	// of cells.
	Notes() []*message.Text
	Close() error
}

// File is a table in a file. Reads of it may be long: they end with the context of Open.
type File interface {
	io.Reader
	io.ReaderAt
}

// Options say how a table is read.
type Options struct {
	// Name is the name of the file; its extension decides on the format.
	Name string
	// Size is the length of the file in bytes.
	Size int64
	// Sheet is the sheet of an XLSX file; "" means the first sheet.
	Sheet string
	// Temporary is a directory for large sheets while they are read; "" means the directory of the
	// system for temporary files.
	Temporary string
}

// Extensions are the extensions of files that Open reads.
var Extensions = []string{".csv", ".tsv", ".tab", ".txt", ".jsonl", ".ndjson", ".json", ".xlsx", ".xlsm"}

// FormatError is the error for a file that is not a table. It says what is wrong, and the way out,
// in English and Chinese.
type FormatError struct{ *message.Text }

// formatErrorf refuses a file of that name. The format says why.
func formatErrorf(name, format string, values ...any) error {
	return &FormatError{sentence("%q %v", name, sentence(format, values...))}
}

// Open begins to read a table. Its first row names the columns, except in JSON.
func Open(ctx context.Context, f File, o Options) (Rows, error) {
	switch ext := strings.ToLower(path.Ext(o.Name)); ext {
	case ".csv", ".tsv", ".tab", ".txt":
		return openCSV(ctx, f, o.Name, ext)
	case ".jsonl", ".ndjson", ".json":
		return openJSON(ctx, f, o.Name)
	case ".xlsx", ".xlsm":
		return openXLSX(ctx, f, o)
	default:
		return nil, formatErrorf(o.Name, "is not a table by its name; tables end in %s", strings.Join(Extensions, ", "))
	}
}

// DecimalComma reports whether numbers of the table have a comma in place of the decimal point.
func DecimalComma(r Rows) bool {
	c, ok := r.(*csvRows)
	return ok && c.reader.Comma == ';'
}

// header makes the names of columns from the first row. The names are unique, and none is empty.
func header(name string, cells []string) ([]string, error) {
	if len(cells) > MaxColumns {
		return nil, formatErrorf(name, "has %d columns, and at most %d are read", len(cells), MaxColumns)
	}
	seen := map[string]bool{}
	columns := make([]string, len(cells))
	for i, cell := range cells {
		cell = strings.Join(strings.Fields(strings.ToValidUTF8(cell, "\uFFFD")), " ")
		if cell = cell[:min(len(cell), maxName)]; cell == "" {
			cell = fmt.Sprintf("column %d", i+1)
		}
		unique := cell
		for n := 2; seen[unique]; n++ {
			unique = fmt.Sprintf("%s %d", cell, n)
		}
		seen[unique], columns[i] = true, strings.ToValidUTF8(unique, "")
	}
	return columns, nil
}

// errLongRow is the error for a row that exceeds maxRow.
var errLongRow = errors.New("row is too long")

// rowReader reads a file for a decoder. It fails if the decoder reads too much for one row, or if
// the context ends.
type rowReader struct {
	ctx  context.Context
	r    io.Reader
	left int
}

// begin is called before each row.
func (r *rowReader) begin() { r.left = maxRow }

func (r *rowReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	if r.left <= 0 {
		return 0, errLongRow
	}
	n, err := r.r.Read(p)
	r.left -= n
	return n, err
}

// validText returns a cell as valid UTF-8.
func validText(cell string) string { return strings.ToValidUTF8(cell, "\uFFFD") }
