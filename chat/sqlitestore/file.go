package sqlitestore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

var errNotRegular = errors.New("it is not a regular file")

// ownFile creates the file at path if it is missing, and makes sure that only its owner can read
// it. SQLite gives the files beside it the same mode. If readOnly is set, ownFile only checks that
// the file is a regular file. It does not open a file that exists, because closing it would end the
// locks that this process has on it.
func ownFile(path string, readOnly bool) error {
	if !readOnly {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			return f.Close()
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errNotRegular
	case readOnly || info.Mode().Perm()&0o077 == 0: // neither the group nor others have a permission
		return nil
	}
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		if err := os.Chmod(name, 0o600); err != nil && (name == path || !errors.Is(err, fs.ErrNotExist)) {
			return fmt.Errorf("others may read it; give it the mode 600, or move it away: %w", err)
		}
	}
	return nil
}
