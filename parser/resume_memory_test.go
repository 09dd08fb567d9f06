package parser_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// The reply of Close owns its memory, even if the parser continues the truncated reply.
func TestATruncatedReplyStaysAsItWasWhenItIsContinued(t *testing.T) {
	const field = "tool_name:「始」a_b「末」,\n"
	request := startMarker + "\n" + field + "x:「始」" + strings.Repeat("long ", 1000) + "「末」\n" + endMarker + "\nNext.\n"
	requests := strings.Repeat(request, 5)
	p, err := parser.New(vcp.Protocol{}, parser.Options{})
	require.NoError(t, err)
	text := requests + startMarker + "\n" + field + "truncated"
	for len(text) > 0 {
		n := min(1000, len(text))
		p.Feed(nil, []byte(text[:n]))
		text = text[n:]
	}
	_, truncated := p.Close(nil, protocol.FinishLength)
	want := strings.Clone(truncated.Text.String())
	_, ok := p.Resume(nil)
	require.True(t, ok)
	p.Feed(nil, []byte(endMarker+"\nOther words follow.\n"))
	_, whole := p.Close(nil, protocol.FinishStop)
	require.Equal(t, strings.Repeat("\nNext.\n", 5)+"\nOther words follow.\n", whole.Text.String())
	require.Equal(t, want, truncated.Text.String())
}
