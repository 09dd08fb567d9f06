package model

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/vcpgo/vcp/internal/work"
)

// Limits of what a server may send, in bytes. They only keep a broken server from filling memory: a model's reply is far below.
const (
	maxLine   = 4 << 20   // of one line of an event stream, and of the data of one event
	maxWhole  = 16 << 20  // of an answer that came in one piece
	maxModels = 4 << 20   // of a list of models
	maxHeader = 256 << 10 // of the header of an answer
	maxEmpty  = 64 << 20  // of a body without a piece of a reply
)

const done = "[DONE]" // the last value of a stream

// events reads the body of an answer and gives it on as lines "data: JSON", each with its line break, and nothing else. The
// client library's own reader loses a last line without line break, gives up after 300 comment lines, knows neither CR as a line's end
// nor data of several lines, reads an error event as an empty piece, and takes a web page for the end of a reply.
//
// Servers also leave out the blank line that ends an event: a value that is whole on its line is one. A piece of a reply is handed on
// with its line, and any other value with the next one, which may say that it tells of an error.
type events struct {
	hide *secrets
	body io.ReadCloser
	in   *bufio.Reader
	out  []byte // what is still to be handed on
	err  error  // what comes after out

	begun   bool
	text    []byte // of the line being read
	afterCR bool   // the last line ended in CR; a LF that follows belongs to it
	inError bool   // the event being read is an error event
	said    []byte // data of that event that was not handed on
	several bool   // said is more than one line
	foreign []byte // the first line that is none of an event stream
	count   int    // values handed on
}

func newEvents(hide *secrets, body io.ReadCloser) *events {
	return &events{hide: hide, body: body, in: bufio.NewReaderSize(body, 16<<10)}
}

// Close ends the connection where the answer was not read to its end.
func (e *events) Close() error { return e.body.Close() }

// Read fills p with what is left of a line.
func (e *events) Read(p []byte) (int, error) {
	for len(e.out) == 0 && e.err == nil {
		if !e.begun {
			e.begin()
			continue
		}
		line, err := e.line()
		if err != nil {
			e.last(line)
			e.end(err)
			continue
		}
		e.take(line)
	}
	n := copy(p, e.out)
	e.out = e.out[n:]
	if n > 0 {
		return n, nil
	}
	return 0, e.err
}

// begin looks at how the body starts: servers name the content type wrongly too often to go by it.
func (e *events) begin() {
	e.begun = true
	first, err := e.firstByte()
	switch {
	case err != nil:
		e.end(err)
	case first == '<' && e.tag():
		e.err = &bodyError{kind: KindAnswer, message: "answered with a web page, which is no reply of a model; is the base URL right? It usually ends in /v1"}
	case first == '{' || first == '[':
		e.whole()
	}
}

// firstByte skips white space and a byte order mark.
func (e *events) firstByte() (byte, error) {
	if mark, err := e.in.Peek(3); err == nil && string(mark) == "\uFEFF" {
		_, _ = e.in.Discard(3)
	}
	for {
		b, err := e.in.ReadByte()
		if err != nil {
			return 0, err
		}
		if b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			return b, e.in.UnreadByte()
		}
	}
}

// tag reports whether the body goes on as a page does: with a tag, a comment or a declaration.
func (e *events) tag() bool {
	head, _ := e.in.Peek(2)
	return len(head) == 2 && (head[1] == '!' || head[1] == '?' || head[1]|0x20 >= 'a' && head[1]|0x20 <= 'z')
}

// whole takes an answer of one piece, from a server that does not stream.
func (e *events) whole() {
	body, err := io.ReadAll(io.LimitReader(e.in, maxWhole+1))
	var compact bytes.Buffer
	switch {
	case err != nil:
		e.err = err
	case len(body) > maxWhole:
		e.err = tooLong(maxWhole)
	case json.Compact(&compact, body) != nil:
		e.err = &bodyError{kind: KindAnswer, message: fmt.Sprintf("answered with broken JSON: %s", quote(e.hide, body))}
	default:
		e.data(compact.Bytes())
		e.err = io.EOF
	}
}

// line returns the next line without its end, valid until the next call. With an error comes what is left behind the last line.
func (e *events) line() ([]byte, error) {
	e.text = e.text[:0]
	for {
		ahead, err := e.ahead()
		if err != nil {
			return e.text, err
		}
		n := bytes.IndexAny(ahead, "\r\n")
		ends := n >= 0
		if !ends {
			n = len(ahead)
		}
		work.Add(n)
		if len(e.text)+n > maxLine {
			return nil, tooLong(maxLine)
		}
		e.text = append(e.text, ahead[:n]...)
		if ends {
			e.afterCR = ahead[n] == '\r'
			n++
		}
		_, _ = e.in.Discard(n)
		if ends {
			return e.text, nil
		}
	}
}

// ahead returns what has come, at least one byte. The LF of a CR LF is looked for only here, when the line that it ends has been taken:
// it may come late, or never.
func (e *events) ahead() ([]byte, error) {
	next, err := e.in.Peek(1)
	if err == nil && e.afterCR && next[0] == '\n' {
		_, _ = e.in.Discard(1)
		_, err = e.in.Peek(1)
	}
	e.afterCR = false
	if err != nil {
		return nil, err
	}
	return e.in.Peek(e.in.Buffered())
}

