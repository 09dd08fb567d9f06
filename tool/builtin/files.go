package builtin

import (
	"errors"
	"os"

	"github.com/vcpgo/vcp/tool"
)

// A FilesOption adds methods to the files tool. A tool takes at most one.
type FilesOption func(*files)

// Writable adds the methods that write and edit text files of up to 4 MiB. They replace a file
// atomically, keep its permissions, create missing directories, and write neither through a
// symbolic link nor below a directory .git.
func Writable() FilesOption { return WritableExcept(nil) }

// WritableExcept is like Writable, but no method changes the files and directories that protected
// returns, nor what is below such a directory. The files need not exist. A relative path begins at
// the working directory of this process. protected is called for each change, and must be safe for
// concurrent use.
//
// Protect the files that decide what a program runs, such as those of tool.Sources.Files.
// Otherwise a model that may write files can also run any program.
func WritableExcept(protected func() []string) FilesOption {
	return func(f *files) { f.writable, f.protected = true, protected }
}

// Files returns the tool that lists, reads and searches the files below root. Neither a path nor a
// symbolic link can reach anything outside of it. A link that a request names is followed if its
// target is relative and stays below root. The caller keeps root, and closes it when the tool is no
// longer used.
//
// Without Writable or WritableExcept, no method changes anything.
func Files(root *os.Root, options ...FilesOption) (tool.Tool, error) {
	if root == nil {
		return tool.Tool{}, errors.New("builtin: the files tool needs a root directory")
	}
	f := files{root: root}
	if len(options) > 1 { // one would replace the protected files of the other
		return tool.Tool{}, errors.New("builtin: the files tool takes one of Writable and WritableExcept, not both")
	}
	for _, o := range options {
		o(&f)
	}
	methods := []func() (tool.Method, error){f.listMethod, f.readMethod, f.searchMethod}
	if f.writable {
		methods = append(methods, f.writeMethod, f.editMethod)
	}
	return newTool("files", "Files", "Lists, reads and searches files.", methods...)
}
