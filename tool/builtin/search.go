package builtin

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/tool"
)

const (
	// maxMatches limits the lines that one search returns.
	maxMatches = 200
	// maxSearchFile limits a file that is searched, in bytes. The search of a directory skips
	// larger files.
	maxSearchFile = 4 << 20
	// maxSearched limits what one search reads in all, in bytes.
	maxSearched = 256 << 20
	// maxMatchLine limits the displayed part of a line, in characters.
	maxMatchLine = 200
	// maxSearchWork limits the steps of one search: the bytes of the lines, times the instructions
	// of the regular expression. With a usual expression, a search reaches maxSearched first.
	maxSearchWork = 1 << 34
)

type searchInput struct {
	Query      string `json:"query" jsonschema:"the text to search for in the files"`
	Path       string `json:"path" default:"." jsonschema:"the directory (folder) to search in, with all its subdirectories, or a single file; relative to the root directory"`
	Glob       string `json:"glob,omitempty" jsonschema:"a file name pattern, to search only the files that fit it, such as *.go for Go files"`
	Regexp     bool   `json:"regexp" default:"false" jsonschema:"whether the query is a regular expression, not plain text"`
	IgnoreCase bool   `json:"ignoreCase" default:"false" jsonschema:"whether upper and lower case are alike"`
	Count      bool   `json:"count" default:"false" jsonschema:"whether to return only how many lines match, in each file and in all"`
}

// searchMatch is a line that matches, in the details of a result of files_search.
type searchMatch struct {
	Path string `json:"path"`
	Line int    `json:"line"` // from 1
	Text string `json:"text"`
}

// fileCount is the number of matching lines in a file, in the details of a result of files_search.
type fileCount struct {
	Path  string `json:"path"`
	Lines int    `json:"lines"`
}

func (f files) searchMethod() (tool.Method, error) {
	return tool.New("search",
		"Searches the contents of files for a text and returns the lines that contain it, each with its file and line number. "+
			"Use it to find where a word, a name or a function occurs, which files mention something, or how often (with count).",
		f.search, tool.AgentCallable(), tool.WithRisk(tool.RiskRead), tool.Idempotent(),
		tool.Title("Search in files"), tool.Alias("grep"),
		tool.Example(map[string]any{"query": "func main", "glob": "*.go"}))
}

func (f files) search(ctx context.Context, in searchInput) (tool.Output, error) {
	query := lineQuery{text: in.Query, regexp: in.Regexp, ignoreCase: in.IgnoreCase}
	find, err := newMatcher(query)
	if err != nil {
		return tool.Output{}, err
	}
	where, info, err := f.target(ctx, in.Path)
	if err != nil {
		return tool.Output{}, err
	}
	pattern, err := newGlob(in.Glob)
	if err != nil {
		return tool.Output{}, err
	}
	s := search{walker: newWalker(ctx, f, true), printer: printer(ctx), find: find}
	if err := s.run(where, info.IsDir(), pattern); err != nil {
		return tool.Output{}, err
	}
	if s.found > 0 || in.IgnoreCase {
		return s.output(in, where, nil), nil
	}
	query.ignoreCase = true
	if find, err = newMatcher(query); err != nil {
		return s.output(in, where, nil), nil //nolint:nilerr // the first search is complete; the second is a suggestion
	}
	// Both searches together stay within maxSearched and maxSearchWork.
	anyCase := search{walker: newWalker(ctx, f, true), find: find, read: s.read, done: s.done}
	if err := anyCase.run(where, info.IsDir(), pattern); err != nil {
		return tool.Output{}, err
	}
	return s.output(in, where, &anyCase), nil
}

// run searches a directory or a single file.
func (s *search) run(where string, isDir bool, pattern glob) error {
	if !isDir {
		if err := s.file(where); !errors.Is(err, errStop) {
			return err
		}
		return nil
	}
	return s.walk(where, func(name string, entry fs.DirEntry) error {
		if !entry.Type().IsRegular() {
			return nil
		}
		if ok, err := pattern.match(&s.work, relativeTo(where, name)); !ok {
			return err
		}
		return s.fileOfWalk(name)
	})
}

// search is the state of one call of files_search.
type search struct {
	*walker
	printer message.Printer
	find    matcher
	matches []searchMatch
	perFile []fileCount // the counts of the files with matches
	found   int         // matching lines, including those after maxMatches
	read    int64       // bytes read so far
	done    int64       // steps so far, as maxSearchWork counts them
	skipped int         // files that are binary, too large or unreadable
}

// fileOfWalk searches one file of a walk. It skips a file that cannot be searched.
func (s *search) fileOfWalk(name string) error {
	before := struct{ matches, perFile, found int }{len(s.matches), len(s.perFile), s.found}
	err := s.file(name)
	if ctxErr := s.work.ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	if err == nil || errors.Is(err, errStop) {
		return err
	}
	// What was found in the file before the error does not count.
	s.matches, s.perFile, s.found = s.matches[:before.matches], s.perFile[:before.perFile], before.found
	s.skipped++
	return nil
}

