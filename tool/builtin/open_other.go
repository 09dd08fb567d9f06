//go:build !unix

package builtin

import "os"

// The flags with which files and directories are opened. No pipe stands among the files of these systems.
const (
	openFile      = os.O_RDONLY
	openDirectory = os.O_RDONLY
)
