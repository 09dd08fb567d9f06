// Package rapidseed makes laws of package rapid draw the same values in each run, so that only a
// change of the code can make a run fail. Tests import it for that effect.
//
// To draw other values, give the seed: go test ./executor -rapid.seed=7. With -rapid.seed=0, each
// run draws others.
package rapidseed

import (
	"flag"

	_ "pgregory.net/rapid" // defines the flag
)

func init() {
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err) // rapid has renamed its flag
	}
}
