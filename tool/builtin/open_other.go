//go:build !unix

package builtin

import "os"

// The flags with which files and directories are opened. On these systems a directory contains no
// named pipes, so opening a path never waits.
const (
	openFile      = os.O_RDONLY
	openDirectory = os.O_RDONLY
)
