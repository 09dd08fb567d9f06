package replies

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// jsonLine is one line of --jsonl as it was read.
type jsonLine struct {
	id     []byte // a part of the line, byte for byte; null if the line has no id
	text   string
	finish *protocol.FinishReason // nil if the line has no finish reason
}

// lineDecoder reads lines, one after the other, and reuses its buffers.
type lineDecoder struct {
	json  jsontext.Decoder
	input bytes.Buffer
}

// maxQuoted limits what an error quotes of the line, in characters.
const maxQuoted = 40

// lineOptions allow an id with duplicate names or with escapes of lone surrogates, because the id
// is returned byte for byte.
var lineOptions = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// decode reads one line. A field that occurs twice is an error, because readers of JSON differ in
// which one they use.
func (d *lineDecoder) decode(line []byte) (jsonLine, error) {
	read := jsonLine{id: []byte("null")}
	if !utf8.Valid(line) {
		return read, errors.New("not valid UTF-8; give such a reply to vcp parse without --jsonl")
	}
	if len(bytes.TrimSpace(line)) == 0 {
		return read, errors.New(`the line is empty; write {"id":…,"text":…,"finish":…}`)
	}
	d.input = *bytes.NewBuffer(line) // the decoder reads from its bytes, without a copy
	d.json.Reset(&d.input, lineOptions...)
	if d.json.PeekKind() != '{' {
		if _, err := d.value(line); err != nil { // not JSON at all
			return read, err
		}
		return read, errors.New(`not a JSON object; write {"id":…,"text":…,"finish":…}`)
	}
	if _, err := d.token(); err != nil {
		return read, err
	}
	seen := make([]string, 0, 3)
	for {
		token, err := d.token()
		if err != nil {
			return read, err
		}
		if token.Kind() == '}' {
			break
		}
		name := token.String()
		if slices.Contains(seen, name) {
			return read, fmt.Errorf("the field %q occurs twice", name)
		}
		seen = append(seen, name)
		switch name {
		case "id":
			read.id, err = d.value(line)
		case "text":
			read.text, err = d.text(line, "text", "a string")
		case "finish":
			read.finish, err = d.finish(line)
		default:
			err = fmt.Errorf("there is no field %q; the fields are id, text and finish", text.TruncateRunes(name, maxQuoted))
		}
		if err != nil {
			return read, err
		}
	}
	if _, err := d.json.ReadToken(); !errors.Is(err, io.EOF) {
		return read, fmt.Errorf("not JSON: there is more after the object, at byte %d", d.json.InputOffset())
	}
	if !slices.Contains(seen, "text") {
		return read, errors.New(`the field "text" is missing`)
	}
	return read, nil
}

// token returns the next token, which is valid until the next is read.
func (d *lineDecoder) token() (jsontext.Token, error) {
	token, err := d.json.ReadToken()
	return token, notJSON(err)
}

// value returns the next value, a part of the line.
func (d *lineDecoder) value(line []byte) ([]byte, error) {
	v, err := d.json.ReadValue()
	if err != nil {
		return nil, notJSON(err)
	}
	end := int(d.json.InputOffset())
	return line[end-len(v) : end], nil
}

func notJSON(err error) error {
	if err == nil {
		return nil
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return fmt.Errorf("not JSON: %w at byte %d", syntax.Err, syntax.ByteOffset)
	}
	return fmt.Errorf("not JSON: %w", err)
}

// text returns the text of a field's value, which must be a string. allowed says so in the error.
func (d *lineDecoder) text(line []byte, field, allowed string) (string, error) {
	if d.json.PeekKind() != '"' {
		v, err := d.value(line)
		if err != nil {
			return "", err
		}
		return "", fmt.Errorf("%s is %s; allowed is %s", field, text.TruncateRunes(string(v), maxQuoted), allowed)
	}
	token, err := d.token()
	if err != nil {
		return "", err
	}
	return token.String(), nil
}

// finish returns the finish reason, which must be a string.
func (d *lineDecoder) finish(line []byte) (*protocol.FinishReason, error) {
	name, err := d.text(line, "finish", "a string: stop, length or unknown")
	if err != nil {
		return nil, err
	}
	var finish protocol.FinishReason
	if err := cli.NewChoice(&finish, finishes).Set(name); err != nil {
		return nil, fmt.Errorf("finish %w", err)
	}
	return &finish, nil
}
