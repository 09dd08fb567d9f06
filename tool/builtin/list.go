package builtin

import (
	"bufio"
	"context"
	"io"
	"io/fs"
	"math"
	"strings"

	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/tool"
)

const (
	// maxListed limits the entries of one list.
	maxListed = 1000
	// maxCounted limits what one list reads to count lines, in bytes.
	maxCounted = 16 << 20
	// maxOthers limits the entries that a result names if no entry fits the pattern.
	maxOthers = 20
)

type listInput struct {
	Path      string `json:"path" default:"." jsonschema:"the directory (folder) to list, relative to the root directory, such as src/tools"`
	Glob      string `json:"glob,omitempty" jsonschema:"a file name pattern, to list only the files that fit it: *.go for Go files, *.md for Markdown, *.{js,ts} for JavaScript and TypeScript"`
	Recursive bool   `json:"recursive" default:"false" jsonschema:"whether to list the files in all subdirectories too"`
}

// listedFile is an entry of a directory, in the details of a result of files_list.
type listedFile struct {
	Path  string `json:"path"`
	Kind  string `json:"kind"`            // "file", "directory", "link" or "other"
	Size  int64  `json:"size,omitempty"`  // bytes of a file
	Lines int    `json:"lines,omitempty"` // of a text file, if they were counted
}

func (f files) listMethod() (tool.Method, error) {
	return tool.New("list",
		"Lists the files and subdirectories in a directory (folder), with the size of each file. Use it to find out which files there are, "+
			"for instance which Go files are in a directory, or what is in this project.",
		f.list, tool.AgentCallable(), tool.WithRisk(tool.RiskRead), tool.Idempotent(),
		tool.Title("List files"), tool.Alias("ls"),
		tool.Example(map[string]any{"path": "src", "glob": "*.go", "recursive": true}))
}

func (f files) list(ctx context.Context, in listInput) (tool.Output, error) {
	dir, info, err := f.target(ctx, in.Path)
	if err != nil {
		return tool.Output{}, err
	}
	pattern, err := newGlob(in.Glob)
	if err != nil {
		return tool.Output{}, err
	}
	if err := requireDirectory(dir, info); err != nil {
		return tool.Output{}, err
	}
	l := list{walker: newWalker(ctx, f, in.Recursive || pattern.deep()), listed: []listedFile{}}
	err = l.walk(dir, func(name string, entry fs.DirEntry) error {
		// A directory is listed only if its own name fits the pattern, not if files in it fit.
		ok, err := pattern.match(&l.work, relativeTo(dir, name))
		if err != nil {
			return err
		}
		return l.add(dir, name, entry, ok)
	})
	if err != nil {
		return tool.Output{}, err
	}
	return tool.Output{Text: l.text(printer(ctx), dir, in.Glob), Details: l.listed}, nil
}

// list is the state of one call of files_list.
type list struct {
	*walker
	listed  []listedFile
	fitting int      // entries that fit the pattern, including those after maxListed
	others  []string // the first entries that do not fit the pattern
	omitted int      // further entries that do not fit
	counted int64    // bytes that were read to count lines
}

// add counts an entry. If it fits the pattern, add lists it as well, up to maxListed entries.
func (l *list) add(dir, name string, entry fs.DirEntry, fits bool) error {
	switch {
	case fits:
		if l.fitting++; l.fitting > maxListed {
			return nil
		}
		described, err := l.describe(name, entry)
		l.listed = append(l.listed, described)
		return err
	case len(l.others) == maxOthers:
		l.omitted++
	default:
		if entry.IsDir() {
			name += "/"
		}
		l.others = append(l.others, displayPath(relativeTo(dir, name)))
	}
	return nil
}

// relativeTo returns name relative to dir, both paths below the root.
func relativeTo(dir, name string) string {
	if dir == "." {
		return name
	}
	return strings.TrimPrefix(name, dir+"/")
}

// describe returns an entry for the list. It fails only if the context has ended.
func (l *list) describe(name string, entry fs.DirEntry) (listedFile, error) {
	d := listedFile{Path: name, Kind: "other"}
	switch {
	case entry.IsDir():
		d.Kind = "directory"
	case entry.Type()&fs.ModeSymlink != 0:
		d.Kind = "link"
	case entry.Type().IsRegular():
		d.Kind = "file"
		if info, err := entry.Info(); err == nil { // it may be gone by now
			d.Size = info.Size()
			d.Lines = l.lineCount(name, d.Size)
		}
	}
	return d, l.work.ctx.Err()
}

// lineCount returns how many lines a file has. The result is 0 if the file is empty, unreadable or
// not text, or if the list would read more than maxCounted bytes.
func (l *list) lineCount(name string, size int64) int {
	if size == 0 || l.counted+size > maxCounted {
		return 0
	}
	l.counted += size
	file, _, err := l.open(name)
	if err != nil {
		return 0
	}
	defer file.Close()
	r := bufio.NewReaderSize(&contextReader{l.work.ctx, io.LimitReader(file, size)}, sniffBytes)
	lines := lineReader{from: math.MaxInt} // counts all lines and keeps none
	if requireText(name, size, r) != nil || lines.read(r) != nil {
		return 0
	}
	return lines.count
}

// text returns the list for a model, with one entry on each line.
func (l *list) text(p message.Printer, dir, pattern string) string {
	if len(l.listed) == 0 && !l.partial {
		return l.noneFits(p, dir, pattern)
	}
	var b strings.Builder
	for _, d := range l.listed {
		b.WriteString(d.text(p) + "\n")
	}
	switch {
	case l.partial && l.fitting > len(l.listed):
		b.WriteString(p.Say("(These are %d of at least %d entries: choose a subdirectory, or a glob.)", len(l.listed), l.fitting))
	case l.partial:
		b.WriteString(p.Say("(This list of %d is not complete: choose a subdirectory, or a glob.)", len(l.listed)))
	case l.fitting > len(l.listed):
		b.WriteString(p.Say("(These are %d of %d entries: choose a subdirectory, or a glob.)", len(l.listed), l.fitting))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// noneFits returns the text for a list without entries. It names entries that do not fit the
// pattern.
func (l *list) noneFits(p message.Printer, dir, pattern string) string {
	if pattern == "" || len(l.others) == 0 {
		return p.Say("%v is empty.", directoryName(dir))
	}
	text := p.Say("Nothing in %v fits %s. There is: %s", directoryName(dir), shorten(pattern, maxEcho),
		strings.Join(l.others, ", "))
	if l.omitted > 0 {
		text += p.Say(" and %d more", l.omitted)
	}
	if text += p.Say("."); l.skippedSubdirectories {
		text += p.Say(" Subdirectories were not searched; set recursive to true to search them.")
	}
	return text
}

// text returns the path of the entry. A directory has a slash at its end, and a file has its size.
// A name with a line break is quoted, so that it does not look like two names.
func (d listedFile) text(p message.Printer) string {
	path, size := displayPath(d.Path), plural(int(d.Size), "%d byte")
	switch {
	case d.Kind == "directory":
		return displayPath(d.Path + "/")
	case d.Kind == "link":
		return p.Say("%s (symbolic link)", path)
	case d.Lines > 0:
		return path + p.Say(" (%v, %v)", size, plural(d.Lines, "%d line"))
	case d.Kind == "file":
		return path + p.Say(" (%v)", size)
	}
	return path
}

// directoryName returns the name of a directory for a sentence.
func directoryName(dir string) *message.Text {
	if dir == "." {
		return sentence("the root directory")
	}
	return sentence("%s", displayPath(dir+"/"))
}
