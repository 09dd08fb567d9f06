package mcp

import (
	"bytes"
	"errors"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// responseBody is the body of an HTTP response. It limits the size of the body, and records in
// delivery why reading failed.
type responseBody struct {
	body     io.ReadCloser
	delivery *delivery
	left     int             // how many bytes may still follow; -1 means no limit
	messages *messageDecoder // gets a copy of the body before the SDK does; may be nil
	release  func()          // called by Close
}

// Read implements io.Reader.
func (b *responseBody) Read(p []byte) (int, error) {
	if b.left >= 0 {
		p = p[:min(len(p), b.left+1)] // one byte more than allowed, to notice a longer body
	}
	n, err := b.body.Read(p)
	if b.left >= 0 {
		if n > b.left {
			b.delivery.fail(errLongMessage)
			return 0, errLongMessage
		}
		b.left -= n
	}
	if b.messages != nil {
		if excess := b.messages.read(p[:n], err != nil); excess != nil {
			err = excess
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		b.delivery.fail(err)
	}
	return n, err
}

// Close implements io.Closer.
func (b *responseBody) Close() error {
	b.release()
	return b.body.Close()
}

// messageDecoder decodes the messages in a response body that comes in pieces.
type messageDecoder struct {
	isEvents bool // the body is text/event-stream; otherwise it is one message
	// received is called for each message with the bytes of its text. The messages of a batch have
	// equal shares of its bytes.
	received func(m jsonrpc.Message, size int) error

	text []byte // what was read and not decoded: a part of a line, or of the body
	data []byte // the data of the event so far
}

// read reads the next piece of the body. isLast says that no other follows.
func (d *messageDecoder) read(piece []byte, isLast bool) error {
	for d.isEvents {
		end, rest, found := bytes.Cut(piece, []byte("\n"))
		if !found {
			break
		}
		line := bytes.TrimSuffix(append(d.text, end...), []byte("\r"))
		if err := d.readLine(line); err != nil {
			return err
		}
		d.text, piece = d.text[:0], rest
	}
	d.text = append(d.text, piece...)
	if len(d.text)+len(d.data) > maxMessage {
		return errLongMessage
	}
	if !isLast {
		return nil
	}
	text := d.text
	d.text = nil // a further Read at the end decodes nothing again
	if !d.isEvents {
		return d.decode(text)
	}
	return errors.Join(d.readLine(text), d.readLine(nil))
}

// readLine reads a line of an event stream, without its line break.
func (d *messageDecoder) readLine(line []byte) error {
	if data, ok := bytes.CutPrefix(line, []byte("data:")); ok {
		if len(d.data) > 0 {
			d.data = append(d.data, '\n')
		}
		d.data = append(d.data, bytes.TrimPrefix(data, []byte(" "))...)
	}
	if len(line) > 0 {
		return nil
	}
	data := d.data
	d.data = nil
	return d.decode(data)
}

// decode passes the messages of a text on. It ignores a text that contains none: the SDK reports
// that error.
func (d *messageDecoder) decode(text []byte) error {
	messages := decodeMessages(bytes.TrimSpace(text))
	for _, m := range messages {
		if err := d.received(m, len(text)/len(messages)); err != nil {
			return err
		}
	}
	return nil
}
