package builtin

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/text"
)

// requireText returns an error if the beginning of a file is not text in UTF-8. It skips a byte
// order mark.
func requireText(name string, size int64, r *bufio.Reader) error {
	head, _ := r.Peek(sniffBytes) // the next read returns the error again
	if bytes.IndexByte(head, 0) >= 0 {
		return notText(name, size, sentence("a binary file (%s)", http.DetectContentType(head)))
	}
	if !utf8.Valid(text.WholeRunes(head)) {
		return notText(name, size, sentence("a binary file, or text that is not in UTF-8"))
	}
	if bytes.HasPrefix(head, []byte("\ufeff")) {
		_, _ = r.Discard(len("\ufeff")) // cannot fail: Peek has read these bytes
	}
	return nil
}

// notText returns the error for a file that is not text in UTF-8. what describes the file.
func notText(name string, size int64, what *message.Text) error {
	if size > 0 {
		return errorf("%q (%d bytes) is %v; only text in UTF-8 is read", shorten(name, maxEcho), size, what)
	}
	return errorf("%q is %v; only text in UTF-8 is read", shorten(name, maxEcho), what)
}

// contextReader fails once its context has ended.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