// file searches a file. The error is errStop at a limit of the whole search.
func (s *search) file(name string) error {
	file, info, err := s.open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	if info.Size() > maxSearchFile {
		return errorf("%q has %d bytes, and files of at most %d are searched", shorten(name, maxEcho), info.Size(), maxSearchFile)
	}
	// One byte more than the limit shows that a file is too long.
	r := bufio.NewReaderSize(&contextReader{s.work.ctx, io.LimitReader(file, maxSearchFile+1)}, sniffBytes)
	if err := requireText(name, info.Size(), r); err != nil {
		return err
	}
	return s.lines(name, r)
}

// lines searches a file line by line. The error is errStop at a limit of the whole search.
func (s *search) lines(name string, r *bufio.Reader) error {
	size, firstInFile := 0, s.found+1
	for number := 1; ; number++ {
		line, err := r.ReadBytes('\n')
		atEnd := errors.Is(err, io.EOF)
		switch size += len(line); {
		case err != nil && !atEnd:
			return s.explain(name, err)
		case size > maxSearchFile: // although its size was smaller: some system files have size 0
			return errorf("%q has more than %d bytes, and files of at most that size are searched", shorten(name, maxEcho), maxSearchFile)
		}
		s.read += int64(len(line))
		s.done += int64(len(line)) * int64(s.find.stepsPerByte)
		if s.read > maxSearched || s.done > maxSearchWork {
			s.partial = true
			return errStop
		}
		content := bytes.TrimRight(line, "\r\n")
		found, err := s.find.match(&s.work, content)
		if err != nil {
			return err
		}
		if found && len(line) > 0 { // line is empty at the end of a file that ends in a line break
			if s.found++; s.found == firstInFile {
				s.perFile = append(s.perFile, fileCount{Path: name})
			}
			s.perFile[len(s.perFile)-1].Lines++
			if len(s.matches) < maxMatches {
				shown := strings.ToValidUTF8(shorten(string(content), maxMatchLine), "\uFFFD")
				s.matches = append(s.matches, searchMatch{Path: name, Line: number, Text: shown})
			}
		}
		if atEnd {
			return nil
		}
	}
}

// output returns one match per line, with its path, line number and text, or the counts if in.Count
// is set. If the search found nothing, anyCase is the same search without regard to case, or nil.
func (s *search) output(in searchInput, where string, anyCase *search) tool.Output {
	var b strings.Builder
	details := any(s.matches)
	switch {
	case s.found == 0:
		s.noMatch(&b, in, where, anyCase)
		details = []searchMatch{}
	case in.Count:
		details = s.counts(&b)
	default:
		for _, m := range s.matches {
			fmt.Fprintf(&b, "%s:%d: %s\n", displayPath(m.Path), m.Line, m.Text)
		}
		if s.found > len(s.matches) {
			b.WriteString(s.printer.Say("(These are %d of %v. Choose a subdirectory, a glob or a longer query.)", len(s.matches), s.total()) + "\n")
		} else if s.partial {
			b.WriteString(s.printer.Say("(There may be more, because not everything was searched. Choose a subdirectory, a glob or a longer query.)") + "\n")
		}
	}
	if s.skipped > 0 {
		b.WriteString(s.printer.Say("(Omitted, because they are binary, larger than %d bytes or unreadable: %d files.)", maxSearchFile, s.skipped))
	}
	return tool.Output{Text: strings.TrimSuffix(b.String(), "\n"), Details: details}
}

// total returns the number of matching lines that were found.
func (s *search) total() *message.Text {
	if s.partial {
		return sentence("at least %v", plural(s.found, "%d matching line"))
	}
	return sentence("%v", plural(s.found, "%d matching line"))
}

// counts writes how many lines match in all, and in each of the first maxMatches files. It returns
// the counts of these files.
func (s *search) counts(b *strings.Builder) []fileCount {
	b.WriteString(s.printer.Say("%v in %v:", s.total(), plural(len(s.perFile), "%d file")) + "\n")
	files := s.perFile[:min(len(s.perFile), maxMatches)]
	for _, c := range files {
		fmt.Fprintf(b, "%s: %d\n", displayPath(c.Path), c.Lines)
	}
	if n := len(s.perFile) - len(files); n > 0 {
		b.WriteString(s.printer.Say("(and %d more files)", n) + "\n")
	}
	return files
}

// noMatch writes that nothing was found, and what anyCase, the search without regard to case,
// found.
func (s *search) noMatch(b *strings.Builder, in searchInput, where string, anyCase *search) {
	say, searched := s.printer.Say, sentence("%s", displayPath(where))
	if where == "." {
		searched = directoryName(where)
	}
	b.WriteString(say("%q was not found in %v", shorten(in.Query, maxEcho), searched))
	if s.partial {
		b.WriteString(say(", but not everything was searched"))
	}
	b.WriteString(say("."))
	if anyCase != nil && anyCase.found > 0 {
		first := anyCase.matches[0]
		b.WriteString(say(" If case is ignored, the search finds %v, the first in %s line %d; set ignoreCase to true.",
			anyCase.total(), displayPath(first.Path), first.Line))
	} else if !in.Regexp && strings.ContainsAny(in.Query, `\*+?|^$[`) {
		b.WriteString(say(" It was searched for as plain text; if it is a regular expression, set regexp to true."))
	}
	b.WriteByte('\n')
}
