package terminal

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/peterh/liner"

	"github.com/vcpgo/vcp/internal/document"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// history keeps the messages of a person from one chat to the next. Each is a line of a file, the
// oldest first.
type history struct {
	path  string              // "" if nothing is kept
	lines []string            // the messages of earlier chats
	isCut bool                // the file has older messages, which are not in lines
	mask  func(string) string // returns a message without secrets
}

// loadHistory reads the history, and masks what an older version wrote. If it returns an error, the
// history keeps nothing.
func loadHistory(mask func(message string) string) (*history, error) {
	dir, err := cli.UserDir("XDG_STATE_HOME")
	if err != nil {
		return &history{}, err
	}
	// Only the user may read the messages.
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return &history{}, err
	}
	h := &history{path: filepath.Join(dir, "history"), mask: mask}
	f, err := document.OpenPrivate(h.path, os.O_RDWR)
	if err != nil {
		return &history{}, err
	}
	defer f.Close()
	if err := h.readEnd(f); err != nil {
		return &history{}, err
	}
	if err := h.clean(); err != nil {
		return &history{}, err
	}
	return h, nil
}

// maxHistory is how much of the end of the history is read, in bytes.
const maxHistory = 8 << 20

// readEnd reads the last lines of the history.
func (h *history) readEnd(f *os.File) error {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	start := max(0, size-maxHistory)
	end, err := io.ReadAll(io.NewSectionReader(f, start, size-start))
	if start > 0 { // the first line may lack its beginning
		h.isCut = true
		_, end, _ = bytes.Cut(end, []byte("\n"))
	}
	h.lines = strings.FieldsFunc(string(end), func(r rune) bool { return r == '\n' })
	return err
}

// clean masks secrets in the history. It also drops the messages that readEnd has not read, and the
// oldest messages if there are at least twice as many as the line editor remembers.
func (h *history) clean() error {
	changed := h.isCut // the messages that were not read may contain secrets
	for i, line := range h.lines {
		h.lines[i] = h.mask(line)
		changed = changed || h.lines[i] != line
	}
	if len(h.lines) >= 2*liner.HistoryLimit {
		h.lines, changed = h.lines[len(h.lines)-liner.HistoryLimit:], true
	}
	if !changed {
		return nil
	}
	return os.WriteFile(h.path, []byte(strings.Join(h.lines, "\n")+"\n"), 0o600)
}

// add appends a message to the file, without secrets. After the first failure it does nothing. It
// does not change h.lines.
func (h *history) add(line string) {
	if h.path == "" {
		return
	}
	f, err := document.OpenPrivate(h.path, os.O_APPEND|os.O_WRONLY)
	if err == nil {
		_, err = f.WriteString(h.mask(line) + "\n")
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		h.path = ""
	}
}
