//go:build unix

package document

import "syscall"

const nonblock = syscall.O_NONBLOCK
