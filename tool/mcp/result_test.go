package mcp

import (
	"context"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// blobs returns a binary resource for each address.
func blobs(addresses ...string) (list []sdk.Content) {
	for _, uri := range addresses {
		list = append(list, &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: uri, Blob: []byte{}}})
	}
	return list
}

func TestFilesOfAResultHaveUniqueNames(t *testing.T) {
	b := builder{}
	require.NoError(t, each(t.Context(), blobs("a.txt", "a-3.txt", "a.txt", "a.txt", "a-3.txt", "a.txt"), b.content))
	var names []string
	for _, f := range b.files {
		names = append(names, f.Name)
	}
	assert.Equal(t, []string{"a.txt", "a-3.txt", "a-2.txt", "a-4.txt", "a-3-2.txt", "a-5.txt"}, names)
}

func TestFilesOfAResultAreLimited(t *testing.T) {
	b := builder{}
	require.NoError(t, each(t.Context(), blobs(make([]string, 20_000)...), b.content))
	b.media("image", "image/png", nil)
	out, err := b.output(nil, false)
	require.NoError(t, err)
	assert.Len(t, out.Files, maxFiles)
	assert.Equal(t, 20_001-maxFiles, b.dropped)
	assert.Len(t, b.parts, maxFiles+1)
	assert.Len(t, b.resources, maxFiles)
}

func TestACanceledCallReadsNoMoreOfItsResult(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := builder{}
	err := each(ctx, blobs("a", "b", "c"), func(c sdk.Content) { b.content(c); cancel() })
	require.ErrorIs(t, err, context.Canceled)
	assert.Len(t, b.files, 1)
}
