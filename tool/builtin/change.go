package builtin

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"

	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/tool"
)

// writtenDetails are the details of a result of files_write and files_edit, for programs.
type writtenDetails struct {
	Path    string `json:"path"`
	Created bool   `json:"created,omitempty"`
	Bytes   int    `json:"bytes"`
	Diff    string `json:"diff,omitempty"`
}

// change is a planned change of one file.
type change struct {
	name    string
	way     []fs.FileInfo // the directories on the way to the file, as far as they existed
	old     *oldFile      // nil if the file is new
	content string        // of the file after the change
	done    *message.Text // says what was done, for the result
}

// preview describes a planned change for the person who approves it. err is the error of planning,
// and is returned unchanged.
func preview(c *change, err error) (string, error) {
	if err != nil {
		return "", err
	}
	if c.old == nil {
		return fmt.Sprintf("new file %s (%s, %s)", displayPath(c.name), plural(len(c.content), "%d byte"),
			plural(len(splitLines(c.content)), "%d line")), nil
	}
	diff, whole := unifiedDiff(displayPath(c.name), c.old.text, c.content)
	if !whole {
		// An approval is bound to the preview. The hash binds it to the whole old content, even if
		// the preview shows only a part of the difference.
		diff += fmt.Sprintf("(the file before: sha256 %x)\n", sha256.Sum256([]byte(c.old.text)))
	}
	return diff, nil
}

// output is the result of a change. kept reports whether the file kept its owner and its group.
func (c *change) output(ctx context.Context, kept bool) tool.Output {
	text := printer(ctx).Say("%v", c.done)
	if !kept {
		text += printer(ctx).Say(" Its owner or its group could not be kept: it belongs to the user of this program now.")
	}
	d := writtenDetails{Path: c.name, Created: c.old == nil, Bytes: len(c.content)}
	if c.old != nil {
		d.Diff, _ = unifiedDiff(displayPath(c.name), c.old.text, c.content)
	}
	return tool.Output{Text: text, Details: d}
}

// apply replaces or creates the file atomically: a reader sees the old content or the new one,
// except in the case of createWithoutLink. After a failure the file has the old content. apply
// writes a temporary file in the same directory, syncs it, and gives it the name of the file.
func (f files) apply(ctx context.Context, c *change) (tool.Output, error) {
	d, err := f.openDestination(c.name, c.old == nil)
	if err != nil {
		return tool.Output{}, err
	}
	defer d.close()
	if !d.follows(c.way) {
		return tool.Output{}, f.explainWrite(c.name, errChanged)
	}
	kept, err := d.apply(ctx, c)
	if err != nil {
		return tool.Output{}, f.explainWrite(c.name, err)
	}
	return c.output(ctx, kept), nil
}

// apply makes the change. kept reports whether the file kept its owner and its group; it is true
// for a new file.
func (d *destination) apply(ctx context.Context, c *change) (kept bool, err error) {
	// With up to 40 characters of the old name, it stays below the 255 bytes that file systems
	// allow.
	temporary := "." + shorten(d.base, 40) + "." + rand.Text()[:12] + ".tmp"
	defer func() { _ = d.dir.Remove(temporary) }() // it may not exist
	if kept, err = c.writeTo(d.dir, temporary); err != nil {
		return false, err
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if c.old == nil {
		return true, create(d.dir, temporary, d.base)
	}
	if err := d.checkUnchanged(ctx, c.old); err != nil {
		return false, err
	}
	return kept, d.dir.Rename(temporary, d.base)
}

// writeTo writes the new content to a new file. kept is as for apply.
func (c *change) writeTo(parent *os.Root, name string) (kept bool, err error) {
	mode := fs.FileMode(0o666)
	if c.old != nil {
		mode = 0o600 // until it has the access of the old file
	}
	file, err := parent.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return false, err
	}
	kept = true
	if _, err = file.WriteString(c.content); err == nil && c.old != nil {
		kept, err = c.old.access.give(file)
	}
	if err == nil {
		err = file.Sync()
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	return kept, err
}
