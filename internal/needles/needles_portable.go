//go:build !amd64 || purego

package needles

// HasVector reports that searches use the vector unit.
const HasVector = false

func indexVector(*byte, int, *tables) int { panic("needles: no vector unit") }
