//go:build unix

package chat

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// processGone reports whether no process with that ID runs. A zombie does not run: it has ended,
// but its parent has not asked for its status.
func processGone(pid int) bool {
	// Kill takes other numbers for groups of processes.
	return pid > 0 && (errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || isZombie(pid))
}

// isZombie reports whether a process is a zombie without other threads, which might still run. It
// returns false if that is unknown, as on systems without Linux's /proc.
func isZombie(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	// proc_pid_stat(5): the name, which may contain spaces and parentheses, is the second field,
	// the state the third, and the number of threads the twentieth.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	return len(fields) > 17 && fields[0] == "Z" && fields[17] == "1"
}
