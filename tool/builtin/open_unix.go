//go:build unix

package builtin

import (
	"os"
	"syscall"
)

// The flags with which files and directories are opened. Another process may put a pipe in place of
// either at any time, and opening a pipe would wait for a writer.
const (
	openFile      = os.O_RDONLY | syscall.O_NONBLOCK
	openDirectory = os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_DIRECTORY
)
