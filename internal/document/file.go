package document

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ReadFile returns the content of the regular file at path. limit is the greatest length in bytes;
// a longer file is an error.
func ReadFile(path string, limit int) ([]byte, error) {
	f, err := OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadAll(f, limit)
}

// ReadAll reads r to its end. limit is the greatest length in bytes. If r contains more, ReadAll
// reads one byte beyond the limit and returns an error.
func ReadAll(r io.Reader, limit int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err != nil {
		return nil, err
	}
	if len(data) > limit {
		return nil, Limits{Bytes: limit}.tooLarge()
	}
	return data, nil
}

// OpenFile opens a regular file as os.OpenFile does, with the same flags, and never blocks. A
// directory, a device, a named pipe or a socket is an error.
func OpenFile(path string, flag int, perm fs.FileMode) (*os.File, error) {
	// Opening some devices has an effect, so the path is checked first. Another file may take its
	// place a moment later, so the open file is checked, too. Without nonblock, opening a named
	// pipe waits until another process opens its other end.
	if info, err := os.Stat(path); err == nil {
		if err := checkRegular(path, info.Mode()); err != nil {
			return nil, err
		}
	}
	f, err := os.OpenFile(path, flag|nonblock, perm)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = checkRegular(path, info.Mode())
	}
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return f, nil
}

// ErrNotRegular is wrapped by the error of OpenFile for a file that is not regular.
var ErrNotRegular = errors.New("a regular file is needed")

// checkRegular returns an error unless mode is that of a regular file.
func checkRegular(path string, mode fs.FileMode) error {
	kind := "not a regular file"
	switch {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		kind = "a directory"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	}
	return &fs.PathError{Op: "open", Path: path, Err: fmt.Errorf("it is %s; %w", kind, ErrNotRegular)}
}
