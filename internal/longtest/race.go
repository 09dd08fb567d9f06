//go:build race

package longtest

// RaceEnabled reports whether the race detector is on.
const RaceEnabled = true
