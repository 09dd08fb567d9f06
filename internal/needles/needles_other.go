//go:build !amd64

package needles

// Elsewhere the loop over the bytes does all.
const (
	minVector = 33
	useVector = false
)

func indexBoth(*byte, int, *[2*maxPairs + maxSingles]byte) int { panic("needles: no vector unit") }

func indexPairs(*byte, int, *pairTables) int { panic("needles: no vector unit") }

func indexSingles(*byte, int, *[maxSingles]byte) int { panic("needles: no vector unit") }

func listSingles(*byte, int, *[maxSingles]byte, *uint16, int) (count, read int) {
	panic("needles: no vector unit")
}
