package builtin

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
)

// The limits of one walk. A walk that reaches a limit sets walker.partial.
const (
	maxVisited   = 100_000 // entries
	maxWalkDepth = 64      // levels of directories
)

// errStop ends a walk early and is not a failure.
var errStop = errors.New("stop")

// walker visits the entries of a directory in the order of their names. If recursive is set, it
// also visits the entries of subdirectories, but not those of directories named .git. It follows no
// symbolic link.
type walker struct {
	files
	work      work
	recursive bool
	visited   int // entries that were read

	skippedSubdirectories bool // subdirectories were not visited, because recursive is not set
	partial               bool // entries are missing, because of a limit or an unreadable directory
}

func newWalker(ctx context.Context, f files, recursive bool) *walker {
	return &walker{files: f, work: work{ctx: ctx}, recursive: recursive}
}

// walk calls visit for each entry below dir. name is the path of the entry, relative to the root.
// If visit returns errStop, the walk ends without an error.
func (w *walker) walk(dir string, visit func(name string, entry fs.DirEntry) error) error {
	err := w.directory(dir, 0, visit)
	if errors.Is(err, errStop) {
		return nil
	}
	return err
}

// directory visits the entries of one directory, which is depth levels below the first one.
func (w *walker) directory(dir string, depth int, visit func(string, fs.DirEntry) error) error {
	entries, err := w.entries(dir)
	if ctxErr := w.work.ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	if err != nil {
		if depth > 0 { // the rest is worth listing although one directory cannot be read
			w.partial = true
			return nil
		}
		return err
	}
	for _, entry := range entries {
		if err := w.work.ctx.Err(); err != nil {
			return err
		}
		name := path.Join(dir, entry.Name())
		if err := visit(name, entry); err != nil {
			return err
		}
		// The directory .git is large, and users rarely mean its files.
		if !w.recursive || !entry.IsDir() || entry.Name() == ".git" {
			w.skippedSubdirectories = w.skippedSubdirectories || entry.IsDir() && !w.recursive
			continue
		}
		if depth+1 >= maxWalkDepth || w.visited >= maxVisited {
			w.partial = true
			continue
		}
		if err := w.directory(name, depth+1, visit); err != nil {
			return err
		}
	}
	return nil
}

// entriesPerRead is how many entries of a directory are read between two checks of the context.
const entriesPerRead = 1 << 10

// entries returns the entries of one directory, sorted by name. At the limit of the walk, some are
// missing.
func (w *walker) entries(dir string) ([]fs.DirEntry, error) {
	d, err := w.openDirectory(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	var entries []fs.DirEntry
	for {
		if err := w.work.ctx.Err(); err != nil {
			return nil, err
		}
		read, err := d.ReadDir(entriesPerRead)
		if room := maxVisited - w.visited; len(read) > room {
			read, err, w.partial = read[:room], io.EOF, true // io.EOF ends the loop
		}
		w.visited += len(read)
		entries = append(entries, read...)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, w.explain(dir, err)
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, nil
}
