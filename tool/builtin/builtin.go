// Package builtin has a small set of tools that are useful to any model and safe by construction.
// They are a clock, a calculator, and read access to the files below one directory. Agents may call
// all methods; none changes anything.
package builtin

import (
	"os"

	"github.com/vcpgo/vcp/tool"
)

// Tools returns all tools of this package. The files tool reads below root and nowhere else. root
// stays the caller's, who closes it when no tool is in use any more. If root is nil, the files tool
// is left out.
func Tools(root *os.Root) ([]tool.Tool, error) {
	clock, err := Clock()
	if err != nil {
		return nil, err
	}
	calculator, err := Calculator()
	if err != nil {
		return nil, err
	}
	tools := []tool.Tool{clock, calculator}
	if root == nil {
		return tools, nil
	}
	files, err := Files(root)
	if err != nil {
		return nil, err
	}
	return append(tools, files), nil
}
