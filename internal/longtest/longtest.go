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

// Count returns how often a generated suite draws: all if long suites run whole, else sample.
func Count(sample, all int) int {
	if Enabled() {
		return all
	}
	return sample
}

// Sample returns list itself if long suites run whole or if it has no more than n elements.
// Otherwise it returns n of its elements in their order, one from each of n equal stretches. So the
// sample covers the list from end to end.
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

// edgeDistance is how many bytes before and after an edge Offsets includes.
const edgeDistance = 4

// Offsets returns the offsets at which a test splits an input of size bytes, in order. If long
// suites run whole, these are all offsets. Otherwise it returns a sample of n offsets, and all
// offsets that are at most 4 bytes from one of edges. An edge is an offset at which the expected
// result changes.
func Offsets(n, size int, edges ...int) []int {
	all := make([]int, size)
	for i := range all {
		all[i] = i
	}
	if Enabled() {
		return all
	}
	take := make([]bool, size)
	for _, at := range Sample(n, all) {
		take[at] = true
	}
	for _, e := range edges {
		for at := max(0, e-edgeDistance); at <= min(size-1, e+edgeDistance); at++ {
			take[at] = true
		}
	}
	var offsets []int
	for at := range size {
		if take[at] {
			offsets = append(offsets, at)
		}
	}
	return offsets
}

// SkipUnderRace skips a test if the race detector is on. It is for tests that count work or memory,
// and for slow tests of a single goroutine: under the detector they would take ten times as long
// and find nothing. Their names begin with TestUnraced, so that scripts/test.sh runs them without
// the detector, too.
func SkipUnderRace(tb testing.TB) {
	tb.Helper()
	if RaceEnabled {
		tb.Skip("this test does not need the race detector; scripts/test.sh runs it without")
	}
}
