package protocol_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/qwencoder"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// The tests of a protocol start no goroutines, so they run without the race detector. This test
// runs with it.
func TestProtocolsAreSafeForConcurrentUse(t *testing.T) {
	for _, p := range []protocol.Protocol{vcp.Protocol{}, hermes.Protocol{}, qwencoder.Protocol{}} {
		t.Run(p.ID(), func(t *testing.T) {
			want := readAndWrite(t, p)
			var group sync.WaitGroup
			for range 8 {
				group.Go(func() {
					for range 10 {
						if got := readAndWrite(t, p); got != want {
							t.Errorf("concurrent use gives\n%s\nand use by one goroutine\n%s", got, want)
						}
					}
				})
			}
			group.Wait()
		})
	}
}

// readAndWrite writes, neutralizes and reads texts, and returns all of them.
func readAndWrite(t *testing.T, p protocol.Protocol) string {
	requests := []protocol.ToolRequest{{
		ToolName: "files_write", Arguments: []protocol.Argument{{Name: "path", Value: "a.txt"}},
	}}
	text, err := p.FormatToolRequests(requests)
	if err != nil {
		t.Error(err)
	}
	results := []protocol.ToolResult{{
		ResultID: "1", ToolName: "files_write", Status: protocol.StatusSuccess, Result: text,
	}}
	definitions := []protocol.ToolDefinition{{
		ToolName: "files_write", Parameters: []protocol.Parameter{{Name: "path", Type: "string"}}, Examples: requests,
	}}
	written := p.FormatToolResults(results) + p.Neutralize(text) +
		p.GenerateToolDefinitions(definitions, protocol.PromptOptions{})

	reader, err := parser.New(p, parser.Options{})
	if err != nil {
		t.Error(err)
	}
	for i := range text {
		reader.Feed(nil, []byte(text[i:i+1]))
	}
	_, reply := reader.Close(nil, protocol.FinishStop)
	return fmt.Sprintf("%s %s", reply.AppendJSON(nil), written)
}
