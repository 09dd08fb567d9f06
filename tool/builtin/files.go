package builtin

import (
	"errors"
	"os"

	"github.com/vcpgo/vcp/tool"
)

// Files returns the tool that lists, reads and searches the files below root. Neither a path nor a
// symbolic link can reach anything outside of it. A link that a request names is followed if its
// target is relative and stays below root. root stays the caller's.
func Files(root *os.Root) (tool.Tool, error) {
	if root == nil {
		return tool.Tool{}, errors.New("builtin: the files tool needs a root directory")
	}
	f := files{root}
	var methods []tool.Method
	for _, build := range []func() (tool.Method, error){f.listMethod, f.readMethod, f.searchMethod} {
		m, err := build()
		if err != nil {
			return tool.Tool{}, err
		}
		methods = append(methods, m)
	}
	return newTool("files", "Files", "Lists, reads and searches files.", methods...), nil
}
