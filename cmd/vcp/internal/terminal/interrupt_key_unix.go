//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// disableInterrupt makes the terminal deliver Ctrl-C as a character, instead of as a signal that
// interrupts the program.
func disableInterrupt() {
	fd := int(os.Stdin.Fd())
	mode, err := unix.IoctlGetTermios(fd, readTermios)
	if err != nil {
		return // not a terminal
	}
	mode.Lflag &^= unix.ISIG
	_ = unix.IoctlSetTermios(fd, writeTermios, mode)
}
