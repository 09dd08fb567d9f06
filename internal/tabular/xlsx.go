package tabular

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/vcpgo/vcp/internal/message"
)

// The limits of an XLSX file, in bytes.
const (
	maxXLSX         = 64 << 20 // of the compressed file
	maxXLSXUnpacked = 1 << 30  // of its content
	maxXLSXPart     = 16 << 20 // of a sheet in memory; larger sheets are unpacked into a temporary file
)

// xlsxRows reads one sheet of an XLSX file.
type xlsxRows struct {
	ctx     context.Context
	name    string
	file    *excelize.File
	rows    *excelize.Rows
	columns []string
	cells   []string
	sheets  []string
	sheet   string
	longer  int // rows with more cells than the header
}

func openXLSX(ctx context.Context, f io.ReaderAt, o Options) (_ Rows, err error) {
	if o.Size > maxXLSX {
		return nil, formatErrorf(o.Name, "has %d bytes, and an XLSX file of at most %d is read; save the sheet as CSV", o.Size, maxXLSX)
	}
	defer func() {
		if p := recover(); p != nil { // the library panics on some hostile files
			err = unreadableXLSX(o.Name, p)
		}
	}()
	file, err := excelize.OpenReader(io.NewSectionReader(f, 0, o.Size), excelize.Options{
		UnzipSizeLimit: maxXLSXUnpacked, UnzipXMLSizeLimit: maxXLSXPart, TmpDir: o.Temporary,
		ShortDatePattern: "yyyy-mm-dd", LongDatePattern: "yyyy-mm-dd", LongTimePattern: "hh:mm:ss",
	})
	if err != nil {
		return nil, unreadableXLSX(o.Name, err)
	}
	x := &xlsxRows{ctx: ctx, name: o.Name, file: file, sheets: file.GetSheetList()}
	defer func() {
		if err != nil {
			_ = x.Close() // the first error is returned
		}
	}()
	if len(x.sheets) == 0 {
		return nil, unreadableXLSX(o.Name, "it has no sheets")
	}
	if x.sheet = x.sheets[0]; o.Sheet != "" {
		if x.sheet = sheetNamed(x.sheets, o.Sheet); x.sheet == "" {
			return nil, formatErrorf(o.Name, "has no sheet %q; its sheets are %s", o.Sheet, quotedNames(x.sheets))
		}
	}
	if x.rows, err = file.Rows(x.sheet); err != nil {
		return nil, unreadableXLSX(o.Name, err)
	}
	for len(x.columns) == 0 { // blank rows may come first
		cells, err := x.next()
		if errors.Is(err, io.EOF) {
			return nil, formatErrorf(o.Name, "has nothing in its sheet %q; its sheets are %s", x.sheet, quotedNames(x.sheets))
		}
		if err != nil {
			return nil, err
		}
		if x.columns, err = header(o.Name, cells); err != nil {
			return nil, err
		}
	}
	x.cells = make([]string, len(x.columns))
	return x, nil
}

// unreadableXLSX returns the error for a file with that name that cannot be read.
func unreadableXLSX(name string, why any) error {
	return formatErrorf(name, "cannot be read as XLSX: %.200v; save the sheet as CSV", why)
}

func sheetNamed(sheets []string, name string) string {
	for _, s := range sheets {
		if strings.EqualFold(strings.TrimSpace(s), strings.TrimSpace(name)) {
			return s
		}
	}
	return ""
}

func quotedNames(names []string) string {
	var quoted []string
	for _, n := range names[:min(len(names), 20)] {
		quoted = append(quoted, fmt.Sprintf("%.60q", n))
	}
	return strings.Join(quoted, ", ")
}

func (x *xlsxRows) Columns() []string { return x.columns }

func (x *xlsxRows) Close() error {
	if x.rows != nil {
		_ = x.rows.Close() // the rows were only read, so an error means nothing
	}
	return x.file.Close()
}

func (x *xlsxRows) next() (cells []string, err error) {
	defer func() {
		if p := recover(); p != nil { // the library panics on some hostile files
			err = unreadableXLSX(x.name, p)
		}
	}()
	if err := x.ctx.Err(); err != nil {
		return nil, err
	}
	if !x.rows.Next() {
		if err := x.rows.Error(); err != nil {
			return nil, unreadableXLSX(x.name, err)
		}
		return nil, io.EOF
	}
	if cells, err = x.rows.Columns(); err != nil {
		return nil, unreadableXLSX(x.name, err)
	}
	return cells, nil
}

func (x *xlsxRows) Next() ([]string, error) {
	for {
		cells, err := x.next()
		if err != nil {
			return nil, err
		}
		if len(cells) == 0 { // a blank row
			continue
		}
		if len(cells) > len(x.columns) {
			x.longer++
		}
		clear(x.cells)
		copy(x.cells, cells)
		return x.cells, nil
	}
}

func (x *xlsxRows) Notes() (notes []*message.Text) {
	if x.longer > 0 {
		notes = append(notes, sentence("%d rows have more cells than the first row names columns; the further ones are not read", x.longer))
	}
	if len(x.sheets) > 1 {
		notes = append(notes, sentence("this is the sheet %q of %s", x.sheet, quotedNames(x.sheets)))
	}
	return notes
}
