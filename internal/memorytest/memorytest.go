// Package memorytest counts the memory that a function allocates, in the same way at each run.
package memorytest

import (
	"runtime"
	"runtime/debug"
)

// Allocated runs f and returns how many bytes the process allocates meanwhile, including those that
// are freed again. The count hardly depends on the load of the machine, because f starts with empty
// pools, and nothing empties or divides them while it runs: there is no garbage collection, and one
// processor runs all goroutines. It is for tests that do not run in parallel.
func Allocated(f func()) int {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for range 2 { // the first collection only moves what a pool holds to its reserve
		runtime.GC()
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}
