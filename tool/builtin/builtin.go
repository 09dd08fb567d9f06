// Package builtin provides tools that are useful to any model: a clock, a calculator, and read
// access to the files below one directory. Agents may call all methods. No method changes anything.
package builtin

import (
	"os"

	"github.com/vcpgo/vcp/tool"
)

// Tools returns all tools of this package. The files tool reads only below root. The caller keeps
// root, and closes it when the tools are no longer used. If root is nil, the files tool is omitted.
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
