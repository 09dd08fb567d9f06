package tabular

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"

	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/orderedjson"
)

// jsonRows reads objects: one per line, or the elements of one array. A member is a cell. A member
// that is an object or an array becomes a cell with its JSON text.
type jsonRows struct {
	name    string
	source  *rowReader
	decoder *json.Decoder
	array   bool // the objects are the elements of an array
	done    bool // the array has ended
	columns columnNames
	index   map[string]int // of each column, by the memberKey of its members
	cells   []string
	row     int  // the number of rows read
	omitted bool // a column was omitted, because there are too many
}

func openJSON(ctx context.Context, f io.Reader, name string) (Rows, error) {
	buffered, source := openText(ctx, f, name)
	r := &jsonRows{name: name, source: source, index: map[string]int{}}
	for {
		b, err := buffered.ReadByte()
		if errors.Is(err, io.EOF) {
			return nil, formatErrorf(name, "is empty; write one JSON object per line")
		}
		if err != nil {
			return nil, err
		}
		if bytes.IndexByte([]byte(" \t\r\n"), b) >= 0 {
			continue
		}
		_ = buffered.UnreadByte() // it was just read
		r.array = b == '['
		break
	}
	r.decoder = json.NewDecoder(buffered)
	if r.array {
		if _, err := r.decoder.Token(); err != nil {
			return nil, r.explain(err)
		}
	}
	first, err := r.Next() // it names the columns that callers look up before they read rows
	switch {
	case errors.Is(err, io.EOF):
		return r, nil
	case err != nil:
		return nil, err
	}
	return &peekedRows{Rows: r, kept: [][]string{first}}, nil
}

func (r *jsonRows) Columns() []string { return r.columns.list }

func (r *jsonRows) Next() ([]string, error) {
	r.source.begin()
	if r.done {
		return nil, io.EOF
	}
	if r.array && !r.decoder.More() {
		if _, err := r.decoder.Token(); err != nil {
			return nil, r.explain(err)
		}
		r.done = true
		return nil, io.EOF
	}
	var raw json.RawMessage
	if err := r.decoder.Decode(&raw); err != nil {
		if !r.array && errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		return nil, r.explain(err)
	}
	r.row++
	members, err := orderedjson.Members(raw)
	if err != nil {
		return nil, formatErrorf(r.name, "has a row %d that is not a JSON object; each row is an object such as {\"name\": \"value\"}",
			r.row)
	}
	clear(r.cells)
	for _, m := range members {
		i, known := r.index[memberKey(m.Name)]
		if !known {
			if i = len(r.columns.list); i == maxColumns {
				r.omitted = true
				continue
			}
			r.columns.add(m.Name)
			r.index[memberKey(m.Name)], r.cells = i, append(r.cells, "")
		}
		r.cells[i] = orderedjson.NonNullText(m.Value)
	}
	return r.cells, nil
}

// memberKey returns a key for the name of a member: the name itself, or the hash of a long name. So
// a table does not keep long names.
func memberKey(name string) string {
	if len(name) <= maxName {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return string(sum[:])
}

// explain turns an error of the decoder into an *Error, except for errors of the file.
func (r *jsonRows) explain(err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, errLongRow):
		return formatErrorf(r.name, "has a row of more than %d bytes after row %d", maxRow, r.row)
	case errors.As(err, &syntax):
		return formatErrorf(r.name, "is not JSON after row %d, at byte %d; write one JSON object per line, or one array of objects",
			r.row, syntax.Offset)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return formatErrorf(r.name, "ends too early after row %d; write one JSON object per line, or one array of objects", r.row)
	}
	return err
}

func (r *jsonRows) Notes() []*message.Text {
	if !r.omitted {
		return nil
	}
	return []*message.Text{sentence("the rows have more than %d different members; the others are not read", maxColumns)}
}
