package builtin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Bounds of one walk. A walk that meets one stops there and says so.
const (
	maxVisited   = 100_000 // entries
	maxWalkDepth = 64      // directories within one another
)

// errStop ends a walk early and is no error.
var errStop = errors.New("stop")

// walker goes through a directory in the order of names. It follows no symbolic link.
type walker struct {
	files
	recursive bool
	visited   int
	partial   bool // a bound or an unreadable directory cut the walk short
}

// walk calls visit for every entry below dir, with its path below the root.
func (w *walker) walk(ctx context.Context, dir string, visit func(name string, entry fs.DirEntry) error) error {
	err := w.directory(ctx, dir, 0, visit)
	if errors.Is(err, errStop) {
		return nil
	}
	return err
}

func (w *walker) directory(ctx context.Context, dir string, depth int, visit func(string, fs.DirEntry) error) error {
	entries, err := w.entries(dir)
	if err != nil {
		if depth > 0 { // one closed door is no reason to tell nothing of the rest
			w.partial = true
			return nil
		}
		return err
	}
	for _, entry := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if w.visited++; w.visited > maxVisited {
			w.partial = true
			return errStop
		}
		name := path.Join(dir, entry.Name())
		if err := visit(name, entry); err != nil {
			return err
		}
		// What a version control system keeps for itself is rarely meant, and large.
		if !w.recursive || !entry.IsDir() || entry.Name() == ".git" {
			continue
		}
		if depth+1 >= maxWalkDepth {
			w.partial = true
			continue
		}
		if err := w.directory(ctx, name, depth+1, visit); err != nil {
			return err
		}
	}
	return nil
}

// entries reads one directory, sorted by name.
func (w *walker) entries(dir string) ([]fs.DirEntry, error) {
	d, err := w.root.Open(filepath.FromSlash(dir))
	if err != nil {
		return nil, w.explain(dir, err)
	}
	defer func() { _ = d.Close() }() // it was only read from
	entries, err := d.ReadDir(maxVisited + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, w.explain(dir, err)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// glob is a pattern for the names of files.
type glob struct{ patterns []string }

// maxAlternatives bounds what braces in a pattern expand to.
const maxAlternatives = 64

// newGlob reads a pattern: * and ? and [a-z] within a name, ** for any number of directories, {a,b} for alternatives. A pattern
// without a slash is for the last name of a path, one with a slash for the path below the directory that is listed. The empty
// pattern fits everything.
func newGlob(pattern string) (glob, error) {
	pattern = strings.TrimPrefix(strings.TrimSpace(pattern), "./")
	if pattern == "" {
		return glob{}, nil
	}
	patterns, ok := expand(pattern)
	if !ok || len(pattern) > 1000 || strings.Count(pattern, "**") > 8 {
		return glob{}, fmt.Errorf("the file name pattern %q has too many alternatives; write a simpler one, such as *.go", cut(pattern, maxEcho))
	}
	for _, p := range patterns {
		if _, err := path.Match(p, ""); err != nil {
			return glob{}, fmt.Errorf("%q is no file name pattern: write one such as *.go, *.{js,ts} or src/**/*.md", cut(pattern, maxEcho))
		}
	}
	return glob{patterns}, nil
}

// deep reports whether the pattern asks for files in directories further down.
func (g glob) deep() bool {
	return slices.ContainsFunc(g.patterns, func(p string) bool { return strings.Contains(p, "/") || strings.Contains(p, "**") })
}

// match reports whether the pattern fits name, a path below the directory that is listed.
func (g glob) match(name string) bool {
	if g.patterns == nil {
		return true
	}
	return slices.ContainsFunc(g.patterns, func(p string) bool {
		if !strings.Contains(p, "/") {
			ok, _ := path.Match(p, path.Base(name)) // the pattern was checked
			return ok
		}
		return matchPath(strings.Split(p, "/"), strings.Split(name, "/"))
	})
}

// matchPath matches name by name; "**" stands for any number of names.
func matchPath(pattern, names []string) bool {
	for len(pattern) > 0 {
		if pattern[0] == "**" {
			for i := range len(names) + 1 {
				if matchPath(pattern[1:], names[i:]) {
					return true
				}
			}
			return false
		}
		if len(names) == 0 {
			return false
		}
		if ok, _ := path.Match(pattern[0], names[0]); !ok {
			return false
		}
		pattern, names = pattern[1:], names[1:]
	}
	return len(names) == 0
}

// expand writes out the alternatives in braces; ok is false where there are too many.
func expand(pattern string) (all []string, ok bool) {
	open := strings.IndexByte(pattern, '{')
	if open < 0 {
		return []string{pattern}, true
	}
	end := strings.IndexByte(pattern[open:], '}')
	if end < 0 {
		return []string{pattern}, true
	}
	end += open
	if inner := strings.LastIndexByte(pattern[:end], '{'); inner > open { // the innermost braces first
		open = inner
	}
	for part := range strings.SplitSeq(pattern[open+1:end], ",") {
		rest, ok := expand(pattern[:open] + part + pattern[end+1:])
		if all = append(all, rest...); !ok || len(all) > maxAlternatives {
			return nil, false
		}
	}
	return all, true
}
