package document

import (
	"fmt"
	"os"
)

// OpenPrivate opens a regular file with the flags of os.OpenFile, and creates the file if it does
// not exist. Only its owner can read the file: an existing file is restricted to its owner, or
// refused. Like OpenFile, OpenPrivate never blocks.
func OpenPrivate(path string, flags int) (*os.File, error) {
	f, err := OpenFile(path, flags|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	// Opening an existing file does not change its mode.
	info, err := f.Stat()
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		if err = f.Chmod(0o600); err != nil {
			err = fmt.Errorf("others may read or change the file; give it the mode 600, or move it away: %w", err)
		}
	}
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return f, nil
}
