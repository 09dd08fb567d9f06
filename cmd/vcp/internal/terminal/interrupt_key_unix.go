//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// makeCtrlCAKey makes Ctrl-C a character of the terminal instead of a signal.
func makeCtrlCAKey() {
	fd := int(os.Stdin.Fd())
	mode, err := unix.IoctlGetTermios(fd, readTermios)
	if err != nil {
		return // not a terminal
	}
	mode.Lflag &^= unix.ISIG
	_ = unix.IoctlSetTermios(fd, writeTermios, mode)
}
