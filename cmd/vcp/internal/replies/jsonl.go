package replies

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"

	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
)

// keptBuffer is the size of the largest buffer that is kept from one line to the next, in bytes. A
// larger buffer is dropped, so that its memory is released.
const keptBuffer = 1 << 20

// maxLine limits a line of --jsonl, in bytes. A longer line is not parsed.
const maxLine = 64 << 20

const (
	// bufferSize is the size of the buffers of the input and of the output, in bytes.
	bufferSize = 64 << 10
	// maxMessage limits the message about a line that could not be read, in characters.
	maxMessage = 300
)

var errLongLine = fmt.Errorf("longer than %d MiB, the limit of a line", maxLine>>20)

// badLines reports that lines of --jsonl could not be read.
type badLines struct{ bad, all int }

func (e *badLines) Error() string {
	return fmt.Sprintf("%d of %d lines could not be read; the output says why, in their place", e.bad, e.all)
}

// lines reads one reply from each line and writes one line for each. It flushes the output before
// it waits for more input, so that another program can write and read line by line.
func (r *Reader) lines(in io.Reader, name string, w io.Writer) error {
	out := bufio.NewWriterSize(w, bufferSize)
	lines := newLineReader(&flushBefore{in, out})
	var (
		line, output []byte
		decoder      lineDecoder
		count        badLines
	)
	for {
		var err error
		line, err = readLine(lines, line[:0])
		if errors.Is(err, io.EOF) {
			if err = out.Flush(); err == nil && count.bad > 0 {
				err = &count
			}
			return err
		}
		count.all++
		switch {
		case err == nil:
			output, err = r.line(output[:0], &decoder, line, count.all)
		case errors.Is(err, errLongLine):
			output = badLine(output[:0], count.all, err)
		default:
			return cmp.Or(out.Flush(), fmt.Errorf("cannot read %s: %w", name, err))
		}
		if err != nil {
			count.bad++
		}
		if _, err := out.Write(output); err != nil {
			return err
		}
		line, output = kept(line), kept(output)
	}
}

// flushBefore flushes the output before each read.
type flushBefore struct {
	in  io.Reader
	out *bufio.Writer
}

func (f *flushBefore) Read(p []byte) (int, error) {
	if err := f.out.Flush(); err != nil {
		return 0, err
	}
	return f.in.Read(p)
}

// newLineReader returns a reader for readLine. The io.MultiReader reads nothing after the first
// io.EOF, although a terminal could deliver more.
func newLineReader(in io.Reader) *bufio.Reader {
	return bufio.NewReaderSize(io.MultiReader(in), bufferSize)
}

// readLine appends one line to dst, with its line break, which the last line may lack. If there is
// no further line, readLine returns io.EOF. If a line is too long, readLine skips it and returns
// errLongLine.
func readLine(in *bufio.Reader, dst []byte) ([]byte, error) {
	long := false
	for {
		piece, err := in.ReadSlice('\n')
		if long = long || len(dst)+len(piece) > maxLine; !long {
			dst = append(dst, piece...)
		}
		if (long || len(dst) > 0) && errors.Is(err, io.EOF) {
			err = nil // the next call says that the input has ended
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case long && err == nil:
			return nil, errLongLine
		default:
			return dst, err
		}
	}
}

// kept returns the buffer if it may be used for the next line, or nil if it is too large.
func kept(buffer []byte) []byte {
	if cap(buffer) > keptBuffer {
		return nil
	}
	return buffer
}

// line appends the line of output for one line of input. The error says why the input could not be
// read; the output says so too.
func (r *Reader) line(dst []byte, d *lineDecoder, line []byte, number int) ([]byte, error) {
	input, err := d.decode(line)
	if err != nil {
		return badLine(dst, number, err), err
	}
	finish := r.options.Finish
	if input.finish != nil {
		finish = *input.finish
	}
	reply, err := r.parse(input.text, finish)
	if err != nil {
		message := text.TruncateRunes(terminal.OneLine(err.Error()), maxMessage)
		return appendFailure(dst, input.id, "protocol_failed", message), err
	}
	dst = append(append(append(dst, `{"id":`...), input.id...), ',')
	start := len(dst)
	dst = reply.AppendJSON(dst)
	// The object continues after the id, without its own opening brace.
	dst = append(dst[:start], dst[start+1:]...)
	return append(dst, '\n'), nil
}

// badLine appends the line of output for a line that cannot be read. number counts lines from 1.
func badLine(dst []byte, number int, err error) []byte {
	message := fmt.Sprintf("line %d: %s", number, terminal.OneLine(err.Error()))
	return appendFailure(dst, []byte("null"), "bad_line", text.TruncateRunes(message, maxMessage))
}

func appendFailure(dst, id []byte, code, message string) []byte {
	dst = append(append(append(dst, `{"id":`...), id...), `,"error":{"code":"`+code+`","message":`...)
	return append(append(dst, orderedjson.String(message)...), "}}\n"...)
}
