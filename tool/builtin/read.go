package builtin

import (
	"bufio"
	"context"
	"io"
	"math"
	"unicode/utf8"

	"github.com/vcpgo/vcp/tool"
)

const (
	// maxReadFile limits how many bytes of a file are read to find the requested lines and to count
	// all lines.
	maxReadFile = 64 << 20
	// sniffBytes is how many bytes of a file are examined to distinguish text from other data.
	sniffBytes = 8 << 10
)

type readInput struct {
	Path      string `json:"path" jsonschema:"the file to read, relative to the root directory, such as README.md"`
	StartLine int    `json:"startLine" default:"1" jsonschema:"the first line to read, counted from 1; a negative number counts from the end, so -20 reads the last 20 lines"`
	EndLine   int    `json:"endLine,omitempty" jsonschema:"the last line to read; a negative number counts from the end, as in startLine; if omitted, the file is read to its end"`
}

// readDetails are the details of a result of files_read, for programs.
type readDetails struct {
	Path       string `json:"path"`
	Size       int64  `json:"size"`
	StartLine  int    `json:"startLine"`
	EndLine    int    `json:"endLine"`              // 0 if nothing was read
	TotalLines int    `json:"totalLines,omitempty"` // 0 if the file is too long to count them
	More       bool   `json:"more"`                 // some of the requested lines are not in the text
}

func (f files) readMethod() (tool.Method, error) {
	return tool.New("read",
		"Reads a text file and returns its contents, whole or only some lines. Use it to show, open, print or look into a file. "+
			"A long file is returned in pages, and each page says how to read the next one.",
		f.read, tool.AgentCallable(), tool.WithRisk(tool.RiskRead), tool.Idempotent(), tool.Title("Read file"),
		tool.Alias("cat"),
		tool.Example(map[string]any{"path": "README.md", "startLine": 1, "endLine": 40}))
}

func (f files) read(ctx context.Context, in readInput) (tool.Output, error) {
	name, _, err := f.target(ctx, in.Path)
	if err != nil {
		return tool.Output{}, err
	}
	if in.StartLine == 0 {
		return tool.Output{}, errorf("startLine must not be 0: the first line is 1, and the last line is -1")
	}
	file, info, err := f.open(name)
	if err != nil {
		return tool.Output{}, err
	}
	defer file.Close()
	from, to := in.StartLine, in.EndLine
	if from < 0 || to < 0 {
		count, err := f.countLines(ctx, name, file)
		if err != nil {
			return tool.Output{}, err
		}
		from, to = max(1, fromStart(from, count)), fromStart(to, count)
		if in.EndLine != 0 && to < from && count > 0 {
			return tool.Output{}, errorf("endLine %d is before startLine %d in %q, which has %d lines",
				in.EndLine, in.StartLine, shorten(name, maxEcho), count)
		}
	} else if to != 0 && to < from {
		return tool.Output{}, errorf("endLine %d is before startLine %d", to, from)
	}
	limited := &io.LimitedReader{R: file, N: maxReadFile}
	r := bufio.NewReaderSize(&contextReader{ctx, limited}, sniffBytes)
	if err := requireText(name, info.Size(), r); err != nil {
		return tool.Output{}, err
	}
	lines := lineReader{printer: printer(ctx), searchable: true, from: from, to: to}
	if err := lines.read(r); err != nil {
		return tool.Output{}, f.explain(name, err)
	}
	lines.uncounted = limited.N == 0
	if !utf8.Valid(lines.text) {
		return tool.Output{}, notText(name, info.Size(), sentence("not in UTF-8"))
	}
	switch {
	case lines.count == 0: // the size is not reliable: many system files have size 0
		details := readDetails{Path: name, Size: info.Size(), StartLine: from}
		return tool.Output{Text: printer(ctx).Say("(The file is empty.)"), Details: details}, nil
	case lines.last == 0:
		return tool.Output{}, errorf("%q has %v lines, so there is no line %d; startLine -20 reads the last 20",
			shorten(name, maxEcho), lines.total(), from)
	}
	text := lines.pageText(fits(ctx))
	details := readDetails{Path: name, Size: info.Size(), StartLine: from, EndLine: lines.last, More: lines.truncated}
	if !lines.uncounted {
		details.TotalLines = lines.count
	}
	return tool.Output{Text: text, Details: details}, nil
}

// fromStart returns the number of a line, counted from the start of a file. count is the number of
// lines of the file. A negative line counts from the end; if the file has no such line, the result
// is 0.
func fromStart(line, count int) int {
	if line < 0 {
		return max(0, count+1+line)
	}
	return line
}

// countLines returns the number of lines of the file, and seeks to its start after counting.
func (f files) countLines(ctx context.Context, name string, file io.ReadSeeker) (int, error) {
	limited := &io.LimitedReader{R: file, N: maxReadFile}
	lines := lineReader{from: math.MaxInt} // counts all lines and keeps none
	err := lines.read(bufio.NewReaderSize(&contextReader{ctx, limited}, sniffBytes))
	if err == nil && limited.N == 0 {
		return 0, errorf("%q is longer than %d bytes, so its end is not read; count lines from 1, or use files_search",
			shorten(name, maxEcho), maxReadFile)
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return 0, f.explain(name, err)
	}
	return lines.count, nil
}
