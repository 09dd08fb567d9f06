//go:build unix

package main

import (
	"os"
	"syscall"
)

const canAsk = true

// openTerminal opens the terminal once more: a read from this file can be ended, and one from standard input cannot.
func openTerminal() (*os.File, error) {
	return os.OpenFile("/dev/tty", os.O_RDWR|syscall.O_NONBLOCK, 0)
}

// discardTyped drops what has been typed and not been read.
func discardTyped(terminal *os.File) {
	conn, err := terminal.SyscallConn()
	if err != nil {
		return
	}
	var buffer [1024]byte
	_ = conn.Read(func(fd uintptr) bool {
		for {
			if n, err := syscall.Read(int(fd), buffer[:]); n <= 0 || err != nil {
				return true
			}
		}
	})
}
