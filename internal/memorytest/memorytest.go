// Package memorytest measures the memory that a function allocates, with almost the same result in
// each run.
package memorytest

import (
	"runtime"
	"runtime/debug"
)

// Allocated runs f and returns how many bytes the process allocates meanwhile, including those that
// are freed again. The result hardly depends on the load of the machine. Each sync.Pool is empty at
// first. While f runs, there is no garbage collection, which would empty the pools, and one
// processor runs all goroutines, so that they share the pools. It is for tests that do not run in
// parallel.
func Allocated(f func()) int {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for range 2 { // a sync.Pool keeps its objects during the first collection, and drops them in the second
		runtime.GC()
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var atStart, atEnd runtime.MemStats
	runtime.ReadMemStats(&atStart)
	f()
	runtime.ReadMemStats(&atEnd)
	return int(atEnd.TotalAlloc - atStart.TotalAlloc)
}
