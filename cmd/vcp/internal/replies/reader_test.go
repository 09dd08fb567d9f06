package replies

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
)

func TestAReplyIsReadInPiecesUpToALimit(t *testing.T) {
	var in endless
	var out strings.Builder
	r := Reader{protocol: vcp.Protocol{}}
	require.ErrorContains(t, r.readOne(&in, "tape", &out), "tape is longer than 64 MiB")
	require.Empty(t, out.String())
	require.LessOrEqual(t, in.read, maxReply+replyPiece)

	text := strings.Repeat("x", replyPiece-10) + // the marker begins in the first piece and ends in the second
		"<<<[TOOL_REQUEST]>>>tool_name:「始」clock_now「末」<<<[END_TOOL_REQUEST]>>>"
	r.options.Finish = protocol.FinishStop
	require.NoError(t, r.readOne(strings.NewReader(text), "tape", &out))
	require.Equal(t, "ready", outputOf(t, out.String()).Requests[0].Status)
}
