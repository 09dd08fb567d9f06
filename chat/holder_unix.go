//go:build unix

package chat

import (
	"errors"
	"syscall"
)

// processGone reports whether no process has that ID.
func processGone(pid int) bool { return pid > 0 && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }
