// Package work counts the bytes that the readers of a reply examine. So tests can check that
// reading takes time in proportion to the reply. Code that holds back a part of a stream and
// examines that part again counts it each time.
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
