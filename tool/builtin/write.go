package builtin

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/tool"
)

// maxWritten limits a file that is written or edited, in bytes.
const maxWritten = 4 << 20

// writeResource is the resource that all methods use that change files. Two calls that use the same
// resource do not run at the same time.
const writeResource = "builtin files: write"

type writeInput struct {
	Path    string `json:"path" jsonschema:"the file to write, relative to the root directory, such as notes/todo.md; missing directories are made"`
	Content string `json:"content" jsonschema:"the whole new content of the file"`
}

func (f files) writeMethod() (tool.Method, error) {
	return tool.New("write",
		"Writes a text file: makes a new file, or replaces the whole content of one. To change a part of a file use files_edit.",
		f.write, tool.AgentCallable(), tool.WithRisk(tool.RiskWrite), tool.Title("Write file"), tool.Uses(writeResource),
		tool.WithPreview(f.previewWrite), tool.Example(map[string]any{"path": "notes/todo.md", "content": "- buy milk\n"}))
}

func (f files) write(ctx context.Context, in writeInput) (tool.Output, error) {
	c, err := f.planWrite(ctx, in)
	if err != nil {
		return tool.Output{}, err
	}
	if err := f.apply(ctx, c); err != nil {
		return tool.Output{}, err
	}
	name, size := displayPath(c.name), plural(len(c.after), "%d byte")
	if c.before == nil {
		return c.output(printer(ctx).Say("Made %s: it has %v now.", name, size)), nil
	}
	return c.output(printer(ctx).Say("Replaced %s: it has %v now.", name, size)), nil
}

func (f files) previewWrite(ctx context.Context, in writeInput) (string, error) {
	c, err := f.planWrite(ctx, in)
	if err != nil {
		return "", err
	}
	return c.preview(), nil
}

// planWrite returns the change that a write would make. It changes nothing.
func (f files) planWrite(ctx context.Context, in writeInput) (*change, error) {
	name, err := f.clean(in.Path)
	if err != nil {
		return nil, err
	}
	switch {
	case len(in.Content) > maxWritten:
		return nil, errorf("the content has %d bytes, and a file of at most %d is written", len(in.Content), maxWritten)
	case !utf8.ValidString(in.Content):
		return nil, errorf("the content is not valid UTF-8, and only text is written")
	}
	before, err := f.content(ctx, name)
	var missing *missingError
	if errors.As(err, &missing) {
		before, err = nil, f.checkCreatable(name)
	}
	if err != nil {
		return nil, err
	}
	if before != nil && before.text == in.Content {
		return nil, errorf("%q has this content already; there is nothing to change", shorten(name, maxEcho))
	}
	return &change{name, before, in.Content}, nil
}

// checkCreatable returns an error if the directory of a new file cannot be created.
func (f files) checkCreatable(name string) error {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		info, err := f.root.Stat(filepath.FromSlash(dir))
		switch {
		case errors.Is(err, fs.ErrNotExist) && !f.isLink(dir):
			continue
		case err != nil:
			return f.explain(dir, err)
		case !info.IsDir():
			return errorf("%q cannot be made: %q is a file, not a directory", shorten(name, maxEcho), shorten(dir, maxEcho))
		}
		return nil
	}
	return nil
}

// content reads a file that a call wants to change.
func (f files) content(ctx context.Context, name string) (*oldFile, error) {
	if err := refuseGitPath(name); err != nil {
		return nil, err
	}
	if f.isLink(name) {
		return nil, errorf("%q is a symbolic link, and links are not written to; name the file that it leads to", shorten(name, maxEcho))
	}
	file, info, err := f.open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // after reading, an error of Close is harmless
	if info.Size() > maxWritten {
		return nil, errorf("%q has %d bytes, and files of at most %d are changed", shorten(name, maxEcho), info.Size(), maxWritten)
	}
	data, err := readUpTo(&contextReader{ctx, file}, maxWritten)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, f.explain(name, err)
	case !utf8.Valid(data) || strings.IndexByte(string(data), 0) >= 0:
		return nil, errorf("%q is not text in UTF-8, and only text is changed", shorten(name, maxEcho))
	}
	return &oldFile{string(data), info}, nil
}

// refuseGitPath returns an error for a path below a directory .git, because git runs programs that
// files there name.
func refuseGitPath(name string) error {
	for part := range strings.SplitSeq(name, "/") {
		if strings.EqualFold(part, ".git") {
			return errorf("%q is below a directory .git, where nothing is written", shorten(name, maxEcho))
		}
	}
	return nil
}
