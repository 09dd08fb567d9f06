//go:build race

package longtest

// Raced reports that the race detector is on.
const Raced = true
