package eval

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"sync"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin"
)

// sandbox is the directory of one try at a task, and the tools of the task, which cannot access
// files outside the directory.
type sandbox struct {
	dir      string
	root     *os.Root
	registry *tool.Registry

	mutex sync.Mutex
	ran   []Call
}

// newSandbox creates the directory and the tools of a task, and adds the extra tools. The caller
// closes the sandbox.
func (t *Task) newSandbox(extra []tool.Tool) (*sandbox, error) {
	dir, err := os.MkdirTemp("", "vcp-eval-")
	if err != nil {
		return nil, err
	}
	box := &sandbox{dir: dir, registry: tool.NewRegistry()}
	if box.root, err = os.OpenRoot(dir); err == nil {
		err = errors.Join(t.writeFiles(box), t.registerTools(box), box.registry.Register(extra...))
	}
	if err != nil {
		box.close()
		return nil, err
	}
	return box, nil
}

func (b *sandbox) close() {
	if b.root != nil {
		_ = b.root.Close() // no file in it is open
	}
	_ = os.RemoveAll(b.dir) // newSandbox made it below the directory for temporary files
}

// record is a tool.Middleware that records each call that runs.
func (b *sandbox) record(next tool.Handler) tool.Handler {
	return func(ctx context.Context, call *tool.Call) (tool.Output, error) {
		b.mutex.Lock()
		b.ran = append(b.ran, Call{Method: call.Method, Arguments: call.Arguments})
		b.mutex.Unlock()
		return next(ctx, call)
	}
}

// calls returns the calls so far.
func (b *sandbox) calls() []Call {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return slices.Clone(b.ran)
}

// write writes a file, and creates its parent directories.
func (b *sandbox) write(name, content string) error {
	if dir := path.Dir(name); dir != "." {
		if err := b.root.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	return b.root.WriteFile(name, []byte(content), 0o600)
}

// read returns the content of a file; ok is false if the file does not exist.
func (b *sandbox) read(name string) (content string, ok bool, err error) {
	data, err := b.root.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	return string(data), err == nil, err
}

func (t *Task) writeFiles(box *sandbox) error {
	for name, content := range t.Files {
		if err := box.write(name, content); err != nil {
			return err
		}
	}
	for _, log := range t.Logs {
		text, err := log.text(nil)
		if err != nil {
			return err
		}
		if err := box.write(log.Path, text); err != nil {
			return err
		}
	}
	return nil
}

// builtinTools are the tools of package builtin that a task may name.
var builtinTools = map[string]func(*sandbox) (tool.Tool, error){
	"files":      func(box *sandbox) (tool.Tool, error) { return builtin.Files(box.root) },
	"calculator": func(*sandbox) (tool.Tool, error) { return builtin.Calculator() },
	"clock":      func(*sandbox) (tool.Tool, error) { return builtin.Clock() },
}

func (t *Task) registerTools(box *sandbox) error {
	var scripted []tool.Method
	for _, name := range t.Tools {
		if newTool := builtinTools[name]; newTool != nil {
			own, err := newTool(box)
			if err != nil {
				return err
			}
			if err := box.registry.Register(own); err != nil {
				return err
			}
			continue
		}
		handler, err := newScript(t.suite.Tools[name].Results, box.write)
		if err != nil {
			return err
		}
		method := t.suite.Tools[name].method
		method.Handler = handler.run
		scripted = append(scripted, method)
	}
	if len(scripted) == 0 {
		return nil
	}
	return box.registry.Register(tool.Tool{ID: "scripted", Methods: scripted})
}

// A Call is a call that ran, with the arguments that its handler got.
type Call struct {
	Method    *tool.Entry
	Arguments json.RawMessage
}