// take reads one line of an event stream.
func (e *events) take(line []byte) {
	if len(line) == 0 {
		if e.inError {
			e.err = serverError(e.hide, e.said)
			return
		}
		e.give()
		return
	}
	field, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimSpace(value)
	switch string(field) {
	case "data":
		e.more(value)
	case "event":
		e.inError = string(value) == "error"
	case "", "id", "retry":
	default:
		if e.foreign == nil {
			e.foreign = bytes.Clone(line)
		}
	}
}

// more takes one line of an event's data. The fields of an event may come in any order.
func (e *events) more(value []byte) {
	if len(value) == 0 {
		return
	}
	if !e.inError && !e.several && whole(e.said) {
		e.give()
	}
	switch {
	case !e.inError && len(e.said) == 0 && atOnce(value):
		e.data(value)
	case len(e.said)+1+len(value) > maxLine:
		e.err = tooLong(maxLine)
	case len(e.said) > 0:
		e.said, e.several = append(append(e.said, '\n'), value...), true
	default:
		e.said = append(e.said, value...)
	}
}

// give hands on the data of an event.
func (e *events) give() {
	e.data(e.said)
	e.said, e.several = e.said[:0], false
}

// last reads what came without a line's end, and ends the event that was being read. What was cut counts only where it is whole.
func (e *events) last(line []byte) {
	if value, ok := bytes.CutPrefix(line, []byte("data:")); ok && e.inError && !json.Valid(value) {
		return // it may end within a secret, which would not be known
	}
	if len(line) > 0 {
		e.take(line)
	}
	if !e.inError && (whole(e.said) || len(line) == 0 && !truncated(e.said)) {
		e.give()
	}
}

func whole(value []byte) bool {
	work.Add(len(value))
	return json.Valid(value) || string(value) == done
}

// truncated reports whether a value is the beginning of one.
func truncated(value []byte) bool {
	var v json.RawMessage
	return errors.Is(json.NewDecoder(bytes.NewReader(value)).Decode(&v), io.ErrUnexpectedEOF)
}

// atOnce reports whether a value means the same whatever the rest of its event says.
func atOnce(value []byte) bool {
	work.Add(len(value))
	var v struct {
		Error   json.RawMessage `json:"error"`
		Choices json.RawMessage `json:"choices"`
	}
	return string(value) == done || json.Unmarshal(value, &v) == nil && (v.Choices != nil || reported(v.Error))
}

// data hands on one value. The blank keeps the library from taking any value that begins with an "error" member, null too, for an
// error; values are looked at by whoever decodes them.
func (e *events) data(value []byte) {
	if bytes.IndexByte(value, '\n') >= 0 {
		var compact bytes.Buffer
		if err := json.Compact(&compact, value); err != nil {
			e.err = noPart(e.hide, value, err)
			return
		}
		value = compact.Bytes()
	}
	if len(value) == 0 {
		return
	}
	e.count++
	e.out = append(e.out, "data: "...)
	if rest, ok := bytes.CutPrefix(value, []byte("{")); ok {
		e.out = append(e.out, "{ "...)
		value = rest
	}
	e.out = append(append(e.out, value...), '\n')
}

// end says what the end of the body means.
func (e *events) end(err error) {
	switch {
	case e.err != nil:
	case !errors.Is(err, io.EOF):
		e.err = err
	case e.inError:
		e.err = serverError(e.hide, e.said)
	case e.count > 0:
		e.err = io.EOF
	case e.foreign != nil:
		e.err = &bodyError{kind: KindAnswer, message: fmt.Sprintf(
			"answered with something that is no event stream: %s; is the base URL right? It usually ends in /v1", quote(e.hide, e.foreign))}
	default:
		e.err = &bodyError{kind: KindAnswer, message: "sent an empty answer; its log may tell why", temporary: true}
	}
}

// noPart is the error of a value that cannot be a part of a reply.
func noPart(hide *secrets, value []byte, err error) error {
	return &bodyError{kind: KindAnswer, message: fmt.Sprintf("sent a piece that is no part of a reply: %s", quote(hide, value)), err: err}
}

func serverError(hide *secrets, said []byte) error {
	words := serverWords(hide, said)
	if words == "" {
		words = "no reason given"
	}
	return &bodyError{kind: KindServer, message: "reports an error: " + words, temporary: temporaryReport(said)}
}

// temporaryReport reports whether an error that came in place of a reply may pass. Many carry the HTTP status that they would have had.
func temporaryReport(said []byte) bool {
	var shape struct {
		Error json.RawMessage `json:"error"`
		Code  json.RawMessage `json:"code"`
	}
	if json.Unmarshal(said, &shape) != nil {
		return true
	}
	var inner struct {
		Code json.RawMessage `json:"code"`
	}
	_ = json.Unmarshal(shape.Error, &inner) // one that is no object has no code
	for _, code := range []json.RawMessage{inner.Code, shape.Code} {
		if status, ok := wholeNumber(code); ok && status >= 100 && status < 600 {
			return temporaryStatus(status, said)
		}
	}
	return errorCode(said) != codeNoQuota
}

func tooLong(limit int) error {
	return &bodyError{kind: KindAnswer, message: fmt.Sprintf("sent more than %d bytes in one piece, which is no reply of a model", limit)}
}

// quote shows the head of what was sent in place of something else.
func quote(hide *secrets, b []byte) string {
	return strconv.Quote(hide.Line(string(b[:min(len(b), 16<<10)]), maxQuote))
}
