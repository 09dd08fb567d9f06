package builtin

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"unicode/utf8"

	"github.com/vcpgo/vcp/tool"
)

const (
	// maxReadText limits the text that one call returns, in bytes.
	maxReadText = 128 << 10
	// maxReadFile limits how far a file is read to reach its lines, in bytes.
	maxReadFile = 64 << 20
	// sniffed is how much of a file is examined to distinguish text from other data, in bytes.
	sniffed = 8 << 10
)

type readInput struct {
	Path      string `json:"path" jsonschema:"the file to read, relative to the root directory, such as README.md"`
	StartLine int    `json:"startLine" minimum:"1" default:"1" jsonschema:"the first line to read, counted from 1"`
	EndLine   int    `json:"endLine,omitempty" minimum:"1" jsonschema:"the last line to read; left out, the file is read to its end"`
}

// readDetails is the result for programs.
type readDetails struct {
	Path      string `json:"path"`
	Size      int64  `json:"size"`
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"` // 0 if nothing was read
	More      bool   `json:"more"`    // the text was truncated
}

func (f files) readMethod() (tool.Method, error) {
	return tool.New("read",
		"Reads a text file and returns its contents, whole or only some lines. Use it to show, open, print or look into a file.",
		f.read, tool.AgentCallable(), tool.WithRisk(tool.RiskRead), tool.Idempotent(), tool.Title("Read file"), tool.Alias("cat"),
		tool.Example(map[string]any{"path": "README.md", "startLine": 1, "endLine": 40}))
}

func (f files) read(ctx context.Context, in readInput) (tool.Output, error) {
	name, err := f.clean(in.Path)
	if err != nil {
		return tool.Output{}, err
	}
	if in.EndLine != 0 && in.EndLine < in.StartLine {
		return tool.Output{}, fmt.Errorf("endLine %d is before startLine %d", in.EndLine, in.StartLine)
	}
	file, info, err := f.open(name)
	if err != nil {
		return tool.Output{}, err
	}
	defer func() { _ = file.Close() }() // it was only read
	r := bufio.NewReaderSize(&contextReader{ctx, io.LimitReader(file, maxReadFile)}, sniffed)
	if err := textOnly(name, info.Size(), r); err != nil {
		return tool.Output{}, err
	}
	lines := lineReader{from: in.StartLine, to: in.EndLine}
	if err := lines.read(r); err != nil {
		return tool.Output{}, f.explain(name, err)
	}
	if !utf8.Valid(lines.text) {
		return tool.Output{}, notText(name, info.Size(), "is not in UTF-8")
	}
	details := readDetails{Path: name, Size: info.Size(), StartLine: in.StartLine, EndLine: lines.last, More: lines.cut}
	switch {
	case lines.count == 0: // the size is not reliable: many system files have size 0
		return tool.Output{Text: "(The file is empty.)", Details: details}, nil
	case lines.last == 0 && lines.count < in.StartLine:
		return tool.Output{}, fmt.Errorf("%q has %d lines, so there is no line %d", cut(name, maxEcho), lines.count, in.StartLine)
	}
	text := string(lines.text)
	if lines.cut {
		text += lines.note()
	}
	return tool.Output{Text: text, Details: details}, nil
}

// textOnly refuses a file that is not text, by its beginning, and skips a byte order mark.
func textOnly(name string, size int64, r *bufio.Reader) error {
	head, err := r.Peek(sniffed)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return notText(name, size, "is a binary file ("+http.DetectContentType(head)+")")
	}
	if !utf8.Valid(wholeRunes(head)) {
		return notText(name, size, "is a binary file, or text that is not in UTF-8")
	}
	if bytes.HasPrefix(head, []byte("\ufeff")) {
		_, err = r.Discard(len("\ufeff"))
		return err
	}
	return nil
}

func notText(name string, size int64, what string) error {
	if size > 0 {
		what += fmt.Sprintf(" of %d bytes", size)
	}
	return fmt.Errorf("%q %s; only text in UTF-8 is read", cut(name, maxEcho), what)
}

// wholeRunes drops an incomplete character at the end of b.
func wholeRunes(b []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-i:]) {
				return b[:len(b)-i]
			}
			break
		}
	}
	return b
}

// lineReader collects the lines from..to of a text, counted from 1; if to is 0, up to the last.
type lineReader struct {
	from, to int

	text    []byte
	count   int  // lines seen
	last    int  // the last line taken; 0 is none
	cut     bool // text was omitted at the end
	midLine bool // the last line taken is not whole
}

func (l *lineReader) read(r *bufio.Reader) error {
	lineStart := true
	for {
		piece, err := r.ReadSlice('\n')
		if len(piece) > 0 {
			if lineStart {
				l.count++
			}
			if l.to != 0 && l.count > l.to {
				return nil
			}
			if l.count >= l.from && !l.take(piece) {
				return nil
			}
			lineStart = piece[len(piece)-1] == '\n'
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}

// take adds a piece of the current line and reports whether more fits.
func (l *lineReader) take(piece []byte) bool {
	room := maxReadText - len(l.text)
	if len(piece) > room {
		l.cut = true
		if whole := bytes.LastIndexByte(l.text, '\n') + 1; whole > 0 {
			l.text, l.last = l.text[:whole], l.count-1 // the line that does not fit is left for the next call
			return false
		}
		l.midLine, l.last = true, l.count
		l.text = wholeRunes(append(l.text, piece[:room]...))
		return false
	}
	l.text = append(l.text, piece...)
	l.last = l.count
	return true
}

// note says that the text is truncated, and how to read the rest.
func (l *lineReader) note() string {
	if l.midLine {
		return fmt.Sprintf("\n(Line %d is longer than %d bytes and truncated here.)", l.last, maxReadText)
	}
	next := l.from + bytes.Count(l.text, []byte("\n"))
	return fmt.Sprintf("(Truncated here, after %d bytes. To continue, read from startLine %d.)", len(l.text), next)
}

// contextReader ends a long read with its context.
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
