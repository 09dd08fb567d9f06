//go:build unix

package script

import (
	"runtime/debug"
	"syscall"
	"time"
)

// limitProcess sets the operating system's limits for this process. They hold even if a script
// evades the limits of the interpreter. They are higher than the interpreter's, because the process
// needs memory and time of its own, too.
func limitProcess(l Limits) {
	debug.SetMemoryLimit(int64(l.MemoryBytes) * 2)
	seconds := uint64(max(time.Minute, 4*l.Compute) / time.Second)
	set := func(resource int, limit uint64) {
		// If the system refuses, the limits of the interpreter still hold.
		_ = syscall.Setrlimit(resource, &syscall.Rlimit{Cur: limit, Max: limit})
	}
	set(syscall.RLIMIT_CPU, seconds)
	set(syscall.RLIMIT_FSIZE, 0)
	set(syscall.RLIMIT_CORE, 0)
	set(syscall.RLIMIT_DATA, uint64(l.MemoryBytes)*4+512<<20)
}
