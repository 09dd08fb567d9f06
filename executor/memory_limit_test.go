package executor

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAMemoryHoldsSoManyGrants(t *testing.T) {
	var m Memory
	numbered := func(i int) (g grant) {
		binary.BigEndian.PutUint32(g.digest[:], uint32(i))
		return g
	}
	for i := range 2 * maxGrants {
		m.allow(numbered(i))
	}
	require.Len(t, m.grants, maxGrants)
	require.True(t, m.granted(numbered(0)))
	require.False(t, m.granted(numbered(2*maxGrants-1)), "what is not remembered is asked for")
}
