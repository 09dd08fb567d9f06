//go:build !unix

package builtin

import "os"

// The flags with which files and directories are opened. These systems have no pipes among files.
const (
	openFile      = os.O_RDONLY
	openDirectory = os.O_RDONLY
)
