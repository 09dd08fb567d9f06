package parser_test

import (
	"testing"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// A list item that begins with a mark counts as a list item, also after a paragraph, so requests in
// its fenced code are quoted.
func TestAListItemMayBeginWithAMark(t *testing.T) {
	text := "words\n- " + endMarker + "\n    ```\n    " + requestOf("a_b") + "\n    ```\n"
	for how, reply := range bothWays(t, vcp.Protocol{}, text, protocol.FinishStop) {
		if len(reply.Requests) != 1 || reply.Requests[0].Status != parser.StatusQuoted {
			t.Errorf("%s: %+v, want one quoted request", how, reply.Requests)
		}
	}
}
