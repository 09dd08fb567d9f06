package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol"
)

// keptBuffer is how large a buffer may be that is kept from one line to the next. A longer line gets one of its own, so that one
// giant does not hold memory for the rest of the run.
const keptBuffer = 1 << 20

// badLines is a run of --jsonl in which lines could not be read.
type badLines struct{ bad, all int }

func (e *badLines) Error() string {
	return fmt.Sprintf("%d of %d lines could not be read; the output says why, in their place", e.bad, e.all)
}

// lines reads one reply from each line and writes one line for each. What was written is handed on before more input is waited for,
// so that another program can talk with this one line by line.
func (r *reading) lines(in io.Reader, name string, w io.Writer) error {
	out := bufio.NewWriterSize(w, 64<<10)
	lines := bufio.NewReaderSize(&flushBefore{in, out}, 64<<10)
	var (
		line, answer []byte
		count        badLines
		failure      error
	)
	for {
		var err error
		line, err = readLine(lines, line[:0])
		if err != nil && !errors.Is(err, io.EOF) {
			if err = flushed(out, err); errors.As(err, new(*outputError)) {
				return err
			}
			return fmt.Errorf("cannot read %s: %w", name, err)
		}
		if len(line) == 0 && err != nil {
			break
		}
		count.all++
		var bad error
		answer, bad = r.line(answer[:0], line, count.all)
		if bad != nil {
			count.bad++
		}
		if _, werr := out.Write(answer); werr != nil {
			return &outputError{werr}
		}
		line, answer = kept(line), kept(answer)
		if err != nil {
			break
		}
	}
	if count.bad > 0 {
		failure = &count
	}
	return flushed(out, failure)
}

// outputError is output that cannot be written.
type outputError struct{ err error }

func (e *outputError) Error() string { return "cannot write the output: " + e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }

// flushed writes what is left, and returns err unless that fails.
func flushed(out *bufio.Writer, err error) error {
	if werr := out.Flush(); werr != nil {
		return &outputError{werr}
	}
	return err
}

// flushBefore writes out what there is before it reads.
type flushBefore struct {
	in  io.Reader
	out *bufio.Writer
}

func (f *flushBefore) Read(p []byte) (int, error) {
	if err := f.out.Flush(); err != nil {
		return 0, &outputError{err}
	}
	return f.in.Read(p)
}

// readLine appends one line to dst, with its line break. With io.EOF the line may be empty, or the last one without a line break.
func readLine(in *bufio.Reader, dst []byte) ([]byte, error) {
	for {
		piece, err := in.ReadSlice('\n')
		dst = append(dst, piece...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return dst, err
		}
	}
}

func kept(buffer []byte) []byte {
	if cap(buffer) > keptBuffer {
		return nil
	}
	return buffer
}

// line appends the answer to one line of input. The error says why the line could not be read; the answer says so too.
func (r *reading) line(dst, line []byte, number int) ([]byte, error) {
	id, text, finish, err := r.decode(line)
	if err != nil {
		return appendFailure(dst, []byte("null"), "bad_line", fmt.Sprintf("line %d: %s", number, oneLine(err.Error()))), err
	}
	reply, err := r.parse(text, finish)
	if err != nil {
		return appendFailure(dst, id, "protocol_failed", oneLine(err.Error())), err
	}
	dst = append(append(append(dst, `{"id":`...), id...), ',')
	start := len(dst)
	dst = reply.AppendJSON(dst)
	// The object goes on after the id: its own brace is left out.
	dst = append(dst[:start], dst[start+1:]...)
	return append(dst, '\n'), nil
}

func appendFailure(dst, id []byte, code, message string) []byte {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(message); err != nil { // a string always encodes
		text.WriteString(strconv.Quote(code))
	}
	dst = append(append(append(dst, `{"id":`...), id...), `,"error":{"code":"`+code+`","message":`...)
	return append(append(dst, bytes.TrimSuffix(text.Bytes(), []byte("\n"))...), "}}\n"...)
}

// decode reads the fields of one line. The id is a part of line, byte for byte.
func (r *reading) decode(line []byte) (id json.RawMessage, text []byte, finish protocol.FinishReason, err error) {
	if !utf8.Valid(line) {
		return nil, nil, "", errors.New("not valid UTF-8; write such a text with vcp parse FILE")
	}
	fields, err := objectFields(line)
	if err != nil {
		return nil, nil, "", err
	}
	id, finish = json.RawMessage("null"), r.options.Finish
	raw, found := json.RawMessage(nil), false
	for _, f := range fields {
		switch f.name {
		case "id":
			id = f.value
		case "text":
			raw, found = f.value, true
		case "finish":
			name, ok := stringValue(f.value)
			if !ok {
				return nil, nil, "", fmt.Errorf("finish is %s; allowed is a string: stop, length or unknown", short(f.value))
			}
			if finish, err = finishNamed(name); err != nil {
				return nil, nil, "", err
			}
		default:
			return nil, nil, "", fmt.Errorf("there is no field %q; the fields are id, text and finish", f.name)
		}
	}
	if !found {
		return nil, nil, "", errors.New(`the field "text" is missing`)
	}
	s, ok := stringValue(raw)
	if !ok {
		return nil, nil, "", fmt.Errorf("text is %s; allowed is a string", short(raw))
	}
	return id, []byte(s), finish, nil
}

type field struct {
	name  string
	value json.RawMessage
}

// objectFields returns the fields of the one JSON object in line. A field that stands twice is an error: which of the two is meant,
// readers of JSON do not agree on.
func objectFields(line []byte) ([]field, error) {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil, errors.New(`the line is empty; it is written {"id":…,"text":…,"finish":…}`)
	}
	var whole json.RawMessage
	if err := json.Unmarshal(line, &whole); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, fmt.Errorf("not JSON: %w at byte %d", err, syntax.Offset)
		}
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(line))
	if first, err := d.Token(); err != nil || first != json.Delim('{') {
		return nil, errors.New(`not a JSON object; it is written {"id":…,"text":…,"finish":…}`)
	}
	var fields []field
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		f := field{fmt.Sprint(name), value}
		for _, earlier := range fields {
			if earlier.name == f.name {
				return nil, fmt.Errorf("the field %q stands twice", f.name)
			}
		}
		fields = append(fields, f)
	}
	return fields, nil
}

func stringValue(raw json.RawMessage) (string, bool) {
	var s *string
	if err := json.Unmarshal(raw, &s); err != nil || s == nil {
		return "", false
	}
	return *s, true
}

// short is a JSON value as an error shows it.
func short(raw json.RawMessage) string {
	const most = 40
	if runes := []rune(string(raw)); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(raw)
}
