package model

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/memorytest"
	"github.com/vcpgo/vcp/protocol"
)

func TestUnracedMergingTakesMemoryInProportion(t *testing.T) {
	longtest.SkipIfRaced(t)
	text := strings.Repeat("x", 1000)
	message := protocol.Message{Role: protocol.RoleUser, Content: text, Images: []protocol.Image{{At: 1, URL: "http://h/i"}}}
	var messages []protocol.Message
	for range 1000 {
		messages = append(messages, message)
	}
	p := DefaultPreset()
	p.MergeAdjacent = true
	var merged []protocol.Message
	allocated := memorytest.Allocated(func() { merged = p.arrange(messages) })
	require.Less(t, allocated, 16<<20)
	require.Len(t, merged, 1)
	require.Equal(t, strings.Repeat(text+"\n\n", 999)+text, merged[0].Content)
	require.Len(t, merged[0].Images, 1000)
	require.Equal(t, 999*len(text+"\n\n")+1, merged[0].Images[999].At)
}
