//go:build !amd64 || purego

package needles

const useVector = false

func indexVector(*byte, int, *tables) int { panic("needles: no vector unit") }
