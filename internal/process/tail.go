package process

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"
)

const (
	// maxErrorOutput is how many bytes at the end of standard error are kept. The reason of a
	// failure usually comes last.
	maxErrorOutput = 16 << 10
	// maxLine limits a line for Command.OnErrorLine, in bytes.
	maxLine = 4 << 10
)

// tail keeps the end of a stream.
type tail struct {
	kept []byte
	line []byte // the beginning of a line that is not reported yet
	long bool   // whether the line has maxLine bytes, so that its rest is dropped
}

// copy reads a stream to its end, keeps the last bytes, and passes each line to onLine, except
// empty ones.
func (t *tail) copy(from io.Reader, onLine func(string)) {
	piece := make([]byte, 4<<10)
	for {
		n, err := from.Read(piece)
		t.keep(piece[:n])
		t.report(piece[:n], onLine)
		if err != nil {
			t.endLine(onLine)
			return
		}
	}
}

func (t *tail) keep(piece []byte) {
	t.kept = append(t.kept, piece...)
	if len(t.kept) > 2*maxErrorOutput { // rarely, so that the work is proportional to the length of the stream
		// One byte more than String returns, so that String looks for the beginning of a character.
		t.kept = append(t.kept[:0], t.kept[len(t.kept)-maxErrorOutput-1:]...)
	}
}

// report passes the lines that piece completes to onLine. It omits empty lines.
func (t *tail) report(piece []byte, onLine func(string)) {
	for {
		line, rest, ended := bytes.Cut(piece, []byte("\n"))
		if !t.long {
			t.line = append(t.line, line[:min(len(line), maxLine-len(t.line))]...)
			t.long = len(t.line) == maxLine
		}
		if !ended {
			return
		}
		t.endLine(onLine)
		piece = rest
	}
}

// endLine passes the line to onLine unless it is empty, and begins the next.
func (t *tail) endLine(onLine func(string)) {
	if text := strings.TrimRight(string(t.line), "\r"); text != "" {
		onLine(text)
	}
	t.line, t.long = t.line[:0], false
}

// String returns the end of the stream, in whole characters.
func (t *tail) String() string {
	kept := t.kept
	if len(kept) > maxErrorOutput {
		kept = kept[len(kept)-maxErrorOutput:]
		for len(kept) > 0 && !utf8.RuneStart(kept[0]) {
			kept = kept[1:]
		}
	}
	return string(kept)
}
