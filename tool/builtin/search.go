package builtin

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"

	"github.com/vcpgo/vcp/tool"
)

const (
	// maxMatches bounds the lines that one search returns.
	maxMatches = 200
	// maxSearchFile is the size past which a file is left out, in bytes.
	maxSearchFile = 4 << 20
	// maxSearched bounds what one search reads in all, in bytes.
	maxSearched = 256 << 20
	// maxMatchLine bounds what is shown of a line, in runes.
	maxMatchLine = 200
	// maxQuery bounds what is searched for, in bytes.
	maxQuery = 1000
)

type searchInput struct {
	Query      string `json:"query" jsonschema:"the text to search for in the files"`
	Path       string `json:"path" default:"." jsonschema:"the directory (folder) to search in, with all its subdirectories, or a single file; relative to the root directory"`
	Glob       string `json:"glob,omitempty" jsonschema:"a file name pattern, to search only the files that fit it, such as *.go for Go files"`
	Regexp     bool   `json:"regexp" default:"false" jsonschema:"whether the query is a regular expression, not plain text"`
	IgnoreCase bool   `json:"ignoreCase" default:"false" jsonschema:"whether upper and lower case are alike"`
}

// searchMatch is a line that was found, for programs.
type searchMatch struct {
	Path string `json:"path"`
	Line int    `json:"line"` // from 1
	Text string `json:"text"`
}

func (f files) searchMethod() (tool.Method, error) {
	return tool.New("search",
		"Searches the contents of files for a text and returns the lines that hold it, each with its file and line number. "+
			"Use it to find where a word, a name or a function occurs, or which files mention something.",
		f.search, tool.AgentCallable(), tool.WithRisk(tool.RiskRead), tool.Idempotent(), tool.Title("Search in files"), tool.Alias("grep"),
		tool.Example(map[string]any{"query": "func main", "glob": "*.go"}))
}

func (f files) search(ctx context.Context, in searchInput) (tool.Output, error) {
	s := search{files: f}
	var err error
	if s.find, err = matcher(in); err != nil {
		return tool.Output{}, err
	}
	where, err := f.clean(in.Path)
	if err != nil {
		return tool.Output{}, err
	}
	pattern, err := newGlob(in.Glob)
	if err != nil {
		return tool.Output{}, err
	}
	info, err := f.stat(where)
	if err != nil {
		return tool.Output{}, err
	}
	if !info.IsDir() {
		if err := s.single(ctx, where); err != nil {
			return tool.Output{}, err
		}
		return s.output(in.Query, where), nil
	}
	w := walker{files: f, recursive: true}
	err = w.walk(ctx, where, func(name string, entry fs.DirEntry) error {
		if !entry.Type().IsRegular() || !pattern.match(below(where, name)) {
			return nil
		}
		return s.file(ctx, name)
	})
	if err != nil {
		return tool.Output{}, err
	}
	s.partial = s.partial || w.partial
	return s.output(in.Query, where), nil
}

// matcher makes the test that a line has to pass.
func matcher(in searchInput) (func(line []byte) bool, error) {
	switch {
	case in.Query == "":
		return nil, errors.New("the query is empty: write the text to search for")
	case len(in.Query) > maxQuery:
		return nil, fmt.Errorf("the query has %d bytes, and at most %d are searched for", len(in.Query), maxQuery)
	case !in.Regexp && strings.ContainsAny(in.Query, "\r\n"):
		return nil, errors.New("the query holds a line break, and the search goes line by line: search for one of its lines")
	}
	expression := in.Query
	if !in.Regexp {
		if !in.IgnoreCase {
			want := []byte(in.Query)
			return func(line []byte) bool { return bytes.Contains(line, want) }, nil
		}
		expression = regexp.QuoteMeta(in.Query)
	}
	if in.IgnoreCase {
		expression = "(?i)" + expression
	}
	re, err := regexp.Compile(expression)
	if err != nil {
		return nil, fmt.Errorf("%q is no regular expression: %w; set regexp to false to search for plain text", cut(in.Query, maxEcho), err)
	}
	return re.Match, nil
}

// search is one run of the method.
type search struct {
	files
	find    func(line []byte) bool
	matches []searchMatch
	read    int64 // bytes
	skipped int   // files that are binary, too large or unreadable
	partial bool
}

// single searches a file that was asked for by its name: what a walk leaves out is an error here.
func (s *search) single(ctx context.Context, name string) error {
	file, info, err := s.open(name)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read from
	if info.Size() > maxSearchFile {
		return fmt.Errorf("%q has %d bytes, and files of at most %d are searched", cut(name, maxEcho), info.Size(), maxSearchFile)
	}
	r := bufio.NewReaderSize(&contextReader{ctx, io.LimitReader(file, maxSearchFile)}, sniffed)
	if err := textOnly(name, info.Size(), r); err != nil {
		return err
	}
	if err := s.lines(name, r); err != nil && !errors.Is(err, errStop) {
		return s.explain(name, err)
	}
	return nil
}

// file searches one file of a walk.
func (s *search) file(ctx context.Context, name string) error {
	before := len(s.matches)
	file, info, err := s.open(name)
	if err != nil {
		s.skipped++
		return nil
	}
	defer func() { _ = file.Close() }() // it was only read from
	if info.Size() > maxSearchFile {
		s.skipped++
		return nil
	}
	if s.read += info.Size(); s.read > maxSearched {
		s.partial = true
		return errStop
	}
	r := bufio.NewReaderSize(&contextReader{ctx, io.LimitReader(file, maxSearchFile)}, sniffed)
	if err := textOnly(name, info.Size(), r); err != nil {
		s.skipped++
		return ctx.Err()
	}
	switch err := s.lines(name, r); {
	case err == nil || errors.Is(err, errStop):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	}
	s.matches = s.matches[:before]
	s.skipped++
	return nil
}

// lines tests line by line.
func (s *search) lines(name string, r *bufio.Reader) error {
	for number := 1; ; number++ {
		line, err := r.ReadBytes('\n')
		last := errors.Is(err, io.EOF)
		if err != nil && !last {
			return err
		}
		if content := bytes.TrimRight(line, "\r\n"); len(line) > 0 && s.find(content) {
			if len(s.matches) == maxMatches {
				s.partial = true
				return errStop
			}
			s.matches = append(s.matches, searchMatch{Path: name, Line: number, Text: strings.ToValidUTF8(cut(string(content), maxMatchLine), "\uFFFD")})
		}
		if last {
			return nil
		}
	}
}

// output writes one match a line: path, line number, text.
func (s *search) output(query, where string) tool.Output {
	var b strings.Builder
	for _, m := range s.matches {
		fmt.Fprintf(&b, "%s:%d: %s\n", named(m.Path), m.Line, m.Text)
	}
	if len(s.matches) == 0 {
		if where == "." {
			where = place(where)
		} else {
			where = named(where)
		}
		fmt.Fprintf(&b, "%q was not found in %s.\n", cut(query, maxEcho), where)
	}
	if s.partial {
		fmt.Fprintf(&b, "(There may be more: the search ended after %d matching lines. Choose a directory further down, a glob or a longer query.)\n", len(s.matches))
	}
	if s.skipped > 0 {
		fmt.Fprintf(&b, "(Left out, because they are binary, larger than %d bytes or unreadable: %d files.)\n", maxSearchFile, s.skipped)
	}
	matches := s.matches
	if matches == nil {
		matches = []searchMatch{}
	}
	return tool.Output{Text: strings.TrimSuffix(b.String(), "\n"), Details: matches}
}
