// Package rapidseed makes laws of package rapid draw the same values in each run, so that only a
// change of the code can make a run fail. Tests import it for that effect.
//
// A law is drawn 100 times, and 25 times under the race detector, which makes it ten times as slow.
//
// To draw other values, give the seed: go test ./executor -rapid.seed=7. With -rapid.seed=0, each
// run draws other values. The flag -rapid.checks sets how often a law is drawn.
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
