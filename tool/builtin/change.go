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

// writtenDetails is the result of a change for programs.
type writtenDetails struct {
	Path    string `json:"path"`
	Created bool   `json:"created,omitempty"`
	Bytes   int    `json:"bytes"`
	Diff    string `json:"diff,omitempty"`
}

// oldFile is a file as it was when a change of it was planned.
type oldFile struct {
	text string
	info fs.FileInfo
}

// change is what a call does to one file.
type change struct {
	name   string
	way    []fs.FileInfo // the directories on the way to the file, as far as they existed
	before *oldFile      // nil if the file is new
	after  string
}

// preview shows a person what the change does.
func (c *change) preview() string {
	if c.before == nil {
		return fmt.Sprintf("new file %s (%s, %s)", named(c.name), plural(len(c.after), "%d byte"), plural(len(splitLines(c.after)), "%d line"))
	}
	diff, whole := unifiedDiff(named(c.name), c.before.text, c.after)
	if !whole {
		// The hash binds the approval to the whole file as it was, even if the difference is not
		// shown whole.
		diff += fmt.Sprintf("(the file before: sha256 %x)\n", sha256.Sum256([]byte(c.before.text)))
	}
	return diff
}

func (c *change) output(text string) tool.Output {
	d := writtenDetails{Path: c.name, Created: c.before == nil, Bytes: len(c.after)}
	if c.before != nil {
		d.Diff, _ = unifiedDiff(named(c.name), c.before.text, c.after)
	}
	return tool.Output{Text: text, Details: d}
}

// errChanged is the error for a file that another program changed while a call worked on it.
var errChanged = errorf("another program changed it just now; read it again")

// apply replaces the file atomically: a reader sees the old content or the new one, and after a
// failure the old one. The new file is written beside the old one, synchronized, and renamed. It
// keeps the permissions of the old one; hard links and the owner are not kept.
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
		err = c.unchanged(d.dir, d.base)
	}
	if err == nil {
		err = d.dir.Rename(temporary, d.base)
	}
	if err != nil {
		_ = d.dir.Remove(temporary) // it may not exist
	}
	return err
}

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

// unchanged fails if the file is not the one that the change was planned for.
func (c *change) unchanged(parent *os.Root, base string) error {
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

// explainWrite turns an error of the file system into words for a model. It names no path of the
// machine.
func (f files) explainWrite(name string, err error) error {
	shown := shorten(name, maxEcho)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if errors.Is(err, fs.ErrPermission) {
		return errorf("%q may not be written: permission denied", shown)
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

// errLong is the error for a text that is longer than the limit of readUpTo.
var errLong = errorf("it is too long")

// readUpTo reads all of r, or fails if it is longer.
func readUpTo(r io.Reader, limit int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err == nil && len(data) > limit {
		err = errLong
	}
	return data, err
}
