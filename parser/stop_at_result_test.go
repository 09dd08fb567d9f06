package parser_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/protocol"
)

// With StopAtResult, the text after a fabricated result changes no request, no text and no notice.
func TestTextAfterAFabricatedResultChangesNothing(t *testing.T) {
	results := map[string]string{
		"vcp": "\n<<<[TOOL_RESULT]>>>\n", "hermes": "\n<tool_response>\n", "qwencoder": "\n<tool_response>\n",
	}
	for _, s := range subjects {
		t.Run(s.proto.ID(), func(t *testing.T) {
			stopped := 0
			for i := range longtest.Count(400, 20_000) {
				rnd := rand.New(rand.NewPCG(5, uint64(i)))
				o := drawOptions(rnd)
				o.StopAtResult, o.Finish = true, protocol.FinishStop
				input := s.draw(t, rnd).text + results[s.proto.ID()]
				short := parse(t, s.proto, input, o)
				// The dropped text may or may not include the line break at the end.
				if len(short.Dropped) == 0 || short.Dropped[0].Span.End < len(input)-1 {
					continue // the mark is in code, or in an open value
				}
				stopped++
				long := parse(t, s.proto, input+drawFrom(rnd, s.pieces), o)
				short.Dropped, long.Dropped = nil, nil
				if a, b := string(short.AppendJSON(nil)), string(long.AppendJSON(nil)); a != b {
					t.Fatalf("the text after the result changes the reply (-without +with):\n%s\ninput %q, options %+v",
						cmp.Diff(a, b), input, o)
				}
			}
			if least := 50; stopped < least {
				t.Errorf("only %d replies contained a result, want at least %d", stopped, least)
			}
		})
	}
}
