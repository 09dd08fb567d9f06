package reference_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestDifferencesArePrinted prints up to 30 differences of each kind of input, each with a
// shortened input. It is run by hand: VCP_REFERENCE_PRINT is the number of inputs of each kind, and
// VCP_REFERENCE_SEED the seed from which they are drawn. VCP_REFERENCE_SUBJECT limits the test to
// the subject of that name, such as "hermes".
func TestDifferencesArePrinted(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("VCP_REFERENCE_PRINT"))
	if err != nil {
		t.Skip("VCP_REFERENCE_PRINT is not set")
	}
	seed, _ := strconv.ParseUint(os.Getenv("VCP_REFERENCE_SEED"), 10, 64)
	seen := map[string]bool{}
	for _, s := range subjects {
		if only := os.Getenv("VCP_REFERENCE_SUBJECT"); only != "" && only != s.name {
			continue
		}
		for _, k := range s.kinds {
			r := rand.New(rand.NewPCG(seed, 1))
			differ, shown := 0, 0
			for range n {
				pieces, o := k.draw(r), drawOptions(r)
				if s.difference(strings.Join(pieces, ""), o) == "" {
					continue
				}
				differ++
				if shown == 30 {
					continue
				}
				text := s.shrink(pieces, o)
				o = s.simplest(text, o)
				if seen[text] {
					continue
				}
				seen[text] = true
				shown++
				got, _ := s.parse(text, o)
				fmt.Printf("%s %s %q\n   shape %q\n   ref %s\n   got %s\n", k.name, brief(o), text, shape(text), show(s.read(text, o)), show(got))
			}
			fmt.Printf("#### %s %s: %d of %d differ\n", s.name, k.name, differ, n)
		}
	}
}
