//go:build unix

package builtin

import (
	"os"
	"syscall"
)

// The flags with which files and directories are opened. Another process may replace a file or a
// directory by a named pipe at any time. Without O_NONBLOCK, opening the pipe would wait for a
// writer.
const (
	openFile      = os.O_RDONLY | syscall.O_NONBLOCK
	openDirectory = os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_DIRECTORY
)
