package model

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"

	"github.com/vcpgo/vcp/internal/work"
)

// Limits of one piece of a response, in bytes.
const (
	maxLine  = 4 << 20  // a line of an event stream, and the data of one event
	maxWhole = 16 << 20 // a response that is not an event stream
)

// done is the last value of a stream.
const done = "[DONE]"

// errDone ends the reading of a response that may continue.
var errDone = errors.New("nothing more is read")

// readValues reads the body of a successful response and calls yield for each JSON value. These are
// the values of an event stream, or the whole body of a server that does not stream. yield must not
// keep a value. If yield returns an error, reading ends with that error.
//
// The result is nil at [DONE] and at a clean end after some value. It is a *fault for an error
// event, for a response that is neither an event stream nor JSON, and for an empty response.
//
// Servers often omit the blank line that ends an event, so a value that is whole on its line counts
// as an event. yield gets a piece of a reply as soon as it arrives. Other values wait for the next
// line, which may say that the event is an error.
func readValues(body io.Reader, s *secrets, yield func(value []byte) error) error {
	r := &eventReader{in: bufio.NewReaderSize(body, 16<<10), secrets: s, yield: yield}
	err := r.read()
	if errors.Is(err, errDone) {
		return nil
	}
	return err
}

// An eventReader reads an event stream. Lines may end in LF, CR LF or CR. An event may have its
// fields in any order, and its data on several lines.
type eventReader struct {
	in      *bufio.Reader
	secrets *secrets
	yield   func(value []byte) error

	errorEvent bool   // the event being read is an error event
	data       []byte // data of the event that was not yet passed on
	several    bool   // data has several lines

	passed  bool   // at least one value was passed on
	unknown []byte // the first line that belongs in no event stream
}

// read reads the body to its end. It decides by the first byte what the body is, because content
// types are often wrong.
func (r *eventReader) read() error {
	first, err := r.firstByte()
	switch {
	case err != nil:
		return r.end(nil, err)
	case first == '<' && r.isTag():
		return faultf(KindResponse, "answered with a web page, which is not a reply of a model; %s", baseURLHint)
	case first == '{' || first == '[':
		return r.readWhole()
	}
	var l lineSplitter
	lines := bufio.NewScanner(r.in)
	lines.Split(l.split)
	lines.Buffer(nil, maxLine+1) // a line and the byte that ends it
	for lines.Scan() {
		if l.partial {
			return r.end(lines.Bytes(), cmp.Or(lines.Err(), io.EOF))
		}
		if err := r.readField(lines.Bytes()); err != nil {
			return err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return r.end(nil, tooLong(maxLine))
	}
	return r.end(nil, cmp.Or(lines.Err(), io.EOF))
}

// firstByte skips a byte order mark and white space. It returns the byte after them, which stays
// unread.
func (r *eventReader) firstByte() (byte, error) {
	if mark, err := r.in.Peek(3); err == nil && string(mark) == "\uFEFF" {
		_, _ = r.in.Discard(3)
	}
	for {
		b, err := r.in.ReadByte()
		if err != nil {
			return 0, err
		}
		if b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			return b, r.in.UnreadByte()
		}
	}
}

