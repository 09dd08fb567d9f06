package parser_test

import (
	"testing"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// levels are all levels of tolerance.
var levels = [...]scan.Tolerance{scan.Strict, scan.Safe, scan.Greedy}

var finishes = []protocol.FinishReason{protocol.FinishStop, protocol.FinishLength, protocol.FinishUnknown}

// parse reads a whole reply. It ends the test if the protocol fails.
func parse(t testing.TB, proto protocol.Protocol, input string, o parser.Options) parser.Reply {
	t.Helper()
	reply, err := parser.ParseToolRequests(proto, input, o)
	if err != nil {
		t.Fatalf("%v; input %q, options %+v", err, input, o)
	}
	return reply
}

// bothWays reads a reply whole and byte by byte.
func bothWays(t *testing.T, proto protocol.Protocol, text string, finish protocol.FinishReason) map[string]parser.Reply {
	t.Helper()
	whole := parse(t, proto, text, parser.Options{Finish: finish})
	p, err := parser.New(proto, parser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var events []parser.Event
	for i := range len(text) {
		events = p.Feed(events[:0], []byte(text[i:i+1]))
	}
	_, streamed := p.Close(events[:0], finish)
	return map[string]parser.Reply{"whole": whole, "byte by byte": streamed}
}
