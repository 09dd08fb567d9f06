package executor

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGrantsAreLimited(t *testing.T) {
	var c Conversation
	numbered := func(i int) grant { return grant{digest: Digest(strconv.Itoa(i))} }
	for i := range 2 * maxGrants {
		c.addGrant(numbered(i))
	}
	require.Len(t, c.grants, maxGrants)
	require.True(t, c.granted(numbered(0)))
	require.False(t, c.granted(numbered(2*maxGrants-1)), "further grants are not remembered")
}
