package builtin

import (
	"context"
	"errors"
	"unicode/utf8"

	"github.com/vcpgo/vcp/tool"
)

// All methods that change files use writeResource, so that no two of their calls run at the same
// time; see tool.Resource.
const writeResource = "builtin files: write"

type writeInput struct {
	Path    string `json:"path" jsonschema:"the file to write, relative to the root directory, such as notes/todo.md; missing directories are made"`
	Content string `json:"content" jsonschema:"the whole new content of the file"`
}

func (f files) writeMethod() (tool.Method, error) {
	return tool.New("write",
		"Writes a text file: makes a new file, or replaces the whole content of one. To change a part of a file use files_edit.",
		f.write, tool.AgentCallable(), tool.WithRisk(tool.RiskWrite), tool.Title("Write file"),
		tool.Uses(writeResource),
		tool.WithPreview(f.previewWrite),
		tool.Example(map[string]any{"path": "notes/todo.md", "content": "- buy milk\n"}))
}

func (f files) write(ctx context.Context, in writeInput) (tool.Output, error) {
	c, err := f.planWrite(ctx, in)
	if err != nil {
		return tool.Output{}, err
	}
	return f.apply(ctx, c)
}

func (f files) previewWrite(ctx context.Context, in writeInput) (string, error) {
	return preview(f.planWrite(ctx, in))
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
	c, err := f.plan(ctx, name)
	if err != nil {
		return nil, err
	}
	if c.old != nil && c.old.text == in.Content {
		return nil, errorf("%q has this content already; there is nothing to change", shorten(name, maxEcho))
	}
	c.content = in.Content
	size := plural(len(c.content), "%d byte")
	if c.done = sentence("Replaced %s: it has %v now.", displayPath(name), size); c.old == nil {
		c.done = sentence("Made %s: it has %v now.", displayPath(name), size)
	}
	return c, nil
}

// plan returns a change of a file, without its new content. The file need not exist.
func (f files) plan(ctx context.Context, name string) (*change, error) {
	d, err := f.openDestination(name, false)
	if err != nil {
		return nil, err
	}
	defer d.close()
	old, err := d.content(ctx)
	if _, missing := errors.AsType[*missingError](err); err != nil && !missing {
		return nil, err
	}
	return &change{name: name, way: d.way, old: old}, nil
}
