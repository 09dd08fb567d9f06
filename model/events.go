package model

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Bounds of what a server may send. They only keep a broken server from filling memory: a model's reply is far below.
const (
	maxLine  = 4 << 20  // bytes of one line of an event stream
	maxWhole = 32 << 20 // bytes of an answer that came in one piece
)

// events reads the body of an answer and gives it on as lines "data: JSON", each with its line break, and nothing else. The
// client library's own reader loses a last line without line break, gives up after 300 comment lines, reads an error event as an
// empty piece, and takes a web page for the end of a reply.
type events struct {
	hide *secrets // of secrets
	body io.ReadCloser
	in   *bufio.Reader
	out  []byte // what is still to be handed on
	err  error  // what comes after out

	begun   bool
	inError bool   // the event being read is an error event
	said    []byte // data of that event
	foreign []byte // the first line that is none of an event stream
	count   int    // data lines handed on
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
		e.take(bytes.TrimRight(line, "\r\n"), err)
		if err != nil {
			e.end(err)
		}
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

// line returns the next line with its line break; the last one may have none.
func (e *events) line() ([]byte, error) {
	var line []byte
	for {
		part, err := e.in.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			return nil, tooLong(maxLine)
		}
		if line == nil && err == nil {
			return part, nil
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// take reads one line of an event stream. err is what came after it, where it has no line break.
func (e *events) take(line []byte, err error) {
	if len(line) == 0 {
		if e.inError {
			e.err = serverError(e.hide, e.said)
		}
		return
	}
	field, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(field) {
	case "data":
		if err != nil && !json.Valid(value) && string(value) != "[DONE]" {
			return // the line itself was cut
		}
		if e.inError {
			e.said = append(e.said, value...)
			return
		}
		e.data(bytes.TrimSpace(value))
	case "event":
		e.inError = string(bytes.TrimSpace(value)) == "error"
	case "", "id", "retry":
	default:
		if e.foreign == nil {
			e.foreign = bytes.Clone(line)
		}
	}
}

// data hands on one value. The blank keeps the library from taking any value that begins with an "error" member, null too, for an
// error; values are looked at by whoever decodes them.
func (e *events) data(value []byte) {
	if len(value) == 0 {
		return
	}
	e.count++
	e.out = append(e.out[:0], "data: "...)
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

func tooLong(bound int) error {
	return &bodyError{kind: KindAnswer, message: fmt.Sprintf("sent more than %d bytes in one piece, which is no reply of a model", bound)}
}

// quote shows the head of foreign text. Secrets are taken out first: a part of one would not be known for what it is.
func quote(hide *secrets, b []byte) string {
	const most = 80
	text := oneLine(hide.Replace(string(b)))
	if r := []rune(text); len(r) > most {
		return fmt.Sprintf("%q…", string(r[:most]))
	}
	return fmt.Sprintf("%q", text)
}
