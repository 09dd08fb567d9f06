// Package requesttest writes requests for tests, as a model writes them.
package requesttest

import (
	"testing"

	"github.com/vcpgo/vcp/protocol"
)

// Text returns the text of one request for a method, as the protocol writes it. pairs are the names
// and values of the arguments: a name, its value, the next name, and so on. The value of the name
// "label" becomes the label of the request, not an argument.
func Text(t testing.TB, p protocol.Protocol, name string, pairs ...string) string {
	t.Helper()
	req := protocol.ToolRequest{ToolName: name}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i] == "label" {
			req.Label = pairs[i+1]
			continue
		}
		req.Arguments = append(req.Arguments, protocol.Argument{Name: pairs[i], Value: pairs[i+1]})
	}
	text, err := p.FormatToolRequests([]protocol.ToolRequest{req})
	if err != nil {
		t.Fatal(err)
	}
	return text
}
