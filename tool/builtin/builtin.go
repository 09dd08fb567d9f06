// Package builtin provides tools that are useful to any model: a clock, a calculator, the files and
// tables below one directory, web pages, and a shell.
//
// Agents may call all methods. Most methods change nothing. Methods that change files or use the
// network declare the risk tool.RiskWrite. The shell needs approval unless a rule names it, and it
// is hidden from models until the configuration enables it. The bytes that a call reads, keeps and
// returns are limited. A handler returns soon after its context has ended.
package builtin

import (
	"os"

	"github.com/vcpgo/vcp/tool"
)

// Options select the tools that All returns.
type Options struct {
	// Root is the directory of files, tables and commands; nil omits these tools. The caller keeps
	// it, and closes it when the tools are no longer used.
	Root *os.Root
	// ReadOnly omits the web tool, the shell tool and the methods that write files.
	ReadOnly bool
	// Protected returns files that the files tool does not change; nil protects none. See
	// WritableExcept.
	Protected func() []string
	// Table sets up the table tool.
	Table TableOptions
}

// All returns all tools of this package.
func All(o Options) ([]tool.Tool, error) {
	builds := []build{Clock, Calculator}
	if o.Root != nil {
		var options []FilesOption
		if !o.ReadOnly {
			options = append(options, WritableExcept(o.Protected))
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

// build returns a new tool.
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
