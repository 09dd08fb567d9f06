//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package main

import "golang.org/x/sys/unix"

const (
	readTermios  = unix.TIOCGETA
	writeTermios = unix.TIOCSETA
)

// discardInput drops what the terminal holds that nobody has read, a line that is not complete too.
func discardInput(fd int) error {
	const read = 1 // FREAD of <sys/fcntl.h>
	return unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, read)
}
