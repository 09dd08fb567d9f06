package tabular

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"

	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/text"
)

// The limits of a table.
const (
	maxRow     = 1 << 20 // bytes of one row
	maxColumns = 1000    // of a table; JSON with more is read without the further members, other tables are refused
	maxName    = 200     // bytes of a column's name
)

// Rows reads a table. It is not safe for concurrent use.
type Rows interface {
	// Columns returns the names of the columns, each once. A table of JSON objects gets further
	// columns while it is read.
	Columns() []string
	// Next returns the cells of the next row, in the order of Columns; cells that a row lacks are
	// "". The slice is valid until the next call. After the last row the error is io.EOF.
	Next() ([]string, error)
	// Notes say what a person should know about the rows read so far, such as a wrong number of
	// cells.
	Notes() []*message.Text
}

// File is a file that contains a table. XLSX is read with ReadAt, and other formats with Read.
type File interface {
	io.Reader
	io.ReaderAt
}

// Options say how a table is read.
type Options struct {
	// Name is the name of the file, for errors; its extension decides on the format.
	Name string
	// Size is the length of the file in bytes.
	Size int64
	// Sheet is the sheet of an XLSX file; "" means the first sheet.
	Sheet string
}

// header returns the names of the columns for the cells of the first row. The names are unique, and
// none is empty.
func header(name string, cells []string) ([]string, error) {
	if len(cells) > maxColumns {
		return nil, formatErrorf(name, "has %d columns, and at most %d are read", len(cells), maxColumns)
	}
	var names columnNames
	for _, cell := range cells {
		names.add(cell)
	}
	return names.list, nil
}

// columnNames are the unique names of columns, in order. The zero value is ready to use.
type columnNames struct {
	list []string
	seen map[string]bool
	next map[string]int // for a name that occurred twice, the number that its next column gets
}

// add adds the name of the next column, for the text in its header. A name that is taken gets a
// number, as in "name 2".
func (c *columnNames) add(cell string) {
	if c.seen == nil {
		c.seen, c.next = map[string]bool{}, map[string]int{}
	}
	if cell = text.Prefix(text.OneLine(text.Valid(cell)), maxName); cell == "" {
		cell = fmt.Sprintf("column %d", len(c.list)+1)
	}
	name := cell
	for n := max(2, c.next[cell]); c.seen[name]; n++ {
		name = fmt.Sprintf("%s %d", cell, n)
		c.next[cell] = n + 1
	}
	c.seen[name] = true
	c.list = append(c.list, name)
}

// eachRow calls visit for each row, until visit returns an error or ctx ends.
func eachRow(ctx context.Context, rows Rows, visit func(cells []string) error) error {
	for n := 0; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		cells, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = visit(cells)
		}
		if err != nil {
			return err
		}
	}
}

// errLongRow is the error for a row that exceeds maxRow.
var errLongRow = errors.New("row is too long")

// rowReader reads a file for a decoder. It fails if the decoder reads too much for one row, or if
// the context ends.
type rowReader struct {
	ctx  context.Context
	r    io.Reader
	left int // bytes that the decoder may still read for the current row
}

// begin must be called before each row.
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

// openText returns the reader of a text file for a decoder, without a byte order mark at the
// beginning, and the *rowReader below it.
func openText(ctx context.Context, f io.Reader, name string) (*bufio.Reader, *rowReader) {
	valid := &textReader{name: name, r: transform.NewReader(f, encoding.UTF8Validator)}
	source := &rowReader{ctx: ctx, r: valid, left: maxRow}
	buffered := bufio.NewReaderSize(source, 64<<10)
	const mark = "\ufeff"
	if head, _ := buffered.Peek(len(mark)); string(head) == mark {
		_, _ = buffered.Discard(len(mark)) // cannot fail: Peek has read these bytes
	}
	return buffered, source
}

// textReader counts the lines of a text, and names the line of the first byte that is not UTF-8.
type textReader struct {
	name string
	r    io.Reader // returns encoding.ErrInvalidUTF8 in place of such a byte
	line int       // the number of line ends that were read
}

func (t *textReader) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	t.line += bytes.Count(p[:n], []byte("\n"))
	if errors.Is(err, encoding.ErrInvalidUTF8) {
		err = formatErrorf(t.name, "is not text in UTF-8 at line %d; save it in UTF-8", t.line+1)
	}
	return n, err
}

// peekedRows returns the rows in kept, and then the other rows of the table.
type peekedRows struct {
	Rows
	kept [][]string // rows that were read already
}

func (p *peekedRows) Next() ([]string, error) {
	if len(p.kept) > 0 {
		first := p.kept[0]
		p.kept = p.kept[1:]
		return first, nil
	}
	return p.Rows.Next()
}

// beginning returns a copy of the beginning of a cell, as valid UTF-8. limit is in bytes.
func beginning(cell string, limit int) string {
	return strings.Clone(text.Valid(text.Prefix(cell, limit)))
}
