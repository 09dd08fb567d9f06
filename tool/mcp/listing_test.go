package mcp

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestACopyIsTheBeginningOfTheResponse(t *testing.T) {
	var whole []byte
	s := &stream{}
	for i, size := range []int{100, maxMessage - 50, 10, maxMessage, 1} {
		chunk := bytes.Repeat([]byte{byte('a' + i)}, size)
		whole = append(whole, chunk...)
		n, err := s.Write(chunk)
		require.NoError(t, err)
		require.Equal(t, size, n)
		require.LessOrEqual(t, len(s.body), maxMessage)
		require.True(t, bytes.HasPrefix(whole, s.body), "after chunk %d", i)
	}
}
