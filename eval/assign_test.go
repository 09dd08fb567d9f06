package eval_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/eval"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/memorytest"
	"github.com/vcpgo/vcp/protocol/hermes"
)

// TestUnracedMemoryForMatchingCallsIsLimited judges equal calls. Each fits the second half of the
// expectations, which is too short for all, so that finding calls for it examines many assignments.
func TestUnracedMemoryForMatchingCallsIsLimited(t *testing.T) {
	longtest.SkipIfRaced(t)
	allocated := func(n int) int {
		reply := strings.Repeat(`<tool_call>\n{\"name\": \"n_take\", \"arguments\": {\"n\": 1}}\n</tool_call>\n`, n)
		half := n / 2
		expect := strings.Repeat(`{"name":"n_take","arguments":{"n":2}},`, half) +
			strings.Repeat(`{"name":"n_take","arguments":{"n":1}},`, half)
		line := fmt.Sprintf(`{"reply":"%s","expect":[%s],"tools":[{"name":"n_take","inputSchema":
			{"type":"object","properties":{"n":{"type":"integer"}}}}]}`, reply, strings.TrimSuffix(expect, ","))
		var c eval.Case
		for read, err := range eval.ReadCases(strings.NewReader(strings.ReplaceAll(line, "\n", "")), "f") {
			if err != nil {
				t.Fatal(err)
			}
			c = read
		}
		return memorytest.Allocated(func() {
			j, err := c.Judge(t.Context(), eval.Setting{Protocol: hermes.Protocol{}})
			if err != nil || j.Outcome != eval.OtherArguments {
				t.Errorf("outcome %s, error %v", j.Outcome, err)
			}
		})
	}
	allocated(20) // fills caches
	if few, many := allocated(50), allocated(200); many > 8*few {
		t.Errorf("%d bytes for 50 calls and expectations, %d for 200; want at most 8 times as many", few, many)
	}
}
