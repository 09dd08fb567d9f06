// Package builtin provides tools that are useful to any model, and safe by construction: a clock, a
// calculator, the files and tables below one directory, web pages, and a shell.
//
// Agents may call all methods. Most methods change nothing. Those that change files or use the
// network have a risk that needs approval unless the policy allows it. The shell always needs
// approval, and models do not see it unless a toggle names it. The bytes that a call reads, keeps
// and returns are limited, and a handler ends soon after its context.
package builtin

import (
	"os"

	"github.com/vcpgo/vcp/tool"
)

// Options say what All may reach.
type Options struct {
	// Root is the directory of files, tables and commands; nil omits these tools. The caller keeps
	// it, and closes it when the tools are no longer used.
	Root *os.Root
	// ReadOnly omits the methods that write files, the web and the shell.
	ReadOnly bool
	// Table sets up the table tool.
	Table TableOptions
}

// All returns all tools of this package.
func All(o Options) ([]tool.Tool, error) {
	builds := []build{Clock, Calculator}
	if o.Root != nil {
		var options []FilesOption
		if !o.ReadOnly {
			options = append(options, Writable())
		}
		builds = append(builds,
			func() (tool.Tool, error) { return Files(o.Root, options...) },
			func() (tool.Tool, error) { return Table(o.Root, o.Table) })
	}
	if !o.ReadOnly {
		builds = append(builds, Fetch)
		if o.Root != nil {
			builds = append(builds, func() (tool.Tool, error) { return Shell(o.Root) })
		}
	}
	return buildAll(builds)
}

// Tools returns the smallest useful set: the clock, the calculator, and a files tool that only
// reads files, and only below root. The caller keeps root, and closes it when the tools are no
// longer used. If root is nil, the files tool is omitted.
func Tools(root *os.Root) ([]tool.Tool, error) {
	builds := []build{Clock, Calculator}
	if root != nil {
		builds = append(builds, func() (tool.Tool, error) { return Files(root) })
	}
	return buildAll(builds)
}

// build makes a tool.
type build func() (tool.Tool, error)

func buildAll(builds []build) ([]tool.Tool, error) {
	tools := make([]tool.Tool, len(builds))
	for i, build := range builds {
		var err error
		if tools[i], err = build(); err != nil {
			return nil, err
		}
	}
	return tools, nil
}
