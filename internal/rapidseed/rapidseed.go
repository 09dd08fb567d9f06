// Package rapidseed makes pgregory.net/rapid generate the same values in each run, so that only a
// change of the code can make a run fail. Tests of laws, which are properties that rapid checks
// with generated values, import it for that effect.
//
// rapid checks a property 100 times. With the race detector, which makes tests five to ten times as
// slow, it checks a property 25 times.
//
// To generate other values, set the seed: go test ./executor -rapid.seed=7. With -rapid.seed=0,
// each run generates other values. The flag -rapid.checks sets how often a property is checked.
package rapidseed

import (
	"flag"

	_ "pgregory.net/rapid" // defines the flags

	"github.com/vcpgo/vcp/internal/longtest"
)

func init() {
	set("rapid.seed", "1")
	if longtest.Raced {
		set("rapid.checks", "25")
	}
}

func set(name, value string) {
	if err := flag.Set(name, value); err != nil {
		panic(err) // rapid has renamed its flag
	}
}
