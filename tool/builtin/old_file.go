package builtin

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"unicode/utf8"
)

// maxWritten limits a file that is written or edited, in bytes.
const maxWritten = 4 << 20

// oldFile is the state of a file when a change of it was planned.
type oldFile struct {
	text   string
	info   fs.FileInfo
	access access
}

// content reads a file that a call wants to change. It reads nothing through a link, even if a link
// replaces the file meanwhile.
func (d *destination) content(ctx context.Context) (*oldFile, error) {
	if d.base == "" {
		return nil, newMissingError(d.name)
	}
	shown := shorten(d.name, maxEcho)
	seen, err := d.dir.Lstat(d.base)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, newMissingError(d.name)
	case err != nil:
		return nil, d.explain(d.name, err)
	case seen.Mode()&fs.ModeSymlink != 0:
		return nil, errorf("%q is a symbolic link, and links are not written to; name the file that it leads to", shown)
	}
	if err := requireRegular(d.name, seen); err != nil {
		return nil, err
	}
	file, err := d.dir.OpenFile(d.base, openFile, 0)
	if err != nil {
		return nil, d.explain(d.name, err)
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, d.explain(d.name, err)
	case !os.SameFile(seen, info):
		return nil, d.explainWrite(d.name, errChanged)
	case info.Size() > maxWritten:
		return nil, errorf("%q has %d bytes, and files of at most %d are changed", shown, info.Size(), maxWritten)
	case linksOf(file, info) > 1:
		return nil, errorf("%q has %d names (hard links), and a change would separate this name from the others; write a new file instead",
			shown, linksOf(file, info))
	}
	access, err := accessOf(file, info)
	if err != nil {
		return nil, d.explain(d.name, err)
	}
	data, err := io.ReadAll(io.LimitReader(&contextReader{ctx, file}, maxWritten+1))
	if len(data) > maxWritten { // it has grown, or its size was 0 as for some system files
		err = errorf("it is too long")
	}
	switch {
	case err != nil:
		return nil, d.explain(d.name, err)
	case !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0:
		return nil, errorf("%q is not text in UTF-8, and only text is changed", shown)
	}
	return &oldFile{string(data), info, access}, nil
}

// checkUnchanged returns errChanged if the file was replaced or modified after the change was
// planned, or cannot be read. It compares the content, because a program that writes in place may
// keep the length and set back the time.
func (d *destination) checkUnchanged(ctx context.Context, was *oldFile) error {
	now, err := d.content(ctx)
	if ctxErr := ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	if err != nil || !os.SameFile(now.info, was.info) || !now.access.equal(was.access) || now.text != was.text {
		return errChanged
	}
	return nil
}
