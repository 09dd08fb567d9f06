// Package longtest decides how much of a long test suite runs: a sample, or all of it if the
// environment variable VCP_TEST_LONG is set.
//
// A sample is the same on each run and on each machine. "make test" runs samples; "make test-long"
// runs everything.
package longtest

import (
	"math/rand/v2"
	"os"
	"testing"
)

// Env is the environment variable that makes long suites run whole if its value is not empty.
const Env = "VCP_TEST_LONG"

// Enabled reports whether long suites run whole.
//
// Call it from a test, not from an initializer of a package. The go command caches results by the
// variables that tests read. It does not see variables that are read before the tests start.
func Enabled() bool { return os.Getenv(Env) != "" }

// Count returns how many cases a test with generated cases runs: all if long suites run whole, and
// otherwise sample.
func Count(sample, all int) int {
	if Enabled() {
		return all
	}
	return sample
}

// Sample returns list itself if long suites run whole or if it has no more than n elements.
// Otherwise it divides list into n parts of about equal length, and returns one element of each, in
// their order.
func Sample[T any](n int, list []T) []T {
	if Enabled() || len(list) <= n {
		return list
	}
	rnd := rand.New(rand.NewPCG(uint64(n), uint64(len(list))))
	sample := make([]T, 0, n)
	for i := range n {
		from, to := i*len(list)/n, (i+1)*len(list)/n
		sample = append(sample, list[from+rnd.IntN(to-from)])
	}
	return sample
}

// nearEdge is the largest distance from an edge at which Offsets returns each offset.
const nearEdge = 4

// Offsets returns the offsets at which a test splits an input of size bytes, in ascending order. If
// long suites run whole, it returns all offsets. Otherwise it returns a sample of n offsets, and
// each offset that is at most 4 bytes from an edge. Edges are the offsets at which the expected
// result of the test changes.
func Offsets(n, size int, edges ...int) []int {
	all := make([]int, size)
	for i := range all {
		all[i] = i
	}
	if Enabled() {
		return all
	}
	isTaken := make([]bool, size)
	for _, at := range Sample(n, all) {
		isTaken[at] = true
	}
	for _, e := range edges {
		for at := max(0, e-nearEdge); at <= min(size-1, e+nearEdge); at++ {
			isTaken[at] = true
		}
	}
	var offsets []int
	for at := range size {
		if isTaken[at] {
			offsets = append(offsets, at)
		}
	}
	return offsets
}

// SkipIfRaced skips a test if the race detector is enabled. It is for tests that count work or
// memory, and for slow tests of a single goroutine: under the detector they would take five to ten
// times as long and find nothing. Their names begin with TestUnraced: scripts/test.sh runs such
// tests once more, without the detector.
func SkipIfRaced(tb testing.TB) {
	tb.Helper()
	if Raced {
		tb.Skip("this test does not need the race detector; scripts/test.sh runs it without")
	}
}
