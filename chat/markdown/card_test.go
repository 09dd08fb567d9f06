package markdown

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnArgumentIsNotCopiedForEachPiece(t *testing.T) {
	copies := testing.AllocsPerRun(1, func() {
		var c card
		for range 10_000 {
			c.append("text", []byte("piece"))
		}
	})
	require.Less(t, copies, 100.0)
}
