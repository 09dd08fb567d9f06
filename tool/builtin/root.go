package builtin

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"
)

// files implements the files tool for the files below a root directory.
type files struct {
	root      *os.Root
	writable  bool            // there are methods that write
	protected func() []string // see WritableExcept; may be nil
}

// clean returns a requested path as a path below the root. Paths in requests and results have
// forward slashes. A path may be quoted, as displayPath quotes it. White space around it is
// dropped, unless a file has that very name.
func (f files) clean(path string) (string, error) {
	if quoted, err := strconv.Unquote(path); err == nil && path[0] == '"' {
		path = quoted
	} else if _, err := f.root.Lstat(filepath.FromSlash(path)); err != nil {
		path = strings.TrimSpace(path)
	}
	below := strings.TrimLeft(path, "/")
	if below == "" {
		return ".", nil
	}
	local := filepath.FromSlash(path)
	if filepath.IsAbs(local) || below != path {
		return "", errorf("%q is an absolute path: write it relative to the root directory, for example %q",
			shorten(path, maxEcho), shorten(below, maxEcho))
	}
	if !filepath.IsLocal(local) {
		return "", errorf("%q is outside of the root directory, and only what is below it can be reached", shorten(path, maxEcho))
	}
	return filepath.ToSlash(filepath.Clean(local)), nil
}

// displayPath returns a path for a result. The path is quoted if it contains line breaks, control
// characters or invalid UTF-8, or if it begins with a quotation mark.
func displayPath(path string) string {
	needsQuotes := func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) }
	if strings.HasPrefix(path, `"`) || !utf8.ValidString(path) || strings.ContainsFunc(path, needsQuotes) {
		return strconv.QuoteToGraphic(path)
	}
	return path
}

// explain returns an error of the file system as an error for a model. It names the requested path,
// and no path outside of the root. An error of a context stays as it is.
func (f files) explain(path string, err error) error {
	shown := shorten(path, maxEcho)
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, fs.ErrNotExist) && f.isLink(path):
		return errorf("%q is a symbolic link whose target does not exist", shown)
	case errors.Is(err, fs.ErrNotExist):
		return newMissingError(path)
	case errors.Is(err, fs.ErrPermission):
		return errorf("%q cannot be read: permission denied", shown)
	case errors.Is(err, syscall.ENOTDIR):
		return errorf("there is no %q: a part of that path is a file", shown)
	case errors.Is(err, syscall.ELOOP):
		return errorf("%q leads through too many symbolic links, or in a loop of them", shown)
	}
	cause, ok := errors.AsType[*fs.PathError](err)
	if !ok {
		return errorf("%q cannot be read: %v", shown, err)
	}
	// If a path leaves the root, the error of os.Root is not one of the system. A clean path can
	// leave the root only through a link.
	if system := syscall.Errno(0); !errors.As(err, &system) && f.throughLink(path) {
		return errorf("%q leads through a symbolic link that is not followed: a link must not leave the root directory or have an absolute target",
			shown)
	}
	return errorf("%q cannot be read: %v", shown, cause.Err)
}

// errChanged is the error for a file that another program changed while a call worked on it.
var errChanged = errorf("another program changed it just now; read it again")

// explainWrite returns an error of the file system as an error for a model. It names no path
// outside of the root. An error of a context stays as it is.
func (f files) explainWrite(name string, err error) error {
	shown := shorten(name, maxEcho)
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, fs.ErrPermission):
		return errorf("%q cannot be written: permission denied", shown)
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return errorf("%q cannot be written: %v", shown, err)
}

// throughLink reports whether a part of path is a symbolic link.
func (f files) throughLink(path string) bool {
	for i := range path {
		if path[i] == '/' && f.isLink(path[:i]) {
			return true
		}
	}
	return f.isLink(path)
}

func (f files) isLink(path string) bool {
	info, err := f.root.Lstat(filepath.FromSlash(path))
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// stat returns the information about a file. It follows a link.
func (f files) stat(path string) (fs.FileInfo, error) {
	info, err := f.root.Stat(filepath.FromSlash(path))
	if err != nil {
		return nil, f.explain(path, err)
	}
	return info, nil
}

// open opens a regular file. It refuses anything else before opening it, because opening a device
// may have an effect.
func (f files) open(path string) (*os.File, fs.FileInfo, error) {
	info, err := f.stat(path)
	if err != nil {
		return nil, nil, err
	}
	if err := requireRegular(path, info); err != nil {
		return nil, nil, err
	}
	return f.openAs(path, openFile, requireRegular)
}

// openDirectory opens a directory to read its entries.
func (f files) openDirectory(path string) (*os.File, error) {
	dir, _, err := f.openAs(path, openDirectory, requireDirectory)
	return dir, err
}

// openAs opens a path, and fails if check refuses the opened file. A check before opening is not
// enough, because the file may be replaced in between. For the same reason, flags must keep the
// open from blocking.
func (f files) openAs(path string, flags int, check func(string, fs.FileInfo) error) (*os.File, fs.FileInfo, error) {
	file, err := f.root.OpenFile(filepath.FromSlash(path), flags, 0)
	if err != nil {
		return nil, nil, f.explain(path, err)
	}
	info, err := file.Stat()
	if err == nil {
		err = check(path, info)
	}
	if err != nil {
		_ = file.Close() // it was only read
		return nil, nil, err
	}
	return file, info, nil
}

// requireRegular returns an error if a file is not a regular file.
func requireRegular(path string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return errorf("%q is a directory; files_list lists it", shorten(path, maxEcho))
	case !info.Mode().IsRegular():
		return errorf("%q is not an ordinary file (%s), and only ordinary files are read", shorten(path, maxEcho), info.Mode().Type())
	}
	return nil
}

// requireDirectory returns an error if a file is not a directory.
func requireDirectory(path string, info fs.FileInfo) error {
	if !info.IsDir() {
		return errorf("%q is a file, not a directory; files_read reads it", shorten(path, maxEcho))
	}
	return nil
}

// missingError is the error for a path that does not exist.
type missingError struct{ error }

func (e *missingError) Unwrap() error { return e.error }

func newMissingError(path string) error {
	return &missingError{errorf("there is no %q below the root directory; files_list lists what there is", shorten(path, maxEcho))}
}
