// Package work counts the bytes that code examines, for example when it reads a reply. So tests can
// check that the time to read a reply is proportional to its length. Code that examines a byte
// again counts it again.
package work

import "sync/atomic"

// counter is nil unless Count runs.
var counter atomic.Pointer[atomic.Int64]

// Add counts n examined bytes. Outside of Count it does nothing. It is safe for concurrent use.
func Add(n int) {
	if c := counter.Load(); c != nil {
		c.Add(int64(n))
	}
}

// Count runs f and returns how many bytes were counted meanwhile, on any goroutine. It is for tests
// that do not run in parallel.
func Count(f func()) int {
	c := &atomic.Int64{}
	counter.Store(c)
	defer counter.Store(nil)
	f()
	return int(c.Load())
}
