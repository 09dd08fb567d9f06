// Package rapidseed makes the properties of pgregory.net/rapid draw the same values in each run, so
// that only a change of the code can make a run fail. Tests import it for that effect.
//
// A property is checked with 100 draws. Under the race detector, which is ten times as slow, it is
// checked with 25.
//
// To draw other values, give the seed: go test ./executor -rapid.seed=7. With -rapid.seed=0, each
// run draws other values. The flag -rapid.checks sets the number of draws.
package rapidseed

import (
	"flag"

	_ "pgregory.net/rapid" // defines the flags

	"github.com/vcpgo/vcp/internal/longtest"
)

func init() {
	set("rapid.seed", "1")
	if longtest.RaceEnabled {
		set("rapid.checks", "25")
	}
}

func set(name, value string) {
	if err := flag.Set(name, value); err != nil {
		panic(err) // rapid has renamed its flag
	}
}
