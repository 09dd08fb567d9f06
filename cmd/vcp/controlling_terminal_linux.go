package main

import "golang.org/x/sys/unix"

const (
	readTermios  = unix.TCGETS
	writeTermios = unix.TCSETS
)

// discardInput drops what the terminal holds that nobody has read, a line that is not complete too.
func discardInput(fd int) error { return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH) }
