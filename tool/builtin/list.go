package builtin

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"github.com/vcpgo/vcp/tool"
)

// maxListed limits the entries of one list.
const maxListed = 1000

type listInput struct {
	Path      string `json:"path" default:"." jsonschema:"the directory (folder) to list, relative to the root directory, such as src/tools"`
	Glob      string `json:"glob,omitempty" jsonschema:"a file name pattern, to list only the files that fit it: *.go for Go files, *.md for Markdown, *.{js,ts} for JavaScript and TypeScript"`
	Recursive bool   `json:"recursive" default:"false" jsonschema:"whether to list the files in all subdirectories too"`
}

// listedFile is an entry of a list, for programs.
type listedFile struct {
	Path string `json:"path"`
	Kind string `json:"kind"` // "file", "directory", "link" or "other"
	Size int64  `json:"size,omitempty"`
}

func (f files) listMethod() (tool.Method, error) {
	return tool.New("list",
		"Lists the files and subdirectories in a directory (folder). Use it to find out which files there are, "+
			"for instance which Go files are in a directory, or what is in this project.",
		f.list, tool.AgentCallable(), tool.WithRisk(tool.RiskRead), tool.Idempotent(), tool.Title("List files"), tool.Alias("ls"),
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
	if err := directory(dir, info); err != nil {
		return tool.Output{}, err
	}
	listed := []listedFile{}
	w := newWalker(ctx, f, in.Recursive || pattern.deep())
	err = w.walk(dir, func(name string, entry fs.DirEntry) error {
		// A pattern is for files: with one, a directory is listed only if its own name fits.
		if ok, err := pattern.match(&w.work, below(dir, name)); !ok {
			return err
		}
		if len(listed) == maxListed {
			w.partial = true
			return errStop
		}
		listed = append(listed, describeEntry(name, entry))
		return nil
	})
	if err != nil {
		return tool.Output{}, err
	}
	return tool.Output{Text: listText(dir, in.Glob, listed, w.partial), Details: listed}, nil
}

// below is name relative to dir, both paths below the root.
func below(dir, name string) string {
	if dir == "." {
		return name
	}
	return strings.TrimPrefix(name, dir+"/")
}

func describeEntry(name string, entry fs.DirEntry) listedFile {
	l := listedFile{Path: name, Kind: "other"}
	switch {
	case entry.IsDir():
		l.Kind = "directory"
	case entry.Type()&fs.ModeSymlink != 0:
		l.Kind = "link"
	case entry.Type().IsRegular():
		l.Kind = "file"
		if info, err := entry.Info(); err == nil { // it may be gone by now
			l.Size = info.Size()
		}
	}
	return l
}

// listText writes one path on each line, directories with a slash at their end. A name with a line
// break is quoted, so that it does not look like two.
func listText(dir, pattern string, listed []listedFile, partial bool) string {
	if len(listed) == 0 && !partial {
		if pattern != "" {
			return fmt.Sprintf("Nothing in %s fits %s.", place(dir), cut(pattern, maxEcho))
		}
		return place(dir) + " is empty."
	}
	var b strings.Builder
	for _, l := range listed {
		switch l.Kind {
		case "directory":
			b.WriteString(named(l.Path + "/"))
		case "link":
			b.WriteString(named(l.Path) + " (symbolic link)")
		default:
			b.WriteString(named(l.Path))
		}
		b.WriteByte('\n')
	}
	if partial {
		fmt.Fprintf(&b, "(This list of %d is not complete: choose a directory further down, or a glob.)\n", len(listed))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// place names a directory in a sentence.
func place(dir string) string {
	if dir == "." {
		return "the root directory"
	}
	return named(dir + "/")
}
