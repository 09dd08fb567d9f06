package builtin

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/vcpgo/vcp/tool"
)

// writtenDetails are the details of a result of files_write and files_edit, for programs.
type writtenDetails struct {
	Path    string `json:"path"`
	Created bool   `json:"created,omitempty"`
	Bytes   int    `json:"bytes"`
	Diff    string `json:"diff,omitempty"`
}

// oldFile is the state of a file when a change of it was planned.
type oldFile struct {
	text string
	info fs.FileInfo
}

// change is a planned change of one file.
type change struct {
	name   string
	way    []fs.FileInfo // the directories on the way to the file, as far as they existed
	before *oldFile      // nil if the file is new
	after  string
}

// preview returns a description of the change for the person who approves it.
func (c *change) preview() string {
	if c.before == nil {
		return fmt.Sprintf("new file %s (%s, %s)", displayPath(c.name), plural(len(c.after), "%d byte"), plural(len(splitLines(c.after)), "%d line"))
	}
	diff, whole := unifiedDiff(displayPath(c.name), c.before.text, c.after)
	if !whole {
		// An approval is bound to the preview. The hash binds it to the whole old content, even if
		// the preview shows only a part of the difference.
		diff += fmt.Sprintf("(the file before: sha256 %x)\n", sha256.Sum256([]byte(c.before.text)))
	}
	return diff
}

func (c *change) output(text string) tool.Output {
	d := writtenDetails{Path: c.name, Created: c.before == nil, Bytes: len(c.after)}
	if c.before != nil {
		d.Diff, _ = unifiedDiff(displayPath(c.name), c.before.text, c.after)
	}
	return tool.Output{Text: text, Details: d}
}

// errChanged is the error for a file that another program changed while a call worked on it.
var errChanged = errorf("another program changed it just now; read it again")

// apply replaces the file atomically: a reader sees either the old content or the new one. After a
// failure the file has the old content. apply writes a temporary file in the same directory, syncs
// it, and renames it. The file keeps its permissions, but not its owner and its hard links.
func (f files) apply(ctx context.Context, c *change) error {
	d, err := f.openDestination(c.name, c.before == nil)
	if err != nil {
		return err
	}
	defer d.close()
	if !d.follows(c.way) {
		return f.explainWrite(c.name, errChanged)
	}
	if err := d.apply(ctx, c); err != nil {
		return f.explainWrite(c.name, err)
	}
	return nil
}

func (d *destination) apply(ctx context.Context, c *change) error {
	temporary := "." + shorten(d.base, 40) + "." + rand.Text()[:12] + ".tmp"
	err := c.writeTo(d.dir, temporary)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = c.checkUnchanged(d.dir, d.base)
	}
	if err == nil {
		err = d.dir.Rename(temporary, d.base)
	}
	if err != nil {
		_ = d.dir.Remove(temporary) // it may not exist
	}
	return err
}

// writeTo writes the new content to a new file.
func (c *change) writeTo(parent *os.Root, name string) error {
	mode := fs.FileMode(0o666)
	if c.before != nil {
		mode = 0o600 // until it has the permissions of the old file
	}
	file, err := parent.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = file.WriteString(c.after)
	if err == nil && c.before != nil {
		err = file.Chmod(c.before.info.Mode().Perm())
	}
	return errors.Join(err, file.Sync(), file.Close())
}

// checkUnchanged returns errChanged if the file was created, replaced or modified after the change
// was planned.
func (c *change) checkUnchanged(parent *os.Root, base string) error {
	now, err := parent.Lstat(base)
	switch {
	case c.before == nil && errors.Is(err, fs.ErrNotExist):
		return nil
	case c.before == nil && err == nil:
		return errChanged
	case err != nil:
		return err
	}
	was := c.before.info
	if !os.SameFile(now, was) || now.Size() != was.Size() || !now.ModTime().Equal(was.ModTime()) {
		return errChanged
	}
	return nil
}

// explainWrite returns an error of the file system as an error for a model. It names no path
// outside of the root.
func (f files) explainWrite(name string, err error) error {
	shown := shorten(name, maxEcho)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if errors.Is(err, fs.ErrPermission) {
		return errorf("%q cannot be written: permission denied", shown)
	}
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return errorf("%q cannot be written: %v", shown, err)
}

// errLong is the error of readUpTo for data that is longer than its limit.
var errLong = errorf("it is too long")

// readUpTo reads all of r. The error is errLong if r has more than limit bytes.
func readUpTo(r io.Reader, limit int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err == nil && len(data) > limit {
		err = errLong
	}
	return data, err
}
