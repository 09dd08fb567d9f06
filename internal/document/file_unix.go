//go:build unix

package document

import "syscall"

// nonblock is a flag for os.OpenFile: opening a named pipe does not wait.
const nonblock = syscall.O_NONBLOCK
