package engine_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// native is a script that calls tools by its API. If err is set, Native fails.
type native struct {
	script
	err error
}

func (m *native) Native(context.Context) (bool, error) { return m.err == nil, m.err }

var _ engine.NativeModel = (*native)(nil)

func call(id, name, arguments string) protocol.ToolCall {
	return protocol.ToolCall{ID: id, Name: name, Arguments: arguments}
}

// calling returns a complete reply with text and native calls. The calls arrive in parts, one call
// after the other.
func calling(text string, calls ...protocol.ToolCall) reply {
	r := unfinished(text)
	for i, c := range calls {
		r.deltas = append(r.deltas, engine.Delta{CallPart: &engine.CallPart{Index: i, Name: c.Name}},
			engine.Delta{CallPart: &engine.CallPart{Index: i, Arguments: c.Arguments}})
	}
	for _, c := range calls {
		r.deltas = append(r.deltas, engine.Delta{Call: &c})
	}
	r.deltas = append(r.deltas, engine.Delta{Finished: true, Finish: protocol.FinishStop})
	return r
}

func toolMessage(id, content string) protocol.Message {
	return protocol.Message{Role: protocol.RoleTool, ToolCallID: id, Content: content}
}

func requireMessages(t *testing.T, want, got []protocol.Message) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}

// parse reads the requests in a text.
func parse(text string) ([]protocol.ToolRequest, error) {
	reply, err := parser.ParseToolRequests(vcp.Protocol{}, text, parser.Options{Finish: protocol.FinishStop})
	var list []protocol.ToolRequest
	for _, q := range reply.Ready() {
		list = append(list, q.ToolRequest)
	}
	return list, err
}
