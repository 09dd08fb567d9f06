package tabular

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/vcpgo/vcp/internal/message"
)

// maxXLSXColumns is the number of columns that the format allows.
const maxXLSXColumns = 16384

// xlsxRows reads one sheet of an XLSX file. It unpacks the sheet as a stream, and makes no
// temporary file.
type xlsxRows struct {
	name    string
	book    *xlsxWorkbook
	part    *xlsxPart
	columns []string
	cells   []string
	row     int // the number of rows read, including blank ones
	longer  int // rows with more cells than the header
}

func openXLSX(ctx context.Context, f io.ReaderAt, o Options) (_ Rows, err error) {
	if o.Size > maxXLSX {
		return nil, formatErrorf(o.Name, "has %d bytes, and an XLSX file of at most %d is read; save the sheet as CSV", o.Size, maxXLSX)
	}
	x := &xlsxRows{name: o.Name}
	archive, err := openArchive(ctx, f, o.Size)
	if err != nil {
		return nil, x.explain(err)
	}
	var part string
	if x.book, part, err = readWorkbook(archive, o); err != nil {
		return nil, x.explain(err)
	}
	if x.part, err = archive.open(part); err != nil {
		return nil, x.explain(err)
	}
	cells, err := x.next(maxXLSXColumns)
	if err == nil {
		x.columns, err = header(o.Name, cells)
	}
	if err != nil {
		if errors.Is(err, io.EOF) {
			return nil, formatErrorf(o.Name, "has nothing in its sheet %q; its sheets are %s",
				x.book.sheets[x.book.sheet].name, x.book.sheetNames())
		}
		return nil, err
	}
	x.cells = make([]string, len(x.columns))
	return x, nil
}

// explain returns the error for a file that cannot be read.
func (x *xlsxRows) explain(err error) error {
	var known *Error
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.As(err, &known):
		return err
	case errors.Is(err, errLongRow):
		return formatErrorf(x.name, "has a row of more than %d bytes after row %d", maxRow, x.row)
	case errors.Is(err, errManySharedStrings):
		return formatErrorf(x.name, "has more than %d bytes of distinct texts; save the sheet as CSV", maxSharedStrings)
	}
	return formatErrorf(x.name, "cannot be read as XLSX: %.200v; save the sheet as CSV", err)
}

func (x *xlsxRows) Columns() []string { return x.columns }

// next returns the cells of the next row that is not blank, up to the given number of columns.
// After the last row the error is io.EOF.
func (x *xlsxRows) next(columns int) ([]string, error) {
	for {
		token, err := x.part.next()
		if errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		if err != nil {
			return nil, x.explain(err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local != "row" {
				continue
			}
			cells, err := x.readRow(columns)
			if err != nil {
				return nil, x.explain(err)
			}
			if x.row++; len(cells) > 0 {
				return cells, nil
			}
		case xml.EndElement:
			if t.Name.Local == "sheetData" {
				return nil, io.EOF
			}
		}
	}
}

// readRow returns the cells of the row whose start was just read, without empty ones at its end.
func (x *xlsxRows) readRow(columns int) ([]string, error) {
	var cells []string
	size, column, longer := 0, 0, false
	err := x.part.until("row", func(start xml.StartElement) error {
		if start.Name.Local != "c" {
			return nil
		}
		column++
		if name := attribute(start, "r"); name != "" {
			if column = columnNumber(name); column == 0 {
				return fmt.Errorf("there is no cell %.20q", name)
			}
		}
		if column > maxXLSXColumns {
			return fmt.Errorf("a row has more than %d cells", maxXLSXColumns)
		}
		cell, err := x.readCell(start)
		if err != nil {
			return err
		}
		if size += len(cell); size > maxRow {
			return errLongRow
		}
		switch {
		case cell == "":
		case column > columns:
			longer = true
		default:
			for len(cells) < column {
				cells = append(cells, "")
			}
			cells[column-1] = cell
		}
		return nil
	})
	if longer {
		x.longer++
	}
	return cells, err
}

// columnNumber returns the number of the column of a cell such as AB12, from 1. It returns 0 if the
// name begins with no letter, or names a column after the last one that the format allows.
func columnNumber(name string) int {
	n := 0
	for i := range len(name) {
		b := name[i] &^ 0x20 // in upper case
		if b < 'A' || b > 'Z' {
			break
		}
		if n = 26*n + int(b-'A'+1); n > maxXLSXColumns {
			return 0
		}
	}
	return n
}

// readCell returns the text of the cell whose start was just read.
func (x *xlsxRows) readCell(start xml.StartElement) (string, error) {
	kind := attribute(start, "t")
	style, _ := strconv.Atoi(attribute(start, "s")) // 0, the first style, if the cell names none
	value := ""
	err := x.part.until("c", func(start xml.StartElement) (err error) {
		if inline := start.Name.Local == "is"; inline || start.Name.Local == "v" {
			value, err = x.part.text(inline) // an inline string is a string item
		}
		return err
	})
	return x.book.cellText(kind, style, value), err
}

func (x *xlsxRows) Next() ([]string, error) {
	cells, err := x.next(len(x.columns))
	if err != nil {
		return nil, err
	}
	clear(x.cells)
	copy(x.cells, cells)
	return x.cells, nil
}

func (x *xlsxRows) Notes() (notes []*message.Text) {
	if x.longer > 0 {
		notes = append(notes, sentence("%d rows have more cells than the first row has column names; the further cells are not read", x.longer))
	}
	if sheets := x.book.sheets; len(sheets) > 1 {
		notes = append(notes, sentence("this is the sheet %q; the sheets are %s", sheets[x.book.sheet].name, x.book.sheetNames()))
	}
	return notes
}
