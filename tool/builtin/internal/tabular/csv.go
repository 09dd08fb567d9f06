package tabular

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"

	"github.com/vcpgo/vcp/internal/message"
)

// csvRows reads values that are separated by commas, semicolons, tabs or bars.
type csvRows struct {
	name        string
	source      *rowReader
	reader      *csv.Reader
	columns     []string
	cells       []string
	row         int // the number of rows read, without the header
	line        int // the line of the file in which the last row begins
	uneven      int // rows with another number of cells than the header
	firstUneven int // the first of these rows, counted from 1 without the header
}

func openCSV(ctx context.Context, f io.Reader, name, ext string) (Rows, error) {
	buffered, source := openText(ctx, f, name)
	head, err := buffered.Peek(8 << 10) // usually more than the first line, which decides on the separator
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return nil, formatErrorf(name, "is not text in UTF-8; save it as CSV in UTF-8")
	}
	c := &csvRows{name: name, source: source, reader: csv.NewReader(buffered)}
	c.reader.Comma = separator(head, ext)
	c.reader.ReuseRecord, c.reader.LazyQuotes = true, true
	c.reader.FieldsPerRecord = -1 // rows may have different numbers of cells
	cells, err := c.reader.Read()
	switch {
	case errors.Is(err, io.EOF):
		return nil, formatErrorf(name, "is empty; the first row of a table names its columns")
	case err != nil:
		return nil, c.explain(err)
	}
	if c.columns, err = header(name, cells); err != nil {
		return nil, err
	}
	c.cells = make([]string, len(c.columns))
	return c, nil
}

// separator returns the separator of the cells. It is a tab for .tsv and .tab. Otherwise it is the
// comma, tab, semicolon or bar, whichever occurs most often in the first line outside of quotation
// marks.
func separator(head []byte, ext string) rune {
	if ext == ".tsv" || ext == ".tab" {
		return '\t'
	}
	count := map[byte]int{}
	quoted := false
	for _, b := range head {
		if b == '"' {
			quoted = !quoted
		}
		if b == '\n' && !quoted {
			break
		}
		if !quoted {
			count[b]++
		}
	}
	best := byte(',')
	for _, b := range []byte("\t;|") {
		if count[b] > count[best] {
			best = b
		}
	}
	return rune(best)
}

func (c *csvRows) Columns() []string { return c.columns }

func (c *csvRows) Next() ([]string, error) {
	c.source.begin()
	cells, err := c.reader.Read()
	if err != nil {
		return nil, c.explain(err)
	}
	c.line, _ = c.reader.FieldPos(0)
	if c.row++; len(cells) != len(c.columns) {
		if c.uneven++; c.firstUneven == 0 {
			c.firstUneven = c.row
		}
	}
	clear(c.cells)
	copy(c.cells, cells)
	return c.cells, nil
}

// explain turns an error of the CSV reader into an *Error, except for io.EOF and errors of the
// file.
func (c *csvRows) explain(err error) error {
	var parse *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		return io.EOF
	case errors.Is(err, errLongRow):
		return formatErrorf(c.name, "has a row of more than %d bytes after line %d; a closing quotation mark may be missing",
			maxRow, c.line)
	case errors.As(err, &parse):
		return formatErrorf(c.name, "cannot be read at line %d: %v", parse.Line, parse.Err)
	}
	return err
}

func (c *csvRows) Notes() []*message.Text {
	if c.uneven == 0 {
		return nil
	}
	return []*message.Text{sentence("rows with more or fewer cells than the header: %d, the first is row %d; "+
		"missing cells count as empty, and further ones are not read", c.uneven, c.firstUneven)}
}
