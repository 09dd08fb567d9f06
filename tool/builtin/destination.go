package builtin

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxPath limits the path of a file that is written, in bytes.
const maxPath = 4096

// destination is where a file is changed: its directory, and its name there. The directories on the
// way were opened one after another, without following a link.
type destination struct {
	files
	name string        // the path of the file
	dir  *os.Root      // the directory of the file, or the last one on the way that exists
	way  []fs.FileInfo // the directories below the root that were opened
	base string        // the name of the file in dir, or "" if a directory is missing
}

// openDestination opens the directory of a file. It refuses a protected file, and a way through a
// link or into a repository of git. If creating is set, it makes missing directories. The caller
// closes the destination.
func (f files) openDestination(name string, creating bool) (*destination, error) {
	if len(name) > maxPath {
		return nil, errorf("the path has %d bytes, and at most %d are allowed; choose a shorter one", len(name), maxPath)
	}
	if err := refuseGitPath(name); err != nil {
		return nil, err
	}
	protected := f.protectedFiles()
	if err := f.refuseProtected(protected, name); err != nil {
		return nil, err
	}
	dir, err := f.root.OpenRoot(".")
	if err != nil {
		return nil, f.explain(name, err)
	}
	d := &destination{files: f, name: name, dir: dir}
	if err := d.descend(protected, creating); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

// descend opens the directories on the way to the file, one after another, and refuses what
// openDestination refuses.
func (d *destination) descend(protected []protectedFile, creating bool) error {
	parts := strings.Split(d.name, "/")
	for i, part := range parts {
		if isRepository(d.dir, part) {
			return errorf("%q is in %q, which git takes for a repository, and nothing is written there",
				shorten(d.name, maxEcho), shorten(cmp.Or(strings.Join(parts[:i], "/"), "."), maxEcho))
		}
		if i == len(parts)-1 {
			break
		}
		err := d.enter(part, creating)
		switch {
		case errors.Is(err, fs.ErrNotExist) && !creating:
			return nil
		case err != nil:
			return d.explainEnter(strings.Join(parts[:i+1], "/"), err, creating)
		}
		if err := refuseProtectedFile(protected, d.name, d.way[i]); err != nil {
			return err
		}
	}
	d.base = parts[len(parts)-1]
	if info, err := d.dir.Lstat(d.base); err == nil {
		return refuseProtectedFile(protected, d.name, info)
	}
	return nil
}

func (d *destination) close() { _ = d.dir.Close() } // an error of Close is harmless

// The errors of enter.
var errLinked, errGit = errors.New("a symbolic link"), errors.New("a directory .git")

// enter opens the directory with the name part in d.dir, and makes it the new d.dir. If creating is
// set, it makes a missing directory.
func (d *destination) enter(part string, creating bool) error {
	seen, err := d.dir.Lstat(part)
	if creating && errors.Is(err, fs.ErrNotExist) {
		if err = d.dir.Mkdir(part, 0o777); err == nil || errors.Is(err, fs.ErrExist) {
			seen, err = d.dir.Lstat(part)
		}
	}
	switch {
	case err != nil:
		return err
	case seen.Mode()&fs.ModeSymlink != 0:
		return errLinked
	case !seen.IsDir():
		return syscall.ENOTDIR
	}
	next, info, err := openBelow(d.dir, part)
	if err != nil {
		return err
	}
	git, gitErr := d.dir.Lstat(".git")
	switch {
	case !os.SameFile(seen, info): // part was replaced after Lstat, perhaps by a link that openBelow followed
		err = errChanged
	case gitErr == nil && os.SameFile(git, info): // part is .git in another spelling
		err = errGit
	}
	if err != nil {
		_ = next.Close()
		return err
	}
	d.close()
	d.dir, d.way = next, append(d.way, info)
	return nil
}

// openBelow opens a directory in dir. The added "." makes OpenRoot open the name as a directory, so
// it never waits for a pipe that was put there meanwhile.
func openBelow(dir *os.Root, part string) (*os.Root, fs.FileInfo, error) {
	next, err := dir.OpenRoot(part + string(filepath.Separator) + ".")
	if err != nil {
		return nil, nil, err
	}
	info, err := next.Stat(".")
	if err != nil {
		_ = next.Close()
		return nil, nil, err
	}
	return next, info, nil
}

// explainEnter returns the error for a destination with a directory that cannot be entered.
// directory is the path of that directory. creating is as for openDestination.
func (d *destination) explainEnter(directory string, err error, creating bool) error {
	shown := shorten(d.name, maxEcho)
	switch {
	case errors.Is(err, errLinked):
		return errorf("%q leads through the symbolic link %q, and nothing is written through links; name the directory that it leads to",
			shown, shorten(directory, maxEcho))
	case errors.Is(err, errGit):
		return errorf("%q is below a directory .git, where nothing is written", shown)
	case errors.Is(err, errChanged), creating && !errors.Is(err, syscall.ENOTDIR): // a failure to make a directory
		return d.explainWrite(d.name, err)
	}
	return d.explain(d.name, err)
}

// follows reports whether the way of d begins with the directories of another way.
func (d *destination) follows(way []fs.FileInfo) bool {
	if len(d.way) < len(way) {
		return false
	}
	for i, info := range way {
		if !os.SameFile(info, d.way[i]) {
			return false
		}
	}
	return true
}