// isTag reports whether the body begins with a tag, a comment or a declaration of HTML.
func (r *eventReader) isTag() bool {
	head, _ := r.in.Peek(2)
	if len(head) < 2 {
		return false
	}
	c := head[1]
	return c == '!' || c == '?' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// readWhole reads a body that is one JSON value.
func (r *eventReader) readWhole() error {
	body, err := io.ReadAll(io.LimitReader(r.in, maxWhole+1))
	switch {
	case err != nil:
		return err
	case len(body) > maxWhole:
		return tooLong(maxWhole)
	case !json.Valid(body):
		return faultf(KindResponse, "answered with broken JSON: %s", quote(r.secrets, body))
	}
	return r.pass(body)
}

// A lineSplitter splits a stream at LF, CR LF and CR. A line ends with its CR; a LF after it is
// skipped later, because it may come late or never.
type lineSplitter struct {
	searched int  // how many bytes of the line were searched for its end
	afterCR  bool // the last line ended in CR
	partial  bool // the last line had no end
}

// split implements bufio.SplitFunc.
func (l *lineSplitter) split(data []byte, atEnd bool) (advance int, line []byte, err error) {
	if l.afterCR && len(data) > 0 {
		if l.afterCR = false; data[0] == '\n' {
			advance, data = 1, data[1:]
		}
	}
	n := bytes.IndexAny(data[l.searched:], "\r\n")
	work.Add(max(n, 0))
	switch {
	case n >= 0:
		n += l.searched
		l.searched, l.afterCR = 0, data[n] == '\r'
		return advance + n + 1, data[:n], nil
	case atEnd && len(data) > 0:
		l.partial = true
		return advance + len(data), data, nil
	}
	work.Add(len(data) - l.searched)
	l.searched = len(data)
	return advance, nil, nil
}

// readField reads one line: a field of an event, or the blank line that ends it.
func (r *eventReader) readField(line []byte) error {
	if len(line) == 0 {
		return r.endEvent()
	}
	field, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimSpace(value)
	switch string(field) {
	case "data":
		return r.addData(value)
	case "event":
		r.errorEvent = string(value) == "error"
	case "", "id", "retry":
	default:
		if r.unknown == nil {
			r.unknown = bytes.Clone(line)
		}
	}
	return nil
}

// addData adds one line to the data of the event.
func (r *eventReader) addData(value []byte) error {
	if len(value) == 0 {
		return nil
	}
	if !r.errorEvent && !r.several && isValue(r.data) {
		if err := r.endEvent(); err != nil {
			return err
		}
	}
	switch {
	case !r.errorEvent && len(r.data) == 0 && isPiece(value):
		return r.pass(value)
	case len(r.data)+1+len(value) > maxLine:
		return tooLong(maxLine)
	case len(r.data) > 0:
		r.data, r.several = append(append(r.data, '\n'), value...), true
	default:
		r.data = append(r.data, value...)
	}
	return nil
}

// endEvent passes the data of the event on. For an error event it returns the error.
func (r *eventReader) endEvent() error {
	if r.errorEvent {
		return serverError(r.secrets, r.data)
	}
	value := r.data
	r.data, r.several = r.data[:0], false
	return r.pass(value)
}

// end reads the rest after the last line, and ends the open event. A truncated event counts only if
// its value is whole. cause says how the body ended.
func (r *eventReader) end(rest []byte, cause error) error {
	// A truncated error may end within a secret, which would not be recognized.
	if value, ok := bytes.CutPrefix(rest, []byte("data:")); !ok || !r.errorEvent || json.Valid(value) {
		if len(rest) > 0 {
			if err := r.readField(rest); err != nil {
				return err
			}
		}
		if !r.errorEvent && (isValue(r.data) || len(rest) == 0 && !isTruncated(r.data)) {
			if err := r.endEvent(); err != nil {
				return err
			}
		}
	}
	switch {
	case !errors.Is(cause, io.EOF):
		return cause
	case r.errorEvent:
		return serverError(r.secrets, r.data)
	case r.passed:
		return nil
	case r.unknown != nil:
		return faultf(KindResponse, "answered with something that is not an event stream: %s; %s",
			quote(r.secrets, r.unknown), baseURLHint)
	}
	return &fault{kind: KindResponse, message: say("sent an empty response; its log may say why"), temporary: true}
}

// pass passes a value on, unless it is empty.
func (r *eventReader) pass(value []byte) error {
	if len(value) == 0 {
		return nil
	}
	r.passed = true
	if string(value) == done {
		return errDone
	}
	return r.yield(value)
}

// isValue reports whether a line of data is a whole value.
func isValue(data []byte) bool {
	work.Add(len(data))
	return json.Valid(data) || string(data) == done
}

// isTruncated reports whether data is the beginning of a value.
func isTruncated(data []byte) bool {
	var v json.RawMessage
	return errors.Is(json.NewDecoder(bytes.NewReader(data)).Decode(&v), io.ErrUnexpectedEOF)
}

// isPiece reports whether the rest of the event cannot change the meaning of a value.
func isPiece(value []byte) bool {
	work.Add(len(value))
	var v struct {
		Error   json.RawMessage `json:"error"`
		Choices json.RawMessage `json:"choices"`
	}
	return string(value) == done || json.Unmarshal(value, &v) == nil && (v.Choices != nil || isError(v.Error))
}

func tooLong(limit int) error {
	return faultf(KindResponse, "sent more than %d bytes in one piece, which is not a reply of a model", limit)
}
