// Package memorytest counts the memory that a function allocates, so that each run counts the same.
package memorytest

import (
	"runtime"
	"runtime/debug"
)

// Allocated runs f and returns how many bytes the process allocates meanwhile, including those that
// are freed again. The count hardly depends on the load of the machine: f starts with each
// sync.Pool empty, no garbage collection empties the pools while f runs, and with GOMAXPROCS=1 all
// goroutines share one part of each pool. It is for tests that do not run in parallel.
func Allocated(f func()) int {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for range 2 { // the first collection only moves the content of a sync.Pool to its victim cache
		runtime.GC()
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}
