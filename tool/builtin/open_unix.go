//go:build unix

package builtin

import (
	"os"
	"syscall"
)

// The flags with which files and directories are opened. Another process may put a pipe in the place of either at any time, and to
// open a pipe would be to wait for whoever writes to it.
const (
	openFile      = os.O_RDONLY | syscall.O_NONBLOCK
	openDirectory = os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_DIRECTORY
)
