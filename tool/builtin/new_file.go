package builtin

import (
	"errors"
	"io/fs"
	"os"
)

// create gives a temporary file the name of a new file. It returns errChanged if the name is taken,
// also if another program took it just now.
func create(dir *os.Root, temporary, base string) error {
	err := dir.Link(temporary, base)
	switch {
	case errors.Is(err, fs.ErrExist):
		return errChanged
	case err != nil: // not every file system has hard links
		return createWithoutLink(dir, temporary, base)
	}
	return nil
}

// createWithoutLink reserves the name with an empty file, which it then replaces. A reader may see
// the empty file.
func createWithoutLink(dir *os.Root, temporary, base string) error {
	empty, err := dir.OpenFile(base, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return errChanged
	}
	if err != nil {
		return err
	}
	emptyInfo, err := empty.Stat()
	if err := errors.Join(err, empty.Close()); err != nil {
		return err
	}
	now, err := dir.Lstat(base)
	if err != nil || !os.SameFile(emptyInfo, now) || now.Size() > 0 {
		return errChanged
	}
	if err := dir.Rename(temporary, base); err != nil {
		return errors.Join(err, dir.Remove(base))
	}
	return nil
}
